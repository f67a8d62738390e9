// @module-tag system

import { expect, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { type NftRecord, startTestServer } from '../mintmark.ts'
import { patienceMs } from '../patience.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { byName, heldOf, readHoldings } from './holdings.ts'

const poll = { timeout: patienceMs, interval: 50 }

type Acquired = Page['result'][number] & { acquired_block: string; acquired_at: string; spam_score: number }

type Page = {
  result: (NftRecord & { chain: string })[]
  cursor: string | null
  total: number | null
  status: string
  chains: Record<string, Record<string, unknown>>
}

test('behavior: one list pages through a wallet on several chains, with the chain of each record and its progress', async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil()
  await using second = await startAnvil({ chainId: 31_338 })
  async function fill(of: Anvil) {
    const contracts = {
      erc721: [await of.deploy(plain721, ['Moves', 'MOV', ''])],
      erc1155: [await of.deploy(plain1155, ['Many', 'MNY'])],
    }
    await randomActivity(of, contracts, random, 20)
    const [to] = contracts.erc721 as [Address]
    await of.send({ to, abi: plain721.abi, functionName: 'mint', args: [of.accounts[0]!, random.uint256()] })
    return contracts
  }
  const scenes = {
    local: { of: anvil, contracts: await fill(anvil) },
    other: { of: second, contracts: await fill(second) },
  }
  const other = { id: '0x7a6a', rpc: [second.url], pollIntervalMs: 50, wallets: 'chain' as const }
  await using server = await startTestServer({
    rpc: [anvil.url],
    config: { chains: { local: { wallets: 'chain' }, other } },
  })
  const [wallet] = anvil.accounts as [Address]
  const read = async (query: string) => {
    const response = await server.get(`/api/v2/wallets/${wallet}/nft?${query}`)
    const text = await response.text()
    expect(response.status, text).toBe(200)
    return JSON.parse(text) as Page
  }
  const both = 'chains[]=local&chains[]=0x7a6a'
  expect(await read(both)).toMatchObject({ result: [], cursor: null, status: 'SYNCING' })
  await expect.poll(async () => (await read(both)).status, poll).toBe('SYNCED')

  for (const [names, query] of [
    [['local', 'other'] as const, both],
    [['other', 'local'] as const, 'chains=other,local,other'],
  ] as const)
    for (const limit of [1, 3, 100]) {
      const records: Page['result'] = []
      const truth: { name: string; held: unknown }[] = []
      for (const name of names) {
        const { of, contracts } = scenes[name]
        truth.push({ name, held: ((await readHoldings(of, contracts)).get(wallet) ?? []).toSorted(byName) })
      }
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Page = await read(cursor ? `cursor=${cursor}` : `${query}&limit=${limit}&disable_total=false`)
        records.push(...page.result)
        expect(page.result.length).toBeLessThanOrEqual(limit)
        cursor = page.cursor
        for (const name of names)
          expect(page.chains[name]).toMatchObject({
            ...{ status: 'synced', scope: 'chain', progress: 1 },
            to_block: String(await scenes[name].of.blockNumber()),
          })
        if (cursor === null) expect(page.total).toBe(records.length)
      }
      const runs = records.map(({ chain }) => chain).filter((chain, i, all) => chain !== all[i - 1])
      expect(runs).toEqual([...names])
      for (const { name, held } of truth) expect(heldOf(records.filter(({ chain }) => chain === name))).toEqual(held)
    }

  // The contracts have the same addresses on both chains.
  const { erc721, erc1155 } = scenes.local.contracts
  expect(scenes.other.contracts).toEqual(scenes.local.contracts)
  const walk = async (query: string) => {
    const records: Acquired[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = await read(cursor ? `cursor=${cursor}` : `${both}&limit=2&${query}`)
      records.push(...(page.result as Acquired[]))
      cursor = page.cursor
    }
    return records
  }
  const all = await walk('')
  const acquired = await walk('order=acquired&include=acquired,spam')
  for (const chain of ['local', 'other'] as const) {
    const own = acquired.filter((record) => record.chain === chain)
    expect(heldOf(own)).toEqual(heldOf(all.filter((record) => record.chain === chain)))
    const got = own.map(({ acquired_block }) => Number(acquired_block))
    expect(got).toEqual(got.toSorted((a, b) => b - a))
    const head = `0x${BigInt(got[0]!).toString(16)}`
    const { timestamp } = await scenes[chain].of.rpc<{ timestamp: string }>('eth_getBlockByNumber', [head, false])
    expect(own[0]).toMatchObject({ acquired_at: new Date(Number(timestamp) * 1_000).toISOString(), spam_score: 0 })
  }
  for (const [contract] of [erc721, erc1155] as [Address][]) {
    const own = all.filter(({ token_address }) => token_address === contract)
    expect(await walk(`token_addresses=${contract}`)).toEqual(own)
  }
  expect(await walk(`token_addresses=0x${'11'.repeat(20)}`)).toEqual([])

  // Spam collections are hidden on every chain.
  await server.database.db.run('UPDATE collection SET spam_override = true WHERE chain_id = 31338 AND address = $1', [
    Buffer.from(erc721[0]!.slice(2), 'hex'),
  ])
  const clean = all.filter(({ chain, token_address }) => chain !== 'other' || token_address !== erc721[0])
  expect(clean.length).toBeLessThan(all.length)
  expect(heldOf(await walk('exclude_spam=true'))).toEqual(heldOf(clean))

  const rejected = async (query: string) => {
    const response = await server.get(`/api/v2/wallets/${wallet}/nft?${query}`)
    return [response.status, ((await response.json()) as { message: string }).message]
  }
  expect(await rejected('')).toEqual([400, 'chains is missing; allowed: names or hex ids of 1 to 20 chains'])
  expect(await rejected('chains[]=local&chains[]=nowhere')).toEqual([
    400,
    expect.stringMatching(/^chains.* is "nowhere"; allowed: /),
  ])
  expect(await rejected('chains=goerli')).toEqual([
    400,
    expect.stringMatching(/^chains is goerli, which is known but not configured/),
  ])
  const { cursor } = await read(`${both}&limit=1`)
  expect(await rejected(`cursor=${cursor}&chains=local`)).toEqual([
    400,
    expect.stringMatching(/^chains differs from the call/),
  ])
})
