import { Readable } from 'node:stream'
import pg from 'pg'
import type { Log } from '../../util/log.ts'
import type { Database, Transaction } from '../database.ts'
import { checkRights } from '../migrations/checkRights.ts'
import type { Migration } from '../migrations/index.ts'
import { migrations } from '../migrations/index.ts'
import {
  applyMigrations,
  DatabaseNotEmptyError,
  DatabaseTooNewError,
  rejectForeignSchema,
} from '../migrations/migrate.ts'
import { checkServerVersion } from '../migrations/serverVersion.ts'
import { ownSchema } from '../ownSchema.ts'
import { BackupFileError, readBackupFile } from './backupFile.ts'
import { type BackupHead, backupHead, backupPart } from './backupFormat.ts'

export type RestoreOptions = {
  db: Database
  path: string
  log: Log
  signal: AbortSignal
  onTable?: (table: string) => void
  /** Called within the transaction, once all rows are in this program's schema. */
  onFilled?: (tx: Transaction, head: BackupHead) => Promise<void>
  /** The migrations of this program; tests may have others. */
  steps?: readonly Migration[]
}

export type RestoreReport = {
  head: BackupHead
  tables: number
  /** Tables of other programs in the backed-up schema; they are omitted. */
  skipped: string[]
}

/**
 * Creates the backup's schema in an empty database, fills it, and migrates it to this program's schema. All in one transaction, so a failure leaves
 * the database empty.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { db, log, onFilled, steps = migrations } = options
  await checkServerVersion(db)
  await checkRights(db)
  return db.transaction(async (tx) => {
    const report = await fill(tx, steps, options)
    await tx.script('ANALYZE')
    await applyMigrations(tx, log, steps)
    await onFilled?.(tx, report.head)
    // They belong to the backed-up database, not to this one.
    await tx.script('DELETE FROM process')
    // Some may have ended since the backup.
    await tx.script('DELETE FROM console_session')
    return report
  })
}

async function fill(
  tx: Transaction,
  steps: readonly Migration[],
  { path, log, signal, onTable }: RestoreOptions,
): Promise<RestoreReport> {
  const frames = readBackupFile(path)
  try {
    const head = parse(backupHead, (await frames.next()).value, path)
    await openSchema(tx, head, steps, log)
    const known = new Set((await tx.fresh.rows<[string]>(tableNames)).map(([name]) => name))
    const report: RestoreReport = { head, tables: 0, skipped: [] }
    for (;;) {
      signal.throwIfAborted()
      const part = parse(backupPart, (await frames.next()).value, path)
      if ('sequences' in part) {
        if (part.tables !== report.tables + report.skipped.length || !(await frames.next()).done)
          throw new BackupFileError(`${path} is damaged: it contains fewer tables than it declares, or further data`)
        for (const [name, value] of Object.entries(part.sequences)) await setSequence(tx, name, value)
        return report
      }
      onTable?.(part.table)
      const rows = Readable.from(rowsOf(frames, path))
      if (known.has(part.table)) {
        const columns = part.columns.map((column) => pg.escapeIdentifier(column)).join(', ')
        // The backup also has the rows that migrations inserted into the table.
        await tx.script(`DELETE FROM ${pg.escapeIdentifier(part.table)}`)
        await tx.copy(`COPY ${pg.escapeIdentifier(part.table)} (${columns}) FROM STDIN`, rows)
        report.tables++
      } else {
        for await (const _ of rows) signal.throwIfAborted()
        report.skipped.push(part.table)
      }
    }
  } finally {
    await frames.return(undefined)
  }
}

const tableNames = `SELECT relname::text FROM pg_class WHERE relnamespace = ${ownSchema} AND relkind = 'r'`

async function openSchema(tx: Transaction, head: BackupHead, steps: readonly Migration[], log: Log): Promise<void> {
  const known = steps.filter(({ id }) => id <= head.migration)
  const done = known.map(({ id }, i) => ({ id, digest: head.digests?.[i] ?? null }))
  const ofHead = done.length > 0 ? done : [{ id: head.migration, digest: null }]
  rejectForeignSchema(`the backup by Mintmark ${head.version}`, ofHead, steps)
  const newest = steps.at(-1)?.id ?? 0
  if (head.migration > newest)
    throw new DatabaseTooNewError(
      `the backup was made at migration ${head.migration} by Mintmark ${head.version}, this program knows ${newest}: restore it with that program or a newer one`,
    )
  const [[exists] = [false]] = await tx.fresh.rows<[boolean]>(`SELECT to_regclass('migration') IS NOT NULL`)
  if (exists)
    throw new DatabaseNotEmptyError(
      'the database is not empty, and nothing is overwritten: restore into a new folder (--data) or a new database (--database-url)',
    )
  await applyMigrations(tx, log, known)
}

async function setSequence(tx: Transaction, name: string, value: string): Promise<void> {
  const sequence = pg.escapeIdentifier(name)
  await tx.fresh.rows('SELECT setval(to_regclass($1), $2) WHERE to_regclass($1) IS NOT NULL', [sequence, value])
}

async function* rowsOf(frames: AsyncGenerator<Buffer>, path: string): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await frames.next()
    if (done) throw new BackupFileError(`${path} is not a whole backup: it ends within a table`)
    if (value.length === 0) return
    yield value
  }
}

function parse<T>(schema: { parse(value: unknown): T }, frame: Buffer | undefined, path: string): T {
  try {
    return schema.parse(JSON.parse(String(frame)))
  } catch (cause) {
    throw new BackupFileError(`${path} is not a backup of Mintmark, or not a whole one`, { cause })
  }
}
