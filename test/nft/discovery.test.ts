// @module-tag system

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil, toTransaction } from '../anvil.ts'
import { runCommand } from '../commandLine.ts'
import { consecutive721 } from '../contracts/artifacts/consecutive721.ts'
import { plain20 } from '../contracts/artifacts/plain20.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { patienceMs } from '../patience.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { scratchFolder } from '../scratchFolder.ts'
import { countsOf, listDiscovered, readDiscovered } from './discovered.ts'

const repeats = inject('rounds') - 1
const poll = { timeout: patienceMs, interval: 30 }
const day = 86_400

const followedTo = async (server: TestServer) =>
  (await server.database.db.rows<[string]>('SELECT block_number::text FROM chain'))[0]?.[0]

/** Starts a server that discovers contracts, and returns the first block that it counts. */
async function startDiscovering(anvil: Anvil) {
  const server = await startTestServer({
    rpc: [anvil.url],
    config: { chains: { local: { discover: true } }, discover: { keepDays: 2 } },
  })
  const head = await anvil.blockNumber()
  await expect.poll(() => followedTo(server), poll).toBe(String(head))
  return { server, from: head + 1n }
}

test('behavior: discovery lists contracts that move NFTs at the head, without coins, with correct counts across reorganisations', {
  repeats,
}, async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil({ slotsInAnEpoch: 8 })
  const [holder] = anvil.accounts as [Address]
  const early = await anvil.deploy(plain721, ['Early', 'ERL', ''])
  await anvil.send({ to: early, abi: plain721.abi, functionName: 'mint', args: [holder, 1n] })
  // A chain is followed from its finalized block on. Nothing of the early contract is above it.
  await anvil.mine(20)
  const { server, from } = await startDiscovering(anvil)
  await using _ = server
  const coin = await anvil.deploy(plain20, [])
  await anvil.send({ to: coin, abi: plain20.abi, functionName: 'mint', args: [holder, 7n] })
  const contracts = {
    erc721: [
      await anvil.deploy(plain721, ['Claim free ETH at airdrop.example', 'MOV', '']),
      await anvil.deploy(plain721, ['Later', 'LAT', '']),
      await anvil.deploy(consecutive721, [anvil.accounts.slice(0, 3), [3n, 40n, 5n]]),
    ],
    erc1155: [await anvil.deploy(plain1155, ['Many', 'MNY']), await anvil.deploy(plain1155, ['More', 'MOR'])],
  }
  const all = [coin, early, ...contracts.erc721, ...contracts.erc1155]
  async function expectTruth(): Promise<void> {
    const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
    await expect
      .poll(() => server.database.db.rows(`SELECT '0x' || encode(block_hash, 'hex') FROM chain`), poll)
      .toEqual([[hash]])
    const truth = await readDiscovered(anvil, all, from)
    expect(countsOf(await listDiscovered(server, 'activity', random.pick([1, 2, 100])))).toEqual(truth)
    const seen = countsOf(await listDiscovered(server, 'first_seen', random.pick([1, 3, 100])))
    expect(seen.map(([, first]) => Number(first))).toEqual(
      truth.map(([, first]) => Number(first)).toSorted((a, b) => b - a),
    )
    expect(seen.toSorted()).toEqual(truth.toSorted())
  }
  await expectTruth()
  for (const depth of [1, 3, 7, 12]) {
    await randomActivity(anvil, contracts, random, 2 + random.int(6))
    if (random.chance(0.5)) await expectTruth()
    // A reorganisation removes the deployment of this contract, so the contract must disappear.
    const lost = await anvil.deploy(plain721, ['Lost', 'LST', ''])
    await anvil.send({ to: lost, abi: plain721.abi, functionName: 'mint', args: [holder, 1n] })
    await expect.poll(async () => (await listDiscovered(server, 'first_seen'))[0]?.address, poll).toBe(lost)
    const mint = { to: contracts.erc721[0]!, abi: plain721.abi, functionName: 'mint' } as const
    await anvil.reorg(depth + 2, [[toTransaction({ ...mint, args: [holder, random.uint256()] }), 0]])
    await anvil.mine(1)
    await expectTruth()
  }
  const known = await server.database.db.rows<[string, bigint]>(
    `SELECT status, count(*) FROM collection WHERE discovered GROUP BY status`,
  )
  expect(known).toEqual([['known', BigInt((await listDiscovered(server, 'activity')).length)]])
})

test('behavior: discovered contracts are named, assessed and can be indexed, and are forgotten if active in one block only', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const [holder, other] = anvil.accounts as [Address, Address]
  await anvil.mine(10)
  const { server } = await startDiscovering(anvil)
  await using _ = server
  const mint = (to: Address, tokenId: bigint) =>
    anvil.send({ to, abi: plain721.abi, functionName: 'mint', args: [holder, tokenId] })
  const deploy = async (name: string) => {
    const address = await anvil.deploy(plain721, [name, 'NFT', ''])
    await mint(address, 1n)
    return address
  }
  const spam = await deploy('Claim 5,000 USDC at airdrop-eth.xyz')
  const again = await deploy('Again')
  const indexed = await deploy('Indexed')
  const once = await deploy('Once')
  await mint(again, 2n)
  const listed = async () =>
    (await listDiscovered(server, 'first_seen')).map(({ address, name, status, possibleSpam }) => [
      ...[address, name, status, possibleSpam],
    ])
  await expect.poll(listed, poll).toEqual([
    [once, 'Once', 'known', false],
    [indexed, 'Indexed', 'known', false],
    [again, 'Again', 'known', false],
    [spam, 'Claim 5,000 USDC at airdrop-eth.xyz', 'known', true],
  ])
  const url = ['--database-url', server.database.url]
  const known = await runCommand(['collections', 'list', '--known', ...url])
  expect(known.out).toMatch(new RegExp(`local +${once} +ERC721 +Once +no`))
  const file = join(await scratchFolder('discovery-'), 'mintmark.config.json')
  await writeFile(file, JSON.stringify({ chains: { local: { id: '0x7a69', rpc: [anvil.url], discover: true } } }))
  const active = await runCommand(['collections', 'list', '--order', 'activity', '--config', file, ...url])
  expect(active.out.split('\n')[1]).toMatch(new RegExp(`^local +${again} +known +20[-0-9T:.]+Z +2 +2 +Again +no`))
  await server.untilSynced(indexed)
  await expect.poll(async () => (await listed())[1], poll).toEqual([indexed, 'Indexed', 'live', false])
  const [first] = await listDiscovered(server, 'activity')
  expect(first).toMatchObject({ address: again, discovery: { transfers: '2', mints: '2' } })
  // The default list contains only indexed collections.
  const plain = await (await server.get('/api/v2/collections')).json()
  expect((plain as { result: { address: Address }[] }).result.map(({ address }) => address)).toEqual([indexed])

  await anvil.rpc('evm_increaseTime', [day + 7_200])
  await mint(again, 3n)
  const counts = async () =>
    (await listDiscovered(server, 'activity')).map(({ address, discovery }) => [address, discovery.transfers])
  const quiet = [once, indexed, spam]
  await expect.poll(counts, poll).toEqual([[again, '1'], ...quiet.map((address) => [address, '0'])])
  await anvil.rpc('evm_increaseTime', [2 * day])
  await anvil.send({ to: again, abi: plain721.abi, functionName: 'move', args: [other, [3n]] })
  await expect.poll(counts, poll).toEqual([[again, '1']])
  const remaining = await server.database.db.rows<[string]>('SELECT name FROM collection ORDER BY name')
  expect(remaining.flat()).toEqual(['Again', 'Indexed'])
})
