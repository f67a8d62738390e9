import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { noopLog } from '../../util/log.ts'
import { createDatabase, type Database } from '../database.ts'
import type { Migration } from './index.ts'
import { migrationDigest, migrations } from './index.ts'
import {
  DatabaseNotEmptyError,
  DatabaseTooNewError,
  DatabaseTooOldError,
  migrate,
  SchemaDiffersError,
} from './migrate.ts'

async function empty(): Promise<TestDatabase> {
  const t = await createTestDatabase({ migrated: false })
  onTestFinished(() => t.drop())
  return t
}

const one: Migration = { id: 1, name: 'one', sql: ['CREATE TABLE a (n integer)', 'INSERT INTO a VALUES (1)'] }
const two: Migration = { id: 2, name: 'two', sql: ['UPDATE a SET n = n + 1'] }

test('default', async () => {
  const { db } = await empty()
  expect(await migrate(db, noopLog)).toEqual(migrations.map((m) => m.id))
  expect(await migrate(db, noopLog)).toEqual([])
  expect(await db.rows('SELECT id, name FROM migration ORDER BY id')).toEqual(migrations.map((m) => [m.id, m.name]))
})

test('behavior: migration ids count up without a gap, starting with the schema', () => {
  expect(migrations.map((m) => m.id)).toEqual(migrations.map((_, index) => index + 100))
})

test('behavior: applies only pending migrations', async () => {
  const { db } = await empty()
  expect(await migrate(db, noopLog, [one])).toEqual([1])
  expect(await migrate(db, noopLog, [one, two])).toEqual([2])
  expect(await db.rows('SELECT n FROM a')).toEqual([[2]])
})

test('behavior: programs that start concurrently apply each migration once', async () => {
  const { connection } = await empty()
  const programs: Database[] = Array.from({ length: 6 }, () =>
    createDatabase({ connection, poolSize: 1, log: noopLog }),
  )
  const applied = await Promise.all(programs.map((db) => migrate(db, noopLog, [one, two])))
  expect(applied.filter((ids) => ids.length > 0)).toEqual([[1, 2]])
  expect(await programs[0]!.rows('SELECT n FROM a')).toEqual([[2]])
  await Promise.all(programs.map((db) => db.close()))
})

test('error: an old program rejects a newer database and changes nothing', async () => {
  const { db } = await empty()
  await migrate(db, noopLog, [one, two])
  await expect(migrate(db, noopLog, [one])).rejects.toThrow(DatabaseTooNewError)
  await expect(migrate(db, noopLog, [])).rejects.toThrow(DatabaseTooNewError)
  expect(await db.rows('SELECT id FROM migration ORDER BY id')).toEqual([[1], [2]])
})

test('error: rejects a database older than the first migration, without changing it', async () => {
  const { db } = await empty()
  await migrate(db, noopLog, [one, two])
  const rejected = migrate(db, noopLog)
  await expect(rejected).rejects.toThrow(DatabaseTooOldError)
  await expect(rejected).rejects.toThrow(/the database is of migration 2, .* a new folder \(--data\)/)
  expect(await db.rows('SELECT id FROM migration ORDER BY id')).toEqual([[1], [2]])
  expect(await db.rows(`SELECT to_regclass('collection')::text`)).toEqual([[null]])
})

test.each([
  ['by another build of this version', `UPDATE migration SET digest = 'other' WHERE id = 1`],
  ['by a build that kept no digests', 'ALTER TABLE migration DROP COLUMN digest'],
])('error: rejects in one line a database that was made %s, without changing it', async (_, sql) => {
  const { db } = await empty()
  await migrate(db, noopLog, [one])
  await db.run(sql)
  const rejected = migrate(db, noopLog, [one, two])
  await expect(rejected).rejects.toThrow(SchemaDiffersError)
  await expect(rejected).rejects.toThrow(/^the database was made by .* migration 1 .* a new folder \(--data\).*$/)
  expect(await db.rows('SELECT id FROM migration')).toEqual([[1]])
  expect(await db.rows('SELECT n FROM a')).toEqual([[1]])
})

test('behavior: comments and white space of a migration may change', async () => {
  const { db } = await empty()
  await migrate(db, noopLog, [one])
  const commented = { ...one, sql: ['-- What it is for.\nCREATE  TABLE a (n integer) -- of all', one.sql[1]!] }
  expect(await migrate(db, noopLog, [commented])).toEqual([])
  const changed = { ...one, sql: ['CREATE TABLE a (n bigint)', one.sql[1]!] }
  await expect(migrate(db, noopLog, [changed])).rejects.toThrow(SchemaDiffersError)
})

/**
 * Migrations only go forward: a database with a released one never gets later changes of it. Add a migration instead. Until the first release, `npm
 * test -- src/db/migrations -u` stores the current digest of migration 100.
 */
test('behavior: the digest of each migration matches the recorded one', () => {
  const digests = Object.fromEntries(migrations.map((migration) => [migration.id, migrationDigest(migration)]))
  expect(digests).toMatchInlineSnapshot(`
    {
      "100": "cc966e6c3e25b30525b5822596155ac2608f48409822eaf2dae07ff7ff97f3ae",
    }
  `)
})

test.each([
  ['one of the names of tables is taken', 'CREATE TABLE token (n integer)', /relation "token" already exists/],
  ['a table migration has no ids', 'CREATE TABLE migration (version text)', /its table migration has no column id/],
  ['ids of a table migration are texts', 'CREATE TABLE migration (id text)', /its table migration has no column id/],
])('error: rejects a database of another program without changing it: %s', async (_, sql, message) => {
  const { db } = await empty()
  await db.run(sql)
  const tables = () => db.rows(`SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace`)
  const before = await tables()
  const rejected = migrate(db, noopLog)
  await expect(rejected).rejects.toThrow(DatabaseNotEmptyError)
  await expect(rejected).rejects.toThrow(message)
  expect(await tables()).toEqual(before)
})

test('behavior: tables of other programs coexist with those of Mintmark', async () => {
  const { db } = await empty()
  await db.run('CREATE TABLE migrations (id integer)')
  expect(await migrate(db, noopLog)).toEqual(migrations.map((m) => m.id))
})

test('error: a failing migration rolls back all pending ones', async () => {
  const { db } = await empty()
  const broken: Migration = { id: 2, name: 'broken', sql: ['CREATE TABLE b (n integer)', 'SELECT 1 / 0'] }
  await expect(migrate(db, noopLog, [one, broken])).rejects.toMatchObject({ code: '22012' })
  expect(await db.rows(`SELECT to_regclass('a')::text, to_regclass('b')::text`)).toEqual([[null, null]])
  expect(await migrate(db, noopLog, [one, two])).toEqual([1, 2])
})
