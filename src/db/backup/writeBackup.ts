import { existsSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { MintmarkError } from '../../util/errors.ts'
import { openSnapshots } from '../cluster/openSnapshots.ts'
import { type Database, sessionSettings } from '../database.ts'
import { readMigrations } from '../migrations/migrate.ts'
import { ownSchema, ownSchemaName } from '../ownSchema.ts'
import { writeBackupFile } from './backupFile.ts'
import { type BackupHead, jsonFrame } from './backupFormat.ts'
import { BackupExistsError } from './unfinishedFile.ts'

/** The database has no Mintmark tables. */
export class NothingToBackUpError extends MintmarkError {
  readonly code = 'NOTHING_TO_BACK_UP'
}

export type BackupOptions = {
  db: Database
  /** File to write; must not exist. */
  path: string
  /** Version of this program. */
  version: string
  signal: AbortSignal
  /** Called and awaited before each table. */
  onTable?: (table: string) => void | Promise<void>
}

export type BackupReport = { path: string; migration: number; tables: number; rows: bigint }

/** The settings that determine the format of COPY values, beside those of each session. */
const textSettings = `SET LOCAL timezone = 'UTC'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;
  SET LOCAL client_encoding = 'UTF8'`

/**
 * Writes all tables in one snapshot while servers continue working. The snapshot only keeps PostgreSQL from vacuuming rows that are replaced
 * meanwhile.
 */
export async function writeBackup({ db, path, version, signal, onTable }: BackupOptions): Promise<BackupReport> {
  if (existsSync(path))
    throw new BackupExistsError(`${path} exists, and a backup overwrites nothing: choose a new file`)
  if ((await readMigrations(db)).length === 0)
    throw new NothingToBackUpError('the database is empty: there is nothing to back up')
  const client = await db.connect()
  try {
    await client.query(sessionSettings)
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query(textSettings)
    await openSnapshots(db, (statement) => client.query(statement))
    const { rows } = await client.query<{ id: number; digest: string | null }>(
      `SELECT id, to_jsonb(migration) ->> 'digest' AS digest FROM migration ORDER BY id`,
    )
    const report: BackupReport = { path, migration: rows.at(-1)!.id, tables: 0, rows: 0n }
    const head: BackupHead = {
      mintmarkBackup: 1,
      version,
      migration: report.migration,
      digests: rows.map(({ digest }) => digest ?? ''),
      createdAt: new Date().toISOString(),
    }
    await writeBackupFile(path, frames(client, { head, report, signal, onTable }))
    return report
  } finally {
    await client.end()
  }
}

async function* frames(
  client: pg.Client,
  options: { head: BackupHead; report: BackupReport; signal: AbortSignal; onTable: BackupOptions['onTable'] },
): AsyncGenerator<Buffer> {
  const { head, report, signal, onTable } = options
  yield jsonFrame(head)
  const tables = await readTables(client)
  if (tables.length === 0) throw new NothingToBackUpError('no tables are found beside the table migration')
  for (const { table, columns } of tables) {
    await onTable?.(table)
    yield jsonFrame({ table, columns })
    const names = columns.map((name) => pg.escapeIdentifier(name)).join(', ')
    // On Citus, COPY of a distributed table reads current rows, but a query reads the snapshot.
    const copy = client.query(copyTo(`COPY (SELECT ${names} FROM ${pg.escapeIdentifier(table)}) TO STDOUT`))
    for await (const chunk of copy as AsyncIterable<Buffer>) {
      signal.throwIfAborted()
      if (chunk.length > 0) yield chunk
    }
    await finished(copy)
    yield Buffer.alloc(0)
    report.tables++
    report.rows += BigInt(copy.rowCount)
  }
  yield jsonFrame({ sequences: await readSequences(client), tables: report.tables })
}

/**
 * The tables of the schema with their writable columns, without the staging tables (`db/staging/stagingTables.ts`). Tables with foreign keys come last, so
 * that restoring in this order violates none: no referenced table has a foreign key itself.
 */
async function readTables(client: pg.Client): Promise<{ table: string; columns: string[] }[]> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = ${ownSchema} AND c.relkind = 'r' AND c.relpersistence = 'p' AND c.relname <> 'migration'
       AND c.relname NOT LIKE 'stage\\_%'
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.oid, c.relname
     ORDER BY EXISTS (SELECT 1 FROM pg_constraint f WHERE f.conrelid = c.oid AND f.contype = 'f'), c.relname`,
  )
  return rows
}

/** The last values of the sequences. They are not part of the snapshot, so each is at least as high as those in the rows. */
async function readSequences(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = ${ownSchemaName} AND last_value IS NOT NULL ORDER BY 1`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}
