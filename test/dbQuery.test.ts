// @module-tag system

import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createKey } from '../src/db/keys.ts'
import { secretColumns } from '../src/db/query/secretColumns.ts'
import type { Address } from '../src/util/hex.ts'
import { runCommand } from './commandLine.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { seedCollection } from './seedCollection.ts'
import { insertStreams } from './stream/streams.ts'

const address: Address = `0x${'ab'.repeat(20)}`
let database: TestDatabase
let url: string[]

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  url = ['--database-url', database.url]
  await seedCollection(db, { address, tokens: [1n, 2n, 3n], columns: { name: 'Lost Apes' } })
  await createKey(db, { name: 'shop', access: 'read' })
  await insertStreams(db, ['https://user:pass@hooks.example/T0/B0?code=1'])
  await db.run(`UPDATE stream SET headers = '{"authorization": "Bearer hidden"}'`)
  await db.run(`INSERT INTO setting (name, value) VALUES ('cursor secret', 'hidden')`)
})
afterAll(() => database.drop())

const query = (sql: string, ...options: string[]) => runCommand(['db', 'query', sql, ...options, ...url])
const answer = async (sql: string, ...options: string[]) => JSON.parse((await query(sql, '--json', ...options)).out)

test('default: db query prints rows as a table, with bytes as 0x hex', async () => {
  const { code, out, err } = await query('SELECT address, name, reason FROM collection')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out.split('\n')[1]).toMatch(new RegExp(`^${address} +Lost Apes +-$`))
})

test('behavior: db query --json returns bigint and numeric values as strings, other values unchanged', async () => {
  expect(
    await answer(
      `SELECT count(*), 1::int4 AS n, true AS b, '{"a": 1}'::jsonb AS j, NULL AS none, 2.50::numeric AS d FROM token`,
    ),
  ).toEqual({
    columns: ['count', 'n', 'b', 'j', 'none', 'd'],
    rows: [['3', 1, true, { a: 1 }, null, '2.50']],
    more: false,
  })
})

test('behavior: db query returns at most --limit rows, and reports that there are more', async () => {
  expect(await answer('SELECT n FROM generate_series(1, 5) AS n', '--limit', '2')).toMatchObject({
    rows: [[1], [2]],
    more: true,
  })
  expect((await query('SELECT 1 WHERE false')).out).toBe('no rows\n')
  expect((await query('SELECT n FROM generate_series(1, 5) AS n', '--limit', '2')).err).toContain('raise --limit')
})

const hostile = [
  ['a statement that writes', 'DELETE FROM collection'],
  ['a query that writes', 'WITH gone AS (DELETE FROM collection RETURNING id) SELECT * FROM gone'],
  ['a second statement', 'SELECT 1; DELETE FROM public.collection'],
  ['a second statement behind what closes the first', 'SELECT 1); DELETE FROM public.collection; SELECT (1'],
  ['the end of the transaction', 'COMMIT'],
  ['a query that takes locks', 'SELECT * FROM collection FOR UPDATE'],
  ['a function that writes', "SELECT setval('api_key_id_seq', 99)"],
  ['a command of the system', "COPY (SELECT 1) TO PROGRAM 'true'"],
  ['an empty text', ''],
]

const reaching = [
  ['a function that reads files', "SELECT pg_read_file('PG_VERSION')"],
  ['a function that ends sessions', 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity'],
  ['a function that holds a lock', 'SELECT pg_advisory_lock(1)'],
  ['a table by its schema', 'SELECT * FROM public.stream'],
  ['a table by its schema, within', 'SELECT (SELECT max(name) FROM U&"\\0070ublic".api_key) FROM stream AS "public"'],
  ['samples of columns', "SELECT most_common_vals FROM pg_stats WHERE tablename = 'stream'"],
  ['passwords of the database', 'SELECT rolpassword FROM pg_authid'],
  ['a table by a text', "SELECT query_to_xml('SELECT * FROM public.stream', true, false, '')"],
  [
    'another role',
    "SELECT set_config('role', 'none', true), query_to_xml('SELECT * FROM public.stream', true, false, '')",
  ],
  ['a way out of the transaction', "SELECT set_config('transaction_read_only', 'off', false)"],
]

test.each(hostile)('error: db query rejects %s in one line', async (_, sql) => {
  const { code, out, err } = await query(sql)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/^mintmark: the database refuses the query: [^\n]+\n$/)
  expect(await database.db.rows('SELECT count(*) FROM collection')).toEqual([[1n]])
})

test.each(reaching)('error: db query rejects %s and names an alternative', async (_, sql) => {
  expect(await query(sql)).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(
      /^mintmark: the query (?:reads public\.\w+, where no secret is masked: name the table without its schema|uses [\w.]+(?:\(\))?, by which it could read secrets or disturb servers: remove it)\n$/,
    ),
  })
})

test('error: db query rejects functions of extensions', async () => {
  await database.db.run('CREATE EXTENSION fuzzystrmatch')
  expect((await query("SELECT soundex('Apes')")).err).toContain('the query uses soundex()')
})

test('behavior: db query masks secrets and shows the rest of the row', async () => {
  expect(await answer('SELECT webhook_secret, headers, webhook_url, tag FROM stream')).toMatchObject({
    rows: [['***', { authorization: '***' }, 'https://hooks.example/***', expect.any(String)]],
  })
  expect(await answer('SELECT hash, name FROM api_key')).toMatchObject({ rows: [['***', 'shop']] })
  expect(await answer('SELECT DISTINCT value FROM setting')).toMatchObject({ rows: [['***']] })
})

test('behavior: db query masks every column with the name of a secret', async () => {
  const named = await database.db.rows<[string, string]>(
    `SELECT table_name::text, column_name::text FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name ~ 'secret|password|header|^value$|^webhook_url$' ORDER BY 1, 2`,
  )
  // Trait values are public: every page shows them.
  const open = new Set(['trait_count.value'])
  const unmasked = named.filter(([table, column]) => !secretColumns[table]?.[column] && !open.has(`${table}.${column}`))
  expect(unmasked).toEqual([])
  for (const [table, columns] of Object.entries(secretColumns))
    expect(await answer(`SELECT ${Object.keys(columns).join(', ')} FROM ${table}`)).toHaveProperty('columns')
})

test('behavior: db query leaves no role behind', async () => {
  await query('SELECT 1')
  expect(await database.db.rows(`SELECT rolname FROM pg_roles WHERE rolname LIKE 'mintmark_query%'`)).toEqual([])
})

test('behavior: a database user without CREATEROLE reads the same masked tables, and cannot write', async () => {
  const role = `reader_${database.connection.database}`
  const { db } = database
  await db.run(`CREATE ROLE ${role} LOGIN`)
  onTestFinished(async () => {
    const admin = new pg.Client(database.connection)
    await admin.connect()
    await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`).finally(() => admin.end())
  })
  await db.run(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`)
  const as = ['--database-url', `${database.url}&user=${role}`]
  const run = (sql: string) => runCommand(['db', 'query', sql, '--json', ...as])
  expect(JSON.parse((await run('SELECT webhook_secret, current_user::text FROM stream')).out).rows).toEqual([
    ['***', role],
  ])
  for (const [, sql] of [...hostile, ...reaching]) expect(await run(sql!), sql).toMatchObject({ code: 1, out: '' })
  expect(await db.rows('SELECT count(*) FROM collection')).toEqual([[1n]])
})

test('error: db query rejects slow queries, invalid SQL and an invalid --timeout', async () => {
  expect((await query('SELECT pg_sleep(60)', '--timeout', '1')).err).toContain('took longer than 1 s')
  expect((await query('SELECT nonsense FROM collection')).err).toBe(
    'mintmark: the database refuses the query: column "nonsense" does not exist\n',
  )
  for (const sql of ['DELETE FROM stream', 'SELECT 1; SELECT 2', '', 'EXPLAIN SELECT 1'])
    expect((await query(sql)).err, sql).toMatch(
      /: syntax error [^\n]+; allowed: one SELECT \(or WITH, VALUES, TABLE\), /,
    )
  expect(await runCommand(['db', 'query', 'SELECT 1', '--timeout', '0'])).toMatchObject({ code: 2 })
})

test('behavior: aborting db query also cancels the query in the database', async () => {
  const controller = new AbortController()
  const running = runCommand(['db', 'query', 'SELECT pg_sleep(60)', ...url], controller.signal)
  const sleeping = () =>
    database.db.rows(
      `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'FETCH%' AND state = 'active' AND datname = current_database()`,
    )
  await expect.poll(sleeping).toHaveLength(1)
  controller.abort()
  expect((await running).code).toBe(1)
  await expect.poll(sleeping).toEqual([])
})

test('error: a connection that ends during a command is reported in one line', async () => {
  const pending = query('SELECT pg_sleep(60)')
  const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'FETCH%' AND state = 'active' AND datname = current_database()`
  await expect.poll(() => database.db.rows(end)).toHaveLength(1)
  const { code, out, err } = await pending
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(
    /^mintmark: the connection to the database ended during the command \(.+\): run it again [^\n]+\n$/,
  )
})
