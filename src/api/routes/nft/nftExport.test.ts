import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../../test/api.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import type { Address } from '../../../util/hex.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ config: { pageCache: { freshMs: 0 } } })
})
afterAll(() => api.drop())

let seeds = 0
const newAddress = (): Address => `0x${(++seeds).toString(16).padStart(40, '0')}`

test('default: an export has the same tokens as the list, in the same order and with metadata', async () => {
  const address = newAddress()
  const tokens = Array.from({ length: 1_203 }, (_, i) => BigInt(i) ** 9n)
  const { partition, id } = await seedCollection(api.db, { address, tokens: [...tokens], columns: { name: '=1+1' } })
  await api.db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, tried_at)
     SELECT partition, collection_id, token_hash, 'ok', 1, '"token_uri":"=uri","metadata":"{}","last_token_uri_sync":null,"last_metadata_sync":null', now()
     FROM token WHERE partition = $1 AND collection_id = $2 ORDER BY token_hash LIMIT 1`,
    [partition, id],
  )
  const listed: Record<string, unknown>[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await api.get(`/api/v2/nft/${address}?normalizeMetadata=true&cursor=${cursor}`)
    const body = (await page.json()) as { cursor: string | null; result: Record<string, unknown>[] }
    listed.push(...body.result)
    cursor = body.cursor
  }
  const ndjson = await api.get(`/api/v2/nft/${address}/export?format=ndjson`)
  const text = await ndjson.text()
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(listed)
  expect(Object.fromEntries(ndjson.headers)).toMatchObject({
    ...{ 'content-type': 'application/x-ndjson; charset=utf-8', 'content-length': String(Buffer.byteLength(text)) },
    ...{ 'x-export-tokens': '1203', 'x-export-version': '1', 'x-export-end-version': '1' },
    ...{ 'x-index-status': 'synced', 'x-index-to-block': '1000' },
    'content-disposition': `attachment; filename="${address}-tokens.ndjson"`,
  })
  const csv = await api.get(`/api/v2.2/nft/${address}/export`)
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const rows = parse(await csv.text(), { columns: true }) as Record<string, string>[]
  expect(rows.map(({ token_hash }) => token_hash)).toEqual(listed.map(({ token_hash }) => token_hash))
  expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(["'=1+1"]))
  expect(rows.at(-1)).toMatchObject({ token_uri: "'=uri", metadata: '{}' })
})

test('behavior: the ETag of an export gives 304 until the collection changes', async () => {
  const address = newAddress()
  const { id } = await seedCollection(api.db, { address, tokens: [1n] })
  const first = await api.get(`/api/v2/nft/${address}/export`)
  await first.text()
  const etag = first.headers.get('etag')!
  expect((await api.get(`/api/v2/nft/${address}/export`, { 'if-none-match': etag })).status).toBe(304)
  await api.db.run('UPDATE collection SET version = version + 1 WHERE id = $1', [id])
  const later = await api.get(`/api/v2/nft/${address}/export`, { 'if-none-match': etag })
  expect([later.status, later.headers.get('x-export-version')]).toEqual([200, '2'])
  await later.text()
})

test('behavior: exporting a contract that is not indexed queues its indexing, and returns no rows', async () => {
  const address = newAddress()
  const answer = await api.get(`/api/v2/nft/${address}/export`)
  expect([answer.headers.get('x-index-status'), answer.headers.get('x-export-tokens')]).toEqual(['queued', '0'])
  expect((await answer.text()).split('\n')).toHaveLength(2)
  const [row] = await api.db.rows('SELECT status FROM collection WHERE address = $1', [
    Buffer.from(address.slice(2), 'hex'),
  ])
  expect(row).toEqual(['queued'])
})

test('behavior: HEAD returns only the headers of an export', async () => {
  const address = newAddress()
  await seedCollection(api.db, { address, tokens: [1n, 2n] })
  const request = new Request(`http://localhost/api/v2/nft/${address}/export`, {
    method: 'HEAD',
    headers: { 'x-api-key': adminKey },
  })
  const answer = await api.api.request(request)
  expect([answer.status, answer.headers.get('x-export-tokens'), await answer.text()]).toEqual([200, '2', ''])
})

test('error: rejects an unknown export format, and answers 404 for an address without a contract', async () => {
  const address = newAddress()
  const rejected = await api.get(`/api/v2/nft/${address}/export?format=xlsx`)
  expect([rejected.status, await rejected.json()]).toMatchObject([400, { message: /csv, ndjson or parquet/ }])
  await seedCollection(api.db, { address, columns: { status: 'nocode', standard: null, checked_at: new Date() } })
  expect((await api.get(`/api/v2/nft/${address}/export`)).status).toBe(404)
})
