import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import type { Hex } from '../src/util/hex.ts'
import { RevertedError, startAnvil } from './anvil.ts'
import { plain721 } from './contracts/artifacts/plain721.ts'
import { plain1155 } from './contracts/artifacts/plain1155.ts'

test('default: the test anvil deploys, sends and reads', async () => {
  await using anvil = await startAnvil({ chainId: 4242 })
  expect(await anvil.rpc('eth_chainId')).toBe('0x1092')
  const [alice, bob] = anvil.accounts as [`0x${string}`, `0x${string}`]

  const nft = await anvil.deploy(plain721, ['Name', 'SYM', 'https://example.org/'])
  const { blockNumber } = await anvil.send({
    to: nft,
    abi: plain721.abi,
    functionName: 'mintBatch',
    args: [alice, 0n, 500n],
  })
  expect(blockNumber).toBe(2n)
  await anvil.send({ to: nft, abi: plain721.abi, functionName: 'move', args: [bob, [7n]] })
  const ownerOf = (block?: bigint) =>
    anvil.read({ to: nft, abi: plain721.abi, functionName: 'ownerOf', args: [7n], ...(block && { block }) })
  expect((await ownerOf()).toLowerCase()).toBe(bob)
  expect((await ownerOf(2n)).toLowerCase()).toBe(alice)

  const items = await anvil.deploy(plain1155, ['Items', 'ITM'])
  const id = 2n ** 256n - 1n
  await anvil.send({ to: items, abi: plain1155.abi, functionName: 'mint', args: [alice, id, 5n] })
  expect(await anvil.read({ to: items, abi: plain1155.abi, functionName: 'balanceOf', args: [alice, id] })).toBe(5n)
})

test('error: a reverted transaction is rejected', async () => {
  await using anvil = await startAnvil()
  const nft = await anvil.deploy(plain721, ['Name', 'SYM', ''])
  await expect(anvil.send({ to: nft, abi: plain721.abi, functionName: 'burn', args: [1n] })).rejects.toThrow(
    RevertedError,
  )
})

test('behavior: with automine off, one block contains several transactions', async () => {
  await using anvil = await startAnvil()
  const nft = await anvil.deploy(plain721, ['Name', 'SYM', ''])
  await anvil.setAutomine(false)
  const hashes: Hex[] = []
  for (const id of [1n, 2n, 3n])
    hashes.push(
      await anvil.submit({ to: nft, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[1]!, id] }),
    )
  await anvil.mine()
  const blocks = await Promise.all(hashes.map(async (hash) => (await anvil.receipt(hash)).blockNumber))
  expect(blocks).toEqual([2n, 2n, 2n])
})

test('behavior: a reorganisation replaces blocks', async () => {
  await using anvil = await startAnvil()
  const nft = await anvil.deploy(plain721, ['Name', 'SYM', ''])
  await anvil.send({ to: nft, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[1]!, 1n] })
  await anvil.mine(3)
  const before = await anvil.rpc<{ hash: Hex }>('eth_getBlockByNumber', ['0x2', false])
  await anvil.reorg(4)
  const after = await anvil.rpc<{ hash: Hex }>('eth_getBlockByNumber', ['0x2', false])
  expect(after.hash).not.toBe(before.hash)
  expect(await anvil.blockNumber()).toBe(5n)
})

test('behavior: anvil dies with its parent process, even if the parent is killed', async () => {
  const script = `
    import { startAnvilProcess } from ${JSON.stringify(new URL('../src/cli/demo/anvilProcess.ts', import.meta.url).href)}
    const { pid } = await startAnvilProcess({ args: [] })
    console.log(pid)
  `
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(parent.stdout), 'line')) as [string]
  const pid = Number(line)
  expect(alive(pid)).toBe(true)
  parent.kill('SIGKILL')
  await expect.poll(() => alive(pid), { interval: 20 }).toBe(false)
})

/** A zombie that nobody has reaped yet is dead. */
function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    if (['ESRCH', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}
