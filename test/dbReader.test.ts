import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { viewDocs } from '../scripts/viewDocs.ts'
import { createKey } from '../src/db/keys.ts'
import { promisedViews } from '../src/db/views/promisedViews.ts'
import { enqueueWebhooks } from '../src/stream/ledger/enqueueWebhooks.ts'
import type { Address } from '../src/util/hex.ts'
import { runCommand } from './commandLine.ts'
import { createTestDatabase, databaseUrl, type TestDatabase } from './database.ts'
import { onCluster } from './onCluster.ts'
import { seedCoins, seededAsset, seededCoin } from './seedCoins.ts'
import { seedCollection } from './seedCollection.ts'
import { insertStreams, testWebhook } from './stream/streams.ts'

const address: Address = `0x${'ab'.repeat(20)}`
let database: TestDatabase
let url: string[]
let reader: string

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  url = ['--database-url', database.url]
  reader = `reader_${database.connection.database}`
  const key = await seedCollection(db, { address, tokens: [1n, 2n ** 255n], columns: { name: 'Lost Apes' } })
  await db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, tried_at)
     SELECT partition, collection_id, token_hash, 'ok', 1, '"token_uri":"ipfs://a","metadata":"{\\"a\\":1}","last_token_uri_sync":null,"last_metadata_sync":null', now()
     FROM token WHERE partition = $1 AND collection_id = $2 AND token_id = 1`,
    [key.partition, key.id],
  )
  await db.run(
    `INSERT INTO trait_count (partition, collection_id, trait, tokens, trait_type, value) VALUES ($1, $2, gen_random_uuid(), 3, 'Hat', '"Red"'), ($1, $2, gen_random_uuid(), 1, NULL, '7')`,
    [key.partition, key.id],
  )
  await createKey(db, { name: 'shop', access: 'read' })
  await insertStreams(db, ['https://user:pass@hooks.example/T0/B0?code=1'])
})
afterAll(() => database.drop())

async function asReader<T>(password: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...database.connection, user: reader, password })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: { code: string }) => error.code,
  )

test.skipIf(onCluster)(
  'default: a reader role can read every view, and no table, key, secret or other role',
  async () => {
    const made = await runCommand(['db', 'reader', 'create', reader, '--timeout', '1', '--json', ...url])
    expect(made).toMatchObject({ code: 0, err: '' })
    const { password } = JSON.parse(made.out) as { password: string }
    try {
      await asReader(password, async (client) => {
        for (const { name, columns } of promisedViews) {
          const { fields } = await client.query(`SELECT * FROM mintmark.${name}`)
          expect(fields.map((field) => field.name)).toEqual(columns.map(([column]) => column))
        }
        const { rows } = await client.query(
          'SELECT token_id, contract, token_uri, metadata FROM nfts ORDER BY token_id',
        )
        expect(rows).toEqual([
          { token_id: '1', contract: address, token_uri: 'ipfs://a', metadata: '{"a":1}' },
          { token_id: String(2n ** 255n), contract: address, token_uri: null, metadata: null },
        ])
        expect((await client.query(`SELECT trait_type, value FROM traits ORDER BY tokens`)).rows).toEqual([
          { trait_type: null, value: '7' },
          { trait_type: 'Hat', value: 'Red' },
        ])
        const { rows: tables } = await client.query<{ name: string }>(
          `SELECT c.oid::regclass::text AS name FROM pg_class c WHERE c.relkind IN ('r', 'v') AND c.relnamespace = 'public'::regnamespace`,
        )
        expect(tables.length).toBeGreaterThan(40)
        for (const { name } of tables)
          expect(await rejection(client.query(`SELECT * FROM ${name} LIMIT 1`)), name).toBe('42501')
        const changes = [
          'CREATE TABLE mintmark.mine (n int)',
          'CREATE TABLE public.mine (n int)',
          "UPDATE mintmark.collections SET name = 'mine'",
          'CREATE ROLE mine',
          'SET ROLE postgres',
          "SELECT pg_read_file('PG_VERSION')",
        ]
        await client.query('SET default_transaction_read_only = off')
        for (const text of changes)
          expect(await rejection(client.query(text)), text).toMatch(/^42501|42809|0A000|55000|22023$/)
        expect(await rejection(client.query('SELECT pg_sleep(5)'))).toBe('57014')
      })
      expect(JSON.parse((await runCommand(['db', 'reader', 'list', '--json', ...url])).out)).toContainEqual({
        name: reader,
        statementTimeout: '1000',
      })
      const again = await runCommand(['db', 'reader', 'create', reader, ...url])
      expect(again).toMatchObject({
        code: 1,
        err: `mintmark: the role ${reader} already exists: choose another name\n`,
      })
    } finally {
      expect(await runCommand(['db', 'reader', 'remove', reader, ...url])).toMatchObject({ code: 0 })
    }
  },
)

test.skipIf(onCluster)('behavior: a user with only the documented rights can create and remove readers', async () => {
  const own = await createTestDatabase({ migrated: false })
  const { database: name } = own.connection
  const owner = `owner_${name}`
  await database.db.run(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD 'secret'`)
  try {
    await database.db.run(`ALTER DATABASE ${name} OWNER TO ${owner}`)
    await own.db.run(`GRANT CREATE ON SCHEMA public TO ${owner}`)
    const as = ['--database-url', databaseUrl({ ...own.connection, user: owner, password: 'secret' })]
    expect(await runCommand(['migrate', ...as])).toMatchObject({ code: 0, err: '' })
    for (const verb of ['create', 'remove'])
      expect(await runCommand(['db', 'reader', verb, `reader_${name}`, ...as])).toMatchObject({ code: 0 })
    expect(await database.db.rows('SELECT 1 FROM pg_roles WHERE rolname = $1', [`reader_${name}`])).toEqual([])
  } finally {
    await own.drop()
    await database.db.run(`DROP ROLE ${owner}`)
  }
})

test('behavior: db query resolves the views by name', async () => {
  const { out } = await runCommand(['db', 'query', 'SELECT name, tokens, to_block FROM collections', '--json', ...url])
  expect(JSON.parse(out).rows).toEqual([['Lost Apes', '2', '1000']])
  for (const { name } of promisedViews)
    expect(await runCommand(['db', 'query', `SELECT * FROM ${name}`, ...url]), name).toMatchObject({ code: 0 })
})

test.skipIf(onCluster)('behavior: the coins view shows the fields of coin records', async () => {
  const own = await createTestDatabase()
  try {
    const hostile = [
      seededCoin(3, { name: 'a\0b', symbol: '\\u0000' }),
      seededCoin(4, { name: '\ud800', symbol: '\\\0\0"' }),
    ]
    // The last coin's version is above `to`, so no page shows it: earlier versions are not read yet.
    const coins = [seededCoin(1), seededAsset(2), ...hostile, seededCoin(20)]
    await seedCoins(own.db, { network: 'mainnet', coins, from: 0n, to: 10n })
    const sql = 'SELECT network, name, symbol, decimals, token_standard, version FROM coins ORDER BY version'
    const { out } = await runCommand(['db', 'query', sql, '--json', '--database-url', own.url])
    expect(JSON.parse(out).rows).toEqual([
      ['mainnet', 'Coin 1', 'C1', 8, 'v1', '1'],
      ['mainnet', 'Asset 2', 'A2', 8, 'v2', '2'],
      ['mainnet', 'a\ufffdb', '\\u0000', 8, 'v1', '3'],
      ['mainnet', '\ufffd', '\\\ufffd\ufffd"', 8, 'v1', '4'],
    ])
  } finally {
    await own.drop()
  }
})

test('behavior: the deliveries view lists webhooks of a deleted stream without its tag', async () => {
  const { db } = database
  const [stream, deleted] = await insertStreams(db, ['https://hooks.example/a', 'https://hooks.example/b'])
  await db.transaction((tx) =>
    enqueueWebhooks(tx, [testWebhook(stream!, { number: 1 }), testWebhook(deleted!, { number: 2 })]),
  )
  await db.run('DELETE FROM stream WHERE partition = $1 AND id = $2', [deleted!.partition, deleted!.id])
  const sql = 'SELECT stream_id, tag, block_number FROM deliveries ORDER BY block_number'
  const { out } = await runCommand(['db', 'query', sql, '--json', ...url])
  expect(JSON.parse(out).rows).toEqual([
    [stream!.id, stream!.tag, '1'],
    [deleted!.id, null, '2'],
  ])
})

test.runIf(onCluster)('error: db reader create is rejected on a Citus cluster in one line', async () => {
  expect(await runCommand(['db', 'reader', 'create', reader, ...url])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^mintmark: this database is a Citus cluster, [^\n]+\n$/),
  })
})

test('error: db reader rejects an invalid role name, and a role that is not a reader', async () => {
  expect(await runCommand(['db', 'reader', 'create', 'Pg"x', ...url])).toMatchObject({ code: 2 })
  expect(await runCommand(['db', 'reader', 'remove', 'postgres', ...url])).toMatchObject({ code: 1 })
})

test('behavior: docs/views.md lists the columns of every view', () => {
  const page = readFileSync(new URL('../docs/views.md', import.meta.url), 'utf8')
  expect(page).toBe(viewDocs(page))
})
