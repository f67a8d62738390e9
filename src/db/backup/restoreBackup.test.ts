// @module-tag system

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { stagedRows } from '../../../test/stagedRows.ts'
import { temporaryFolder } from '../../../test/temporaryFolder.ts'
import { noopLog } from '../../util/log.ts'
import { createKey, listKeys } from '../keys.ts'
import type { Migration } from '../migrations/index.ts'
import { migrations } from '../migrations/index.ts'
import { insertSession } from '../sessions.ts'
import { readBackupFile, writeBackupFile } from './backupFile.ts'
import { jsonFrame } from './backupFormat.ts'
import { restoreBackup } from './restoreBackup.ts'
import { writeBackup } from './writeBackup.ts'

const { signal } = new AbortController()
const newest = migrations.at(-1)!.id

async function database(migrated: boolean): Promise<TestDatabase> {
  const t = await createTestDatabase({ migrated })
  onTestFinished(() => t.drop())
  return t
}

async function backedUp(prepare: (t: TestDatabase) => Promise<unknown> = async () => {}): Promise<string> {
  const t = await database(true)
  await prepare(t)
  const path = join(await temporaryFolder(), 'backup')
  await writeBackup({ db: t.db, path, version: '0.0.0', signal })
  return path
}

const restore = ({ db }: TestDatabase, path: string) => restoreBackup({ db, path, log: noopLog, signal })

test('behavior: rows of any length and text are restored, and identity columns continue counting', async () => {
  const name = `${'long '.repeat(60_000)}\\N\t\\.\n\r ünïcode \u{1f600}`
  const path = await backedUp(async ({ db }) => {
    await createKey(db, { name, access: 'admin' })
    await createKey(db, { name: '\\.', access: 'read', requestsPerSecond: 0.1 })
    await db.run('DELETE FROM api_key WHERE id = 2')
  })
  const t = await database(false)
  expect(await restore(t, path)).toMatchObject({ head: { migration: newest, version: '0.0.0' }, skipped: [] })
  await createKey(t.db, { name: 'third', access: 'read' })
  expect((await listKeys(t.db)).map((key) => [key.id, key.name])).toEqual([
    [1n, name],
    [3n, 'third'],
  ])
})

test('behavior: a restored database contains no processes of the saved one', async () => {
  const path = await backedUp(async ({ db }) => {
    await db.run(
      `INSERT INTO process (id, role, version, host, pid, started_at) VALUES (gen_random_uuid(), 'all', '1', 'here', 1, now())`,
    )
  })
  const t = await database(false)
  await restore(t, path)
  expect(await t.db.rows('SELECT 1 FROM process')).toEqual([])
})

test('behavior: a restored database contains no console sessions, so that ended sessions do not reappear', async () => {
  const path = await backedUp(({ db }) => insertSession(db, { hash: Buffer.alloc(32), keyId: 0n }))
  const t = await database(false)
  await restore(t, path)
  expect(await t.db.rows('SELECT 1 FROM console_session')).toEqual([])
})

test('behavior: restoring a backup of an older schema migrates it, and tables of other programs are skipped', async () => {
  const next: Migration = {
    id: newest + 1,
    name: 'next',
    sql: ['ALTER TABLE api_key ADD COLUMN word text', `UPDATE api_key SET word = 'of ' || name`],
  }
  const path = await backedUp(async ({ db }) => {
    await createKey(db, { name: 'old', access: 'read' })
    await db.run('CREATE TABLE strangers (n integer)')
  })
  const { db } = await database(false)
  const report = await restoreBackup({ db, path, log: noopLog, signal, steps: [...migrations, next] })
  expect(report).toMatchObject({ head: { migration: newest }, skipped: ['strangers'] })
  expect(await db.rows('SELECT max(id) FROM migration')).toEqual([[next.id]])
  expect(await db.rows('SELECT name, word FROM api_key')).toEqual([['old', 'of old']])
})

test('behavior: a backup skips staging tables, and a restore creates them empty', async () => {
  const path = await backedUp(({ db }) => db.run('INSERT INTO stage_gone (partition, collection_id) VALUES (1, 2)'))
  const { db } = await database(false)
  await restoreBackup({ db, path, log: noopLog, signal })
  expect(await stagedRows(db)).toEqual([])
})

test('error: restore overwrites no database, and backup overwrites no file', async () => {
  const path = await backedUp()
  const t = await database(true)
  await expect(restore(t, path)).rejects.toMatchObject({ code: 'DATABASE_NOT_EMPTY' })
  const { db } = t
  await expect(writeBackup({ db, path, version: '', signal })).rejects.toMatchObject({ code: 'BACKUP_EXISTS' })
})

test('error: rejects the backup of an empty database', async () => {
  const { db } = await database(false)
  const path = join(await temporaryFolder(), 'backup')
  await expect(writeBackup({ db, path, version: '', signal })).rejects.toMatchObject({ code: 'NOTHING_TO_BACK_UP' })
})

test('error: a truncated, corrupt, foreign, too new or too old backup leaves the database empty', async () => {
  const path = await backedUp(({ db }) => createKey(db, { name: 'x'.repeat(100_000), access: 'read' }))
  const whole = await readFile(path)
  const frames: Buffer[] = []
  for await (const frame of readBackupFile(path)) frames.push(frame)
  const folder = await temporaryFolder()
  const t = await database(false)
  const damaged = Buffer.from(whole)
  damaged[whole.length >> 1]! ^= 0x55
  const bytes = {
    cut: whole.subarray(0, whole.length - 20),
    damaged,
    foreign: Buffer.from('-- PostgreSQL dump'),
    empty: Buffer.alloc(0),
  }
  for (const [name, content] of Object.entries(bytes)) {
    await writeFile(join(folder, name), content)
    await expect(restore(t, join(folder, name)), name).rejects.toMatchObject({ code: 'BACKUP_FILE' })
  }
  const listed = {
    'without an end': frames.slice(0, -1),
    'cut within a table': frames.slice(0, 2),
    'more than it says': [...frames, frames.at(-1)!],
    'tables omitted': [frames[0]!, frames.at(-1)!],
  }
  for (const [name, some] of Object.entries(listed)) {
    await writeBackupFile(join(folder, name), from(some))
    await expect(restore(t, join(folder, name)), name).rejects.toMatchObject({ code: 'BACKUP_FILE' })
  }
  const head = { ...JSON.parse(String(frames[0])), migration: newest + 1 }
  await writeBackupFile(join(folder, 'new'), from([jsonFrame(head), ...frames.slice(1)]))
  await expect(restore(t, join(folder, 'new'))).rejects.toMatchObject({ code: 'DATABASE_TOO_NEW' })
  await writeBackupFile(join(folder, 'old'), from([jsonFrame({ ...head, migration: 37 }), ...frames.slice(1)]))
  const tooOld = {
    code: 'DATABASE_TOO_OLD',
    message: expect.stringContaining('the backup by Mintmark 0.0.0 is of migration 37'),
  }
  await expect(restore(t, join(folder, 'old'))).rejects.toMatchObject(tooOld)
  for (const [name, digests] of Object.entries({ other: ['other'], none: undefined })) {
    await writeBackupFile(
      join(folder, name),
      from([jsonFrame({ ...head, migration: newest, digests }), ...frames.slice(1)]),
    )
    await expect(restore(t, join(folder, name)), name).rejects.toMatchObject({ code: 'SCHEMA_DIFFERS' })
  }
  expect(await t.db.rows(`SELECT to_regclass('migration')::text`)).toEqual([[null]])
})

async function* from(frames: Buffer[]): AsyncGenerator<Buffer> {
  yield* frames
}
