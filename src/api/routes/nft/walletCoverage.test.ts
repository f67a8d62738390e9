import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import type { Address } from '../../../util/hex.ts'

const [tiles, items, other]: Address[] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`, `0x${'c3'.repeat(20)}`]
const base = `/api/v2/0x${'77'.repeat(20)}/nft`
/** Routes whose responses cover all collections of the chain. */
const ofAll = [base, `${base}/collections`, `${base}/transfers`, '/api/v2/nft/transfers']

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ config: { pageCache: { freshMs: 0 } } })
  for (const address of [tiles!, items!]) await seedCollection(api.db, { address, columns: { standard: 'ERC1155' } })
})
afterAll(() => api.drop())

async function reported(target: string) {
  const response = await api.get(target)
  const { status } = (await response.json()) as { status: string }
  return [status, response.headers.get('x-index-status'), response.headers.get('x-index-incomplete')]
}

test('behavior: a collection that failed before it was identified keeps wallet responses at SYNCING', async () => {
  for (const place of ofAll) expect(await reported(place), place).toEqual(['SYNCED', 'synced', null])
  await seedCollection(api.db, { address: other!, columns: { status: 'failed', standard: null, from_block: null } })
  for (const place of ofAll) expect(await reported(place), place).toEqual(['SYNCING', 'syncing', null])
  expect(await reported(`${base}?token_addresses=${other}`)).toEqual(['SYNCING', 'failed', null])
  expect(await reported(`${base}?token_addresses=${tiles}`)).toEqual(['SYNCED', 'synced', null])
  await api.db.run(`DELETE FROM collection WHERE status = 'failed'`)
})

test('behavior: x-index-incomplete reports skipped data, for all collections or for the requested ones', async () => {
  for (const columns of ['wide_logs = 1', 'surplus_transfers = 2']) {
    await api.db.run(`UPDATE collection SET ${columns}, version = version + 1 WHERE address = $1`, [
      Buffer.from(items!.slice(2), 'hex'),
    ])
    const all = ['SYNCED', 'synced', '1 of the collections have omissions']
    for (const place of ofAll) expect(await reported(place), place).toEqual(all)
    const named = ['SYNCED', 'synced', expect.stringMatching(/^omitted: /)]
    expect(await reported(`${base}?token_addresses=${items},${tiles}`)).toEqual(named)
    expect(await reported(`${base}?token_addresses=${tiles}`)).toEqual(['SYNCED', 'synced', null])
  }
})
