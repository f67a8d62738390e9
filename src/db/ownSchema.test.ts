import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { onCluster } from '../../test/onCluster.ts'
import { seedCollection } from '../../test/seedCollection.ts'
import { temporaryFolder } from '../../test/temporaryFolder.ts'
import { removeRows } from '../nft/store/removals.ts'
import { deleteCollection } from '../nft/store/requeueCollections.ts'
import { noopLog } from '../util/log.ts'
import { writeBackup } from './backup/writeBackup.ts'
import { readSizes } from './cluster/readSizes.ts'
import { createDatabase } from './database.ts'
import type { Migration } from './migrations/index.ts'
import { migrations } from './migrations/index.ts'
import { migrate } from './migrations/migrate.ts'
import { queryReadOnly } from './query/queryReadOnly.ts'
import { viewSchema } from './views/readers.ts'

const address = `0x${'ab'.repeat(20)}` as const

test.skipIf(onCluster)(
  "behavior: the tables are found although the user's search_path begins with the schema of the promised views",
  async () => {
    const { db: own, connection, drop } = await createTestDatabase()
    onTestFinished(drop)
    // As for a user with the name of that schema: "$user", public.
    const db = createDatabase({
      connection: { ...connection, options: `-c search_path=${viewSchema},public` },
      poolSize: 4,
      log: noopLog,
    })
    onTestFinished(db.close)
    const key = await seedCollection(db, { address, tokens: [1n, 2n, 3n] })
    await own.run(`CREATE SCHEMA ${viewSchema}`)
    await own.run(`CREATE VIEW ${viewSchema}.nfts AS SELECT 1`)

    expect(await migrate(db, noopLog)).toEqual([])
    const later: Migration = { id: 9_000, name: 'later', sql: ['CREATE TABLE later (id integer)'] }
    expect(await migrate(db, noopLog, [...migrations, later])).toEqual([later.id])
    const tables = await db.rows(
      `SELECT relname::text FROM pg_class WHERE relkind = 'r' AND relnamespace = '${viewSchema}'::regnamespace`,
    )
    expect(tables).toEqual([])

    const tokens = async (sql: typeof db) => (await readSizes(sql)).find(({ kind }) => kind === 'tokens')
    expect(await tokens(db)).toEqual(await tokens(own))
    const path = join(await temporaryFolder(), 'backup')
    const { signal } = new AbortController()
    const { rows } = await writeBackup({ db, path, version: '1', signal })
    expect(rows).toBeGreaterThan(3n)
    await deleteCollection(db, { chainId: 1n, address, requeue: false, held: false })
    expect(await removeRows(db, key)).toMatchObject({ tokens: 3 })
  },
)

test.skipIf(onCluster)('behavior: db query works if tables and promised views are in one schema', async () => {
  const { db: own, connection, drop } = await createTestDatabase({ migrated: false })
  onTestFinished(drop)
  await own.run(`CREATE SCHEMA ${viewSchema}`)
  const db = createDatabase({
    connection: { ...connection, options: `-c search_path=${viewSchema}` },
    poolSize: 4,
    log: noopLog,
  })
  onTestFinished(db.close)
  await migrate(db, noopLog)
  await db.run(`CREATE VIEW nfts AS SELECT 'stale'`)
  const { signal } = new AbortController()
  const query = (sql: string) => queryReadOnly({ db, sql, limit: 10, timeoutMs: 10_000, signal })
  expect(await query('SELECT count(*) FROM nfts')).toMatchObject({ rows: [['0']] })
  expect(await query('SELECT count(*) FROM collection')).toMatchObject({ rows: [['0']] })
})
