import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { insertChain } from '../../../sync/chainStore.ts'
import { createLeases, pauseChain } from '../../../sync/leases/lease.ts'
import { noopLog } from '../../../util/log.ts'

const address = `0x${'a'.repeat(40)}` as const

let t: TestApi
beforeAll(async () => {
  t = await createTestApi({
    config: {
      chains: { optimism: {}, gnosis: { discover: true }, local: { id: '0x7a69', rpc: ['http://127.0.0.1:1/secret'] } },
    },
  })
})
afterAll(() => t.drop())

type Chain = {
  name: string
  id: string
  aliases: string[]
  configured: boolean
  head: string | null
  status: string
  discover: boolean
}
async function chains(path = '/api/v2/chains'): Promise<Chain[]> {
  const response = await t.get(path)
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(text).not.toContain('127.0.0.1')
  return JSON.parse(text).result
}

test('default: lists the chains that a request can use, with their aliases', async () => {
  const all = await chains()
  expect(all.map(({ name }) => name)).toEqual([
    ...['eth', 'sepolia', 'polygon', 'bsc', 'bsc testnet', 'avalanche', 'fantom', 'palm', 'cronos', 'arbitrum'],
    ...['optimism', 'gnosis', 'local'],
  ])
  expect(all.find(({ name }) => name === 'optimism')).toEqual({
    ...{ name: 'optimism', id: '0xa', aliases: ['op mainnet', 'op-mainnet'] },
    ...{ configured: true, head: null, status: 'idle', discover: false },
  })
  expect(all.filter(({ configured }) => configured).map(({ name }) => name)).toEqual(['optimism', 'gnosis', 'local'])
  expect(all.filter(({ discover }) => discover).map(({ name }) => name)).toEqual(['gnosis'])
  for (const { name, id, aliases } of all)
    for (const chain of [name, id, ...aliases])
      expect([chain, (await t.get(`/api/v2/nft/${address}?chain=${encodeURIComponent(chain)}`)).status]).toEqual([
        chain,
        200,
      ])
  expect(await chains()).toHaveLength(all.length)
})

test('behavior: shows the head and status of each chain', async () => {
  await t.db.run('DELETE FROM collection')
  const of = async () => Object.fromEntries((await chains('/api/v2.2/chains')).map((c) => [c.name, [c.head, c.status]]))
  await insertChain(t.db, 10n, `0x${'1'.repeat(64)}`, 1_000n, 900n)
  await seedCollection(t.db, { address, chainId: 137n })
  // No process reads chains here.
  expect(await of()).toMatchObject({ polygon: ['1000', 'stalled'], optimism: ['1000', 'stalled'] })
  const leases = await createLeases({ db: t.db, log: noopLog, onChange: () => {}, keys: { chain: [10n, 137n] } })
  await pauseChain(t.db, 100n)
  expect(await of()).toMatchObject({
    ...{ polygon: [expect.any(String), 'following'], optimism: ['1000', 'idle'] },
    ...{ gnosis: [null, 'paused'], eth: [null, 'idle'] },
  })
  await leases.close()
})

test('error: a request cannot enable a chain that only viem defines, and the error lists only the enabled chains', async () => {
  const response = await t.get(`/api/v2/nft/${address}?chain=base`)
  const { message } = (await response.json()) as { message: string }
  expect([response.status, message]).toEqual([400, expect.stringContaining('optimism 0xa, gnosis 0x64, local 0x7a69')])
  expect(message).not.toMatch(/goerli|mumbai|base 0x/)
  const unasked = await t.api.request(new Request('http://localhost/api/v2/chains'))
  expect(unasked.status).toBe(401)
})
