import { expect, test } from 'vitest'
import { startAnvil, toTransaction } from '../../../../test/anvil.ts'
import { plain20 } from '../../../../test/contracts/artifacts/plain20.ts'
import { plain721 } from '../../../../test/contracts/artifacts/plain721.ts'
import { openSource } from '../../../../test/evmSource.ts'
import type { Address, Hex } from '../../../util/hex.ts'

const transfer: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const topics = [[transfer], null, null, null]
const watch = (...list: Address[]) => ({ topics, watched: (a: Address) => list.includes(a), watchedList: () => list })

test('default: reads the same logs from a real node by range and by block', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const collection = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
  const coin = await anvil.deploy(plain20, [])
  const to = anvil.accounts[1]!
  for (let id = 0n; id < 20n; id++)
    await anvil.send({ to: collection, abi: plain721.abi, functionName: 'mint', args: [to, id] })
  await anvil.send({ to: coin, abi: plain20.abi, functionName: 'mint', args: [to, 5n] })
  await using over = openSource([anvil], {}, 7)
  const { head, finalized } = await over.source.head()
  expect(head.number).toBe(await anvil.blockNumber())
  expect(finalized).toBe(head.number - 8n)

  const byRange: Hex[] = []
  for (let from = 0n; from <= head.number; ) {
    const answer = await over.source.logs({ address: collection, topics, from, to: head.number })
    byRange.push(...answer.logs.map((log) => log.topics[3]!))
    from = answer.to + 1n
  }
  const byBlock: Hex[] = []
  const headers = await over.source.headers(0n, head.number)
  for (const header of headers)
    for (const log of await over.source.blockLogs(header, watch(collection))) byBlock.push(log.topics[3]!)
  expect(byRange.map(BigInt)).toEqual(Array.from({ length: 20 }, (_, i) => BigInt(i)))
  expect(byBlock).toEqual(byRange)
  expect(headers.at(-1)!.hash).toBe(head.hash)
  expect(await over.omissions()).toEqual({})
  expect(await over.source.identity()).toEqual({ chainId: 31337n, genesisHash: headers[0]!.hash })
})

test('behavior: an undone block is unsettled, and its replacement is read', async () => {
  await using anvil = await startAnvil()
  const collection = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
  const mint = (id: bigint) =>
    ({ to: collection, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[1]!, id] }) as const
  await anvil.mine(3)
  await anvil.send(mint(1n))
  await using over = openSource([anvil])
  const { head } = await over.source.head()
  expect(await over.source.blockLogs(head, watch(collection))).toHaveLength(1)
  await anvil.reorg(1, [[toTransaction(mint(2n)), 0]])
  await expect(over.source.blockLogs(head, watch(collection))).rejects.toMatchObject({ code: 'BLOCK_UNSETTLED' })
  const replaced = await over.source.head()
  expect(replaced.head.hash).not.toBe(head.hash)
  const logs = await over.source.blockLogs(replaced.head, watch(collection))
  expect(logs.map((log) => BigInt(log.topics[3]!))).toEqual([2n])
})
