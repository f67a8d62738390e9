import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { onCluster } from '../../../test/onCluster.ts'
import { kindOf, readSizes } from './readSizes.ts'

test('default: database disk usage is reported by kind of data, largest first, and adds up to the total', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const before = new Map((await readSizes(db)).map(({ kind, bytes }) => [kind, bytes]))
  await db.run(
    `INSERT INTO webhook_text (partition, position, body) SELECT 1, n, string_agg(md5((n * m)::text), '')
     FROM generate_series(1, 100) n, generate_series(1, 1000) m GROUP BY n`,
  )
  const sizes = await readSizes(db)
  expect(sizes[0]!.kind).toBe('webhook bodies')
  expect(sizes[0]!.bytes - before.get('webhook bodies')!).toBeGreaterThan(1_000_000)
  for (const { kind, bytes } of sizes) if (kind !== 'webhook bodies') expect(bytes, kind).toBe(before.get(kind))
  // On a cluster this counts only the coordinator.
  if (onCluster) return
  const [[all] = [0n]] = await db.rows<[bigint]>(
    `SELECT sum(pg_total_relation_size(oid))::int8 FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`,
  )
  expect(sizes.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(Number(all))
})

test('behavior: every table that grows has a kind', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const rows = await db.rows<[string]>(
    `SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY relname`,
  )
  expect(rows.map(([table]) => table).filter((table) => kindOf(table) === 'other')).toEqual([
    'api_key',
    'block',
    'block_undone',
    'chain',
    'chain_mark',
    'chain_name',
    'chain_pause',
    'chain_stall',
    'console_session',
    'lease',
    'migration',
    'minute_count',
    'operation_notice',
    'process',
    'setting',
    'worker',
  ])
})
