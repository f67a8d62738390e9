import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { rowsRead } from '../../../../test/rowsRead.ts'
import { chainId, insertStreams, type TestStream } from '../../../../test/stream/streams.ts'
import type { Sql, Transaction } from '../../../db/database.ts'
import type { Hex } from '../../../util/hex.ts'
import type { WebhookStatus } from '../../query.ts'
import { requestRangeReplay } from '../rangeReplay.ts'
import { retractWebhooks } from '../retractWebhooks.ts'
import { addUrls, urlHash } from '../urlHash.ts'
import { readDeliveries } from './readDeliveries.ts'
import { readLogItems } from './readLogItems.ts'

const count = 40_000
const limit = 10
const url = 'https://receiver.example'
let database: TestDatabase
let busy: TestStream
let quiet: TestStream

/** Almost all webhooks are delivered ones of one stream. The others are at the beginning. */
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  ;[busy, quiet] = (await insertStreams(db, [url, url])) as [TestStream, TestStream]
  await addUrls(db, [url])
  await db.run(
    `INSERT INTO webhook (partition, position, stream_id, chain_id, block_number, block_hash, kind, id, flips, live, logs, txs, txs_internal,
       status, created_at)
     SELECT CASE WHEN n <= 100 THEN $3::smallint ELSE $1::smallint END, n, CASE WHEN n <= 100 THEN $4::uuid ELSE $2::uuid END, $5::bigint, n, decode(lpad(to_hex(n), 64, '0'), 'hex'),
       'confirmed', gen_random_uuid(), 0, true, 1, 0, 0, CASE WHEN n > 240 THEN 'delivered' WHEN n % 4 = 0 THEN 'failed'
         WHEN n % 4 = 1 THEN 'dropped' WHEN n % 4 = 2 THEN 'pending' ELSE 'delivered' END, now() - interval '1 day' + n * interval '1 ms'
     FROM generate_series(1, $6::int) n`,
    [busy.partition, busy.id, quiet.partition, quiet.id, chainId, count],
  )
  for (const statement of [
    `INSERT INTO webhook_text SELECT partition, position, '{}' FROM webhook`,
    `INSERT INTO webhook_undelivered SELECT partition, stream_id, status, position, created_at FROM webhook WHERE status IN ('failed', 'dropped')`,
    `INSERT INTO webhook_queue (partition, stream_id, chain_id, position, replay, id, live, body_bytes)
     SELECT partition, stream_id, chain_id, position, 0, id, live, 2 FROM webhook WHERE status = 'pending'`,
    `INSERT INTO webhook_matched SELECT partition, stream_id, chain_id, count(*), 0, 0, 0, 0, now() FROM webhook GROUP BY 1, 2, 3`,
    `SELECT setval('webhook_position', (SELECT max(position) FROM webhook))`,
  ])
    await db.run(statement)
  await db.run(
    `INSERT INTO webhook_attempt (partition, position, replay, number, stream_id, url_hash, at, ms, delivered, code)
     SELECT partition, position, 0, 1, stream_id, $1, created_at, 1, status = 'delivered', 200 FROM webhook`,
    [urlHash(url)],
  )
  await db.run('ANALYZE')
})
afterAll(() => database?.drop())

async function expectFew(work: (sql: Sql) => Promise<unknown>): Promise<void> {
  for (const table of ['webhook', 'webhook_attempt', 'webhook_undelivered', 'webhook_queue', 'webhook_text']) {
    const read = await database.db.transaction((tx) => rowsRead(tx, table, () => work(tx)))
    expect(read, table).toBeLessThan(2_000)
  }
}

const history = { limit, after: null, excludePayload: false, streamId: null, status: null }
const numbers = async (status: WebhookStatus | null, streamId: string | null, after: string | null = null) =>
  (
    await readDeliveries(database.db, {
      ...history,
      status,
      streamId,
      after: after === null ? null : { position: after },
    })
  ).items.map(({ tinyPayload }) => Number(tinyPayload.block))

test.each([
  ['failed', 240],
  ['dropped', 237],
  ['pending', 238],
] as const)('behavior: the few webhooks in status %s are found without scanning the others', async (status, last) => {
  const expected = Array.from({ length: limit }, (_, i) => last - 4 * i)
  expect(await numbers(status, null)).toEqual(expected)
  expect(await numbers(status, busy.id)).toEqual(expected)
  await expectFew((sql) => readDeliveries(sql, { ...history, status }))
  await expectFew((sql) => readDeliveries(sql, { ...history, status, streamId: quiet.id }))
})

test('behavior: a page far down the history costs as much as the first one', async () => {
  const after = { position: '1000' }
  expect(await numbers(null, null, after.position)).toEqual(Array.from({ length: limit }, (_, i) => 999 - i))
  await expectFew((sql) => readDeliveries(sql, { ...history, after }))
  await expectFew((sql) => readDeliveries(sql, { ...history, after, streamId: busy.id, status: 'delivered' }))
})

test('behavior: attempts of one stream, of all streams, and far down the list are found by index', async () => {
  const logs = { limit, after: null, streamId: null }
  await expectFew((sql) => readLogItems(sql, logs))
  await expectFew((sql) => readLogItems(sql, { ...logs, streamId: quiet.id }))
  const seen: number[] = []
  let { items, next } = await readLogItems(database.db, { ...logs, limit: 60, streamId: quiet.id })
  expect(items.map(({ blockNumber }) => blockNumber)).toEqual(Array.from({ length: 60 }, (_, i) => 100 - i))
  const after = next!
  await expectFew((sql) => readLogItems(sql, { ...logs, after }))
  for (
    let page = await readLogItems(database.db, { ...logs, after });
    ;
    page = await readLogItems(database.db, { ...logs, after: next! })
  ) {
    ;({ items, next } = page)
    seen.push(...items.map(({ blockNumber }) => blockNumber))
    if (!next) break
  }
  expect(seen).toEqual(Array.from({ length: 40 }, (_, i) => 40 - i))
})

test('behavior: a reorganisation finds the webhooks to retract by their blocks', async () => {
  const hash: Hex = `0x${count.toString(16).padStart(64, '0')}`
  await expectFew((sql) => retractWebhooks(sql as Transaction, chainId, [[BigInt(count), hash]]))
})

test('behavior: a replay of few blocks scans few webhooks', async () => {
  const range = { chainId, fromBlock: 20_000n, toBlock: 20_009n, status: null }
  await expectFew((sql) => requestRangeReplay({ tx: sql as Transaction, streamId: busy.id, range }))
})
