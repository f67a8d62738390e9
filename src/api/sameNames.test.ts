import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../test/api.ts'
import { seedCoins, seededCoin } from '../../test/seedCoins.ts'
import { addTokens, seedCollection } from '../../test/seedCollection.ts'
import { temporaryFolder } from '../../test/temporaryFolder.ts'
import { restoreBackup } from '../db/backup/restoreBackup.ts'
import { writeBackup } from '../db/backup/writeBackup.ts'
import { noopLog } from '../util/log.ts'

const address = `0x${'c'.repeat(40)}` as const
const tokenPage = `/api/v2/nft/${address}`
const coinPage = '/coins/latest?limit=10'
const { signal } = new AbortController()

let t: TestApi
beforeEach(async () => {
  t = await createTestApi({ config: { pageCache: { freshMs: 0 } } })
})
afterEach(() => t.drop())

async function read(target: string, etag?: string) {
  const response = await t.get(target, etag === undefined ? {} : { 'if-none-match': etag })
  const text = (await response.text()) || '{"result":[]}'
  const { result } = JSON.parse(text) as { result: Record<string, string>[] }
  const ids = result.map((one) => one.token_id ?? one.symbol).sort()
  return { status: response.status, etag: response.headers.get('etag')!, ids }
}

test('behavior: a deleted and recreated collection is not served from the pages of the old one', async () => {
  const { partition, id } = await seedCollection(t.db, { address, tokens: [1n] })
  const before = await read(tokenPage)
  expect(before.ids).toEqual(['1'])
  await t.db.run('DELETE FROM token WHERE partition = $1 AND collection_id = $2', [partition, id])
  await t.db.run('DELETE FROM collection WHERE partition = $1 AND id = $2', [partition, id])
  await seedCollection(t.db, { address, tokens: [2n] })
  expect(await read(tokenPage)).toMatchObject({ status: 200, ids: ['2'] })
  expect(await read(tokenPage, before.etag)).toMatchObject({ status: 200, ids: ['2'] })
})

test('behavior: versions that repeat after a restore do not match the ETags and cached pages from before it', async () => {
  const key = { address, ...(await seedCollection(t.db, { address, tokens: [1n] })) }
  await seedCoins(t.db, { coins: [seededCoin(1)], from: 0n, to: 1n })
  const path = join(await temporaryFolder(), 'backup')
  await writeBackup({ db: t.db, path, version: '0.0.0', signal })
  const moveOn = async (n: bigint) => {
    await addTokens(t.db, { ...key, tokens: [n] })
    await t.db.run('UPDATE collection SET version = version + 1')
    await seedCoins(t.db, { coins: [seededCoin(Number(n))], from: 2n, to: 9n })
  }

  await moveOn(2n)
  const before = { tokens: await read(tokenPage), coins: await read(coinPage) }
  expect(before).toMatchObject({ tokens: { ids: ['1', '2'] }, coins: { ids: ['C1', 'C2'] } })
  const token = await t.get(`${tokenPage}/1`)
  // The test does not drop the whole schema, because this would also remove the views of a cluster's extension.
  const [[tables] = ['']] = await t.db.rows<[string]>(
    `SELECT string_agg(relname, ', ') FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`,
  )
  await t.db.transaction((tx) => tx.script(`DROP TABLE ${tables} CASCADE; DROP SEQUENCE webhook_position`))
  await restoreBackup({ db: t.db, path, log: noopLog, signal })
  await moveOn(3n)

  expect(await read(tokenPage, before.tokens.etag)).toMatchObject({ status: 200, ids: ['1', '3'] })
  expect(await read(coinPage, before.coins.etag)).toMatchObject({ status: 200, ids: ['C1', 'C3'] })
  expect((await t.get(`${tokenPage}/1`, { 'if-none-match': token.headers.get('etag')! })).status).toBe(200)
  const now = { tokens: await read(tokenPage), coins: await read(coinPage) }
  expect(now).toMatchObject({ tokens: { ids: ['1', '3'] }, coins: { ids: ['C1', 'C3'] } })
  expect(await read(tokenPage, now.tokens.etag)).toMatchObject({ status: 304 })
})
