import { expect, onTestFinished } from 'vitest'
import { createStagingCleaner, withStagingTables } from '../../src/db/staging/stagingTables.ts'
import { noopLog } from '../../src/util/log.ts'
import { createTestDatabase } from '../database.ts'
import { testOnTwoNodes } from './onTwoNodes.ts'

testOnTwoNodes('behavior: dead rows of staging tables on the nodes are vacuumed, even while a merge runs', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const bytes = async () => {
    const [[size] = [0n]] = await db.rows<[bigint]>(`SELECT citus_table_size('stage_gone')::int8`)
    return Number(size)
  }
  const fill = () =>
    db.transaction((tx) =>
      withStagingTables(tx, { stages: ['stage_gone'] }, () =>
        tx.run(
          `INSERT INTO stage_gone (partition, collection_id, token_hash)
           SELECT n % 256, n, md5(n::text)::uuid FROM generate_series(1, 200000) n`,
        ),
      ),
    )
  await fill()
  const once = await bytes()
  expect(once).toBeGreaterThan(8_000_000)
  await createStagingCleaner({ db, log: noopLog })()
  // The freed space is reused or returned.
  await fill()
  expect(await bytes()).toBeLessThan(1.2 * once)
  await db.transaction(async (tx) => {
    await tx.run(`INSERT INTO stage_gone (partition, collection_id, token_hash) VALUES (1, 1, md5('')::uuid)`)
    await createStagingCleaner({ db, log: noopLog })()
    expect(await tx.rows('SELECT count(*)::int FROM stage_gone')).toEqual([[1]])
    await tx.run('DELETE FROM stage_gone')
  })
})
