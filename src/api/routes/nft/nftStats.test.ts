import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { seedBalances } from '../../../../test/seedBalances.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { positionOf } from '../../../nft/transfers/position.ts'
import type { Address } from '../../../util/hex.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ config: { pageCache: { freshMs: 0 } } })
})
afterAll(() => api.drop())

let addresses = 0
const newAddress = (): Address => `0x${(++addresses).toString(16).padStart(40, 'e')}`

const statsOf = (tokens: string, owners: string, transfers: string) => ({
  total_tokens: tokens,
  owners: { current: owners },
  transfers: { total: transfers },
})

async function stats(path: string) {
  const response = await api.get(`/api/v2/nft/${path}/stats`)
  expect(response.status).toBe(200)
  return { body: await response.json(), headers: response.headers }
}

test('default: returns the counters of a collection, with the block up to which owners are counted', async () => {
  const address = newAddress()
  const { partition, id } = await seedCollection(api.db, {
    address,
    tokens: [1n, 2n, 3n],
    columns: { transfers: 2n ** 53n + 1n },
  })
  expect((await stats(address)).body).toEqual(statsOf('3', '0', String(2n ** 53n + 1n)))
  await api.db.run('INSERT INTO owner_count VALUES ($1, $2, 2)', [partition, id])
  const first = await stats(address)
  expect(first.body).toMatchObject({ owners: { current: '2' } })
  expect(first.headers.get('x-index-owners-to-block')).toBe('1000')
  expect(first.headers.get('x-index-status')).toBe('synced')
  const queueFrom = (block: number) =>
    api.db.run(
      `INSERT INTO wallet_due (partition, collection_id, chain_id, at_head, from_position, to_position, transfers)
       VALUES ($1, $2, 1, true, $3, $3, 1)`,
      [partition, id, positionOf(block, 3)],
    )
  await queueFrom(1_001)
  expect((await stats(address)).headers.get('x-index-owners-to-block')).toBe('1000')
  await queueFrom(990)
  await queueFrom(995)
  expect((await stats(address)).headers.get('x-index-owners-to-block')).toBe('989')
})

test('default: returns the counters of a token, and zeros for a burned or unknown one', async () => {
  const address = newAddress()
  const holder = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
  const { id } = await seedBalances(api.db, address, [
    { tokenId: 255n, holder: holder(1), amount: 2n ** 70n },
    { tokenId: 255n, holder: holder(2), amount: 1n },
  ])
  await api.db.run('UPDATE token SET transfers = 500000 WHERE collection_id = $1', [id])
  for (const name of ['255', '0xFF', '0x00ff'])
    expect((await stats(`${address}/${name}`)).body).toEqual(statsOf(String(2n ** 70n + 1n), '2', '500000'))
  expect((await stats(`${address}/256`)).body).toEqual(statsOf('0', '0', '0'))
  await api.db.run('UPDATE token SET amount = 0, holders = 0 WHERE collection_id = $1', [id])
  expect((await stats(`${address}/255`)).body).toEqual(statsOf('0', '0', '500000'))
})

test('behavior: counters are a 304 until one of them changes', async () => {
  const address = newAddress()
  const { id } = await seedCollection(api.db, { address, tokens: [1n] })
  const { headers } = await stats(address)
  const again = () => api.get(`/api/v2/nft/${address}/stats`, { 'if-none-match': headers.get('etag')! })
  expect((await again()).status).toBe(304)
  await api.db.run('UPDATE collection SET transfers = transfers + 1 WHERE id = $1', [id])
  expect((await again()).status).toBe(200)
})

test('behavior: counters of an unindexed contract are zero and start its indexing, and an address without code gets 404', async () => {
  for (const token of ['', '/7']) {
    const { body, headers } = await stats(newAddress() + token)
    expect([body, headers.get('x-index-status')]).toEqual([statsOf('0', '0', '0'), 'queued'])
  }
  const empty = newAddress()
  await seedCollection(api.db, {
    address: empty,
    columns: { status: 'nocode', standard: null, checked_at: new Date() },
  })
  for (const path of [`${empty}/stats`, `${empty}/7/stats`])
    expect((await api.get(`/api/v2/nft/${path}`)).status).toBe(404)
})

test.each(['0x12/stats', `${newAddress()}/stats?chain=nowhere`, `${newAddress()}/-1/stats`])(
  'error: %s',
  async (path) => {
    expect((await api.get(`/api/v2/nft/${path}`)).status).toBe(400)
  },
)
