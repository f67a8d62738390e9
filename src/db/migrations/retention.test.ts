import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { silentLog } from '../../log.ts'
import { recountLedger } from '../../stream/ledger/recountLedger.ts'
import { migrate } from '../migrate.ts'
import { historyLists } from './0019_history_lists.ts'
import { migrations } from './index.ts'

test('behavior: a ledger of before is listed, counted and read as one of now', async () => {
  const { db, drop } = await createTestDatabase({ migrated: false })
  onTestFinished(drop)
  await migrate(
    db,
    silentLog,
    migrations.filter(({ id }) => id < historyLists.id),
  )
  const stream = '10000000-0000-4000-8000-000000000000'
  for (const statement of [
    `INSERT INTO webhook (partition, position, stream_id, chain_id, block_number, block_hash, kind, id, flips, live, logs, txs, txs_internal,
       status, reason, created_at)
     SELECT 1, n, '${stream}', 1, n, '\\x00', 'unconfirmed', gen_random_uuid(), 0, true, 0, 0, 0,
       (ARRAY['delivered', 'failed', 'dropped'])[n], CASE WHEN n = 3 THEN 'why' END, '2026-01-01' FROM generate_series(1, 3) n`,
    `INSERT INTO webhook_body (partition, position, body) SELECT partition, position, '{"confirmed":false}' FROM webhook`,
    `INSERT INTO webhook_attempt (partition, position, replay, number, stream_id, url_hash, at, ms, delivered)
     SELECT 1, n, 0, 1, '${stream}', '\\x01', '2026-02-01', 1, n = 1 FROM generate_series(1, 2) n`,
    `INSERT INTO webhook_matched VALUES (1, '${stream}', 1, 3, 1, 0, 0, 0, now())`,
    `INSERT INTO webhook_delivered (partition, stream_id, delivered, failed, failed_for_good, created_at, updated_at)
     VALUES (1, '${stream}', 1, 1, 1, now(), now())`,
    `INSERT INTO webhook_delivered_span SELECT 1, '${stream}', unnest(ARRAY['minute', 'hour']), '2026-02-01', 1, 1`,
  ])
    await db.run(statement)
  await migrate(db, silentLog)
  expect(await recountLedger(db)).toMatchObject({ webhooks: 3, attempts: 2, mismatches: [] })
  const since = `SELECT status, since = created_at, since = '2026-02-01' FROM webhook_undelivered JOIN webhook USING (partition, position, status) ORDER BY 1`
  expect(await db.rows(since)).toEqual([
    ['dropped', true, false],
    ['failed', false, true],
  ])
  expect(await db.rows('SELECT DISTINCT body, bytes FROM webhook_body')).toEqual([['{"confirmed":false}', 19]])
})
