import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { rowsRead } from '../../../test/rowsRead.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Address } from '../../util/hex.ts'
import { countPendingMetadata, readMetadataCounts } from './metadataSummary.ts'
import { readSweep, requestAllMetadata, sweepPart } from './store/sweep.ts'

const address: Address = `0x${'ab'.repeat(20)}`

async function seed() {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const key = await seedCollection(db, { address, tokens: [1n, 2n, 3n, 4n] })
  return { db, key }
}

test('behavior: tokens that wait for a dead host are counted separately', async () => {
  const { db } = await seed()
  await db.run(
    `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at, attempts, host, parked_at)
     SELECT partition, collection_id, token_hash, token_id, CASE WHEN token_id > 2 THEN 'infinity' ELSE now() END,
       CASE WHEN token_id IN (2, 4) THEN 1 ELSE 0 END, CASE WHEN token_id > 2 THEN 'lost.example' END,
       CASE WHEN token_id > 2 THEN now() END FROM token`,
  )
  expect(await countPendingMetadata(db)).toEqual({ due: 1, failed: 1, parked: 2 })
})

test('behavior: a sweep is reported until it ends', async () => {
  const { db, key } = await seed()
  const sweep = () => readSweep(db, key)
  expect(await sweep()).toBeNull()
  const sweptAt = new Date('2026-01-02T03:04:05Z')
  await db.run('UPDATE collection SET metadata_swept_at = $1', [sweptAt])
  await requestAllMetadata(db, key)
  expect(await sweep()).toEqual({ beginsAt: new Date('2026-01-02T03:14:05Z') })
  await db.run(`UPDATE collection SET metadata_swept_to = '00000000-0000-0000-0000-000000000000'`)
  expect(await sweep()).toEqual({ beginsAt: null })
  await db.run(`UPDATE collection SET metadata_sweeping = metadata_stale, metadata_stale = '{}'`)
  await db.transaction((tx) => sweepPart(tx, key, 0))
  expect(await sweep()).toBeNull()
})

test('behavior: states and reasons are counted in one read of the rows', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const key = await seedCollection(db, { address })
  // Two reasons are equally frequent, a sixth one is not shown, and the reason of a token that was read later does not count.
  await db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, tried_at, record, reason)
     SELECT $1, $2, md5(n::text)::uuid, CASE WHEN n <= 10 THEN 'ok' WHEN n % 2 = 0 THEN 'failed' ELSE 'permanent' END, 0, now(), '',
       CASE WHEN n <= 12 THEN 'timeout' WHEN n <= 15 THEN 'b' WHEN n <= 18 THEN 'a' WHEN n <= 22 THEN 'c' WHEN n <= 27 THEN 'd'
         WHEN n = 28 THEN 'rare' ELSE NULL END
     FROM generate_series(1, 30) n`,
    [key.partition, key.id],
  )
  const counts = await readMetadataCounts(db, key)
  expect(counts).toMatchObject({ ok: 10n, failed: 10n, permanent: 10n, due: 0n, parked: 0n })
  expect(counts.reasons).toEqual([
    { reason: 'd', tokens: 5n },
    { reason: 'c', tokens: 4n },
    { reason: 'a', tokens: 3n },
    { reason: 'b', tokens: 3n },
    { reason: 'timeout', tokens: 2n },
  ])
  const read = await db.transaction((tx) => rowsRead(tx, 'token_metadata', () => readMetadataCounts(tx, key)))
  expect(read).toBeLessThanOrEqual(60)
})
