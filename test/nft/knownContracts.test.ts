// @module-tag system

import { expect, inject, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { startAnvil, toTransaction } from '../anvil.ts'
import { kitties } from '../contracts/artifacts/kitties.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { type NftRecord, startTestServer, type TestServer, testApiKey } from '../mintmark.ts'
import { patienceMs } from '../patience.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { byName, heldOf, nameOf, readHoldings } from './holdings.ts'

const repeats = inject('rounds') - 1
const poll = { timeout: patienceMs, interval: 30 }

type Page = { result: NftRecord[]; cursor: string | null; status: string }

/** Walks through the tokens of a wallet. No token may appear twice, whatever happens meanwhile. */
async function walk(server: TestServer, wallet: Address, limit: number) {
  const records: NftRecord[] = []
  let reported: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor ? `&cursor=${cursor}` : ''
    const response = await server.get(`/api/v2/${wallet}/nft?chain=local&limit=${limit}${more}`)
    const text = await response.text()
    expect(response.status, text).toBe(200)
    const body = JSON.parse(text) as Page
    records.push(...body.result)
    cursor = body.cursor
    reported = [body.status, response.headers.get('x-index-to-block') ?? '']
  }
  const held = heldOf(records)
  expect(new Set(held.map(nameOf)).size).toBe(held.length)
  return { held, reported }
}

test('behavior: wallets list each token once while known contracts are indexed and removed, across transfers and reorganisations', {
  repeats,
}, async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil({ slotsInAnEpoch: 8 })
  const contracts = {
    erc721: [await anvil.deploy(plain721, ['Moves', 'MOV', '']), await anvil.deploy(kitties, [])],
    erc1155: [await anvil.deploy(plain1155, ['Many', 'MNY'])],
  }
  const [plain, hidden] = contracts.erc721 as [Address, Address]
  const all = [...contracts.erc721, ...contracts.erc1155]
  const wallets = anvil.accounts.slice(0, 3)
  await randomActivity(anvil, contracts, random, 25)
  await using server = await startTestServer({
    rpc: [anvil.url],
    config: { chains: { local: { wallets: 'chain' } } },
  })
  const indexed = new Set<Address>()

  /** If a contract indexes no addresses, topics cannot find its transfers. Wallets show it only while it is indexed. */
  async function expectTruth(): Promise<void> {
    const head = String(await anvil.blockNumber())
    const truth = await readHoldings(anvil, contracts)
    for (const wallet of wallets) {
      const wanted = (truth.get(wallet) ?? []).filter(({ address }) => address !== hidden || indexed.has(hidden))
      const expected = { held: wanted.toSorted(byName), reported: ['SYNCED', head] }
      await expect.poll(() => walk(server, wallet, random.pick([2, 7, 100])), poll).toEqual(expected)
    }
  }

  const steps = {
    async index() {
      const address = random.pick(all)
      indexed.add(address)
      // Sometimes wallets are requested while the history is being read.
      if (random.chance(0.5)) await server.page(address)
      else await server.untilSynced(address)
    },
    async remove() {
      const address = random.pick(all)
      if (!indexed.delete(address)) return
      await server.untilSynced(address)
      const response = await fetch(`${server.url}/admin/collections/local/${address}`, {
        method: 'DELETE',
        headers: { 'x-api-key': testApiKey },
      })
      expect(response.status, await response.text()).toBeLessThan(300)
    },
    async request() {
      for (const wallet of wallets) await walk(server, wallet, 3)
    },
    async transfer() {
      await randomActivity(anvil, contracts, random, 1 + random.int(4))
    },
    async reorganise() {
      const mint = { to: plain, abi: plain721.abi, functionName: 'mint' } as const
      const args = [random.pick(wallets), random.uint256()] as const
      await anvil.reorg(1 + random.int(6), [[toTransaction({ ...mint, args }), 0]])
      await anvil.mine(1)
    },
  }
  const kinds = Object.keys(steps) as (keyof typeof steps)[]
  await expectTruth()
  for (let step = 0; step < 24; step++) {
    await steps[random.pick(kinds)]()
    if (random.chance(0.6)) await expectTruth()
  }
  await expectTruth()
})

test('behavior: a known contract is named when a page first shows it, and only shown tokens have their metadata read', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const document = { name: 'A token', attributes: [{ trait_type: 'Colour', value: 'red' }] }
  const uri = `data:application/json,${encodeURIComponent(JSON.stringify(document))}#`
  const to = await anvil.deploy(plain721, ['Named', 'NMD', uri])
  const [wallet, other] = anvil.accounts as [Address, Address]
  for (const [i, owner] of [wallet, wallet, other].entries())
    await anvil.send({ to, abi: plain721.abi, functionName: 'mint', args: [owner, BigInt(i + 1)] })
  await anvil.mine(8)
  await using server = await startTestServer({
    rpc: [anvil.url],
    config: { chains: { local: { wallets: 'chain' } } },
  })
  const sql = server.database.db
  const shown = async () => {
    const response = await server.get(`/api/v2/${wallet}/nft?chain=local&normalizeMetadata=true`)
    const { result } = (await response.json()) as { result: (NftRecord & { metadata: string | null })[] }
    return result.map(({ token_address, name, symbol, metadata }) => [
      ...[token_address, name, symbol, metadata && (JSON.parse(metadata) as { name: string }).name],
    ])
  }
  await expect.poll(shown, poll).toEqual([
    [to, 'Named', 'NMD', 'A token'],
    [to, 'Named', 'NMD', 'A token'],
  ])
  expect(await sql.rows('SELECT count(*) FROM token_metadata')).toEqual([[2n]])
  expect(await sql.rows('SELECT status, name FROM collection')).toEqual([['known', 'Named']])
  const assessed = () => sql.rows('SELECT spam_reasons FROM collection')
  await expect
    .poll(assessed, poll)
    .toEqual([[['not assessed: owners, mints and transfers, as the contract is not indexed']]])
})
