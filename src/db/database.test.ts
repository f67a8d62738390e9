import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { lockWaits } from '../../test/lockWaits.ts'
import { onServer } from '../../test/onServer.ts'
import { startSocketProxy } from '../../test/operations/socketProxy.ts'
import { patience } from '../../test/patience.ts'
import { storageFault } from '../util/faults/storageFault.ts'
import { createLog, noopLog } from '../util/log.ts'
import { createDatabase } from './database.ts'
import { DatabaseUnavailableError, isConnectionError, sqlState } from './databaseError.ts'

let t: TestDatabase
beforeAll(async () => {
  t = await createTestDatabase({ migrated: false })
})
afterAll(() => t.drop())

/** Terminates the connections of the test's database whose last statement begins with `statement`. */
async function cut(statement: string): Promise<number> {
  return t.db.run(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE $1`,
    [`${statement}%`],
  )
}

test('default', async () => {
  expect(await t.db.rows('SELECT 1 AS a, $1::text AS a', ['two'])).toEqual([[1, 'two']])
})

test('behavior: int8 maps to bigint, numeric to text and bytea to bytes, both ways and at their bounds', async () => {
  const values = [2n ** 63n - 1n, -(2n ** 63n), (2n ** 256n - 1n).toString(), Buffer.from('00ff', 'hex'), null]
  const [row] = await t.db.rows('SELECT $1::int8, $2::int8, $3::numeric(78, 0), $4::bytea, $5::int8', values)
  expect(row).toEqual(values)
  const [counted] = await t.db.rows('SELECT count(*) FROM generate_series(1, 3)')
  expect(counted).toEqual([3n])
})

test('behavior: run returns the number of changed rows', async () => {
  await t.db.run('CREATE TABLE changed (id integer)')
  expect(await t.db.run('INSERT INTO changed SELECT generate_series(1, $1::integer)', [5])).toBe(5)
  expect(await t.db.run('DELETE FROM changed WHERE id > $1', [3])).toBe(2)
})

test('behavior: a transaction that throws is rolled back and frees its connection', async () => {
  await t.db.run('CREATE TABLE undone (id integer PRIMARY KEY)')
  const one = createDatabase({ connection: t.connection, poolSize: 1, log: noopLog })
  for (const fault of ['SELECT 1 / 0', 'INSERT INTO undone VALUES (1)']) {
    await expect(
      one.transaction(async (tx) => {
        await tx.run('INSERT INTO undone VALUES (1)')
        await tx.run(fault)
      }),
    ).rejects.toThrow()
  }
  expect(await one.rows('SELECT * FROM undone')).toEqual([])
  await one.close()
})

test('behavior: an outage is reported for a statement and for a transaction', async () => {
  const reported: unknown[] = []
  const db = createDatabase({
    connection: { host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' },
    ...{ poolSize: 1, log: noopLog, onError: (error: unknown) => reported.push(error) },
  })
  await expect(db.rows('SELECT 1')).rejects.toThrow()
  await expect(db.transaction(async () => undefined)).rejects.toBeInstanceOf(DatabaseUnavailableError)
  expect(reported.map(isConnectionError)).toEqual([true, true])
  await db.close()
})

test('behavior: deadlocked transactions are retried until each succeeds', async () => {
  await t.db.run('CREATE TABLE account (id integer PRIMARY KEY, amount integer NOT NULL)')
  await t.db.run('INSERT INTO account VALUES (1, 0), (2, 0)')
  let attempts = 0
  let holding = 0
  const both = Promise.withResolvers<void>()
  const oneDone = Promise.withResolvers<void>()
  const move = async (first: number, second: number) => {
    await t.db.transaction(async (tx) => {
      attempts++
      // The second attempt waits for the other transaction, or both could conflict again.
      if (attempts > 2) await oneDone.promise
      await tx.run('UPDATE account SET amount = amount + 1 WHERE id = $1', [first])
      if (++holding === 2) both.resolve()
      await both.promise
      await tx.run('UPDATE account SET amount = amount + 1 WHERE id = $1', [second])
    })
    oneDone.resolve()
  }
  await Promise.all([move(1, 2), move(2, 1)])
  expect(attempts).toBe(3)
  expect(await t.db.rows('SELECT id, amount FROM account ORDER BY id')).toEqual([
    [1, 2],
    [2, 2],
  ])
})

test('behavior: a deadlocked statement outside of a transaction is sent again', async () => {
  await t.db.run('CREATE TABLE item (id integer PRIMARY KEY)')
  await t.db.run('INSERT INTO item VALUES (1), (2), (3)')
  const lock = (id: number) => `SELECT FROM item WHERE id = ${id} FOR UPDATE`
  const [first, second] = await Promise.all([t.db.connect(), t.db.connect()])
  // Only the statement looks for deadlocks. It looks once in each wait, and its last wait closes the circle.
  await first.query(`SET deadlock_timeout = '1h'; BEGIN; ${lock(3)}`)
  await second.query(`BEGIN; ${lock(2)}`)
  const deleted = t.db.run(
    'WITH held AS MATERIALIZED (SELECT id FROM item ORDER BY id FOR UPDATE) DELETE FROM item i USING held h WHERE i.id = h.id',
  )
  await expect.poll(() => lockWaits(t.db)).toBe(1)
  const locked = first.query(lock(1))
  await expect.poll(() => lockWaits(t.db)).toBe(2)
  await second.end()
  const [rows] = await Promise.all([deleted, locked.then(() => first.end())])
  expect(rows).toBe(3)
})

test('behavior: transactions with serialization failures are tried three times, and with other errors once', async () => {
  for (const [state, attempts] of [
    ['40001', 3],
    ['23505', 1],
  ] as const) {
    let tries = 0
    const failing = t.db.transaction(async (tx) => {
      tries++
      await tx.script(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$`)
    })
    const error = await failing.catch((e: unknown) => e)
    expect(sqlState(error)).toBe(state)
    expect(tries).toBe(attempts)
  }
})

test('error: a commit that a cluster node missed is reported as a connection error, although it is applied', async () => {
  // A cluster's coordinator sends warnings. Here a deferred trigger sends one at the same moment.
  await t.db.transaction((tx) =>
    tx.script(`CREATE TABLE warned (id integer);
      CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'node 2 is unreachable'; RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER warning AFTER INSERT ON warned DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION warn()`),
  )
  const error = await t.db.transaction((tx) => tx.run('INSERT INTO warned VALUES (1)')).catch((e: unknown) => e)
  expect(isConnectionError(error)).toBe(true)
  expect((error as Error).message).toBe('a node of the database was lost at a commit: node 2 is unreachable')
  expect(await t.db.rows('SELECT * FROM warned')).toEqual([[1]])
})

test('behavior: copy stores all rows of its source within the transaction', async () => {
  await t.db.run('CREATE TABLE copied (id bigint, note text)')
  await t.db.transaction(async (tx) => {
    const lines = Array.from({ length: 10_000 }, (_, i) => `${i}\t${i % 3 === 0 ? '\\N' : `tab\\t${i}`}\n`)
    await tx.copy('COPY copied FROM STDIN', Readable.from(lines))
  })
  expect(await t.db.rows('SELECT count(*), count(note), min(note) FROM copied')).toEqual([[10_000n, 6_666n, 'tab\t1']])
})

test('error: a copy whose source fails midway stores nothing, and the connection stays usable', async () => {
  await t.db.run('CREATE TABLE half (id bigint)')
  const one = createDatabase({ connection: t.connection, poolSize: 1, log: noopLog })
  async function* lines() {
    yield '1\n'
    throw new Error('the source broke')
  }
  await expect(one.transaction((tx) => tx.copy('COPY half FROM STDIN', Readable.from(lines())))).rejects.toThrow(
    'the source broke',
  )
  await expect(
    one.transaction((tx) => tx.copy('COPY half FROM STDIN', Readable.from(['no number\n']))),
  ).rejects.toMatchObject({ code: '22P02' })
  expect(await one.rows('SELECT count(*) FROM half')).toEqual([[0n]])
  await one.close()
})

test('behavior: listen reconnects after its connection is cut, and signals that notifications may be missed', async () => {
  const heard: string[] = []
  const stop = await t.db.listen('news', (payload) => heard.push(payload))
  await t.db.run(`SELECT pg_notify('news', 'first')`)
  await vi.waitUntil(() => heard.includes('first'), patience)
  expect(await cut('LISTEN')).toBe(1)
  await vi.waitUntil(() => heard.includes(''), patience)
  await t.db.run(`SELECT pg_notify('news', 'second')`)
  await vi.waitUntil(() => heard.includes('second'), patience)
  expect(heard).toEqual(['first', '', 'second'])
  await stop()
  expect(await cut('LISTEN')).toBe(0)
})

test('behavior: all listened channels share one connection, and each receives only its own notifications', async () => {
  const one = createDatabase({ connection: t.connection, poolSize: 1, log: noopLog })
  const heard: string[] = []
  const names = ['a', 'b', 'a', 'c']
  const stops = await Promise.all(names.map((name, i) => one.listen(name, (payload) => heard.push(`${i} ${payload}`))))
  for (const name of ['a', 'b', 'c']) await one.run('SELECT pg_notify($1, $2)', [name, 'x'])
  await vi.waitUntil(() => heard.length === 4, patience)
  expect(heard.toSorted()).toEqual(['0 x', '1 x', '2 x', '3 x'])
  await stops[0]!()
  await stops[3]!()
  heard.length = 0
  expect(await cut('%LISTEN')).toBe(1)
  // There is no connection now. The new listener gets notifications once the next one is open.
  await one.listen('d', (payload) => heard.push(`4 ${payload}`))
  await vi.waitUntil(() => heard.length === 3, patience)
  expect(heard.toSorted()).toEqual(['1 ', '2 ', '4 '])
  for (const name of ['c', 'a', 'd']) await one.run('SELECT pg_notify($1, $2)', [name, 'y'])
  await vi.waitUntil(() => heard.includes('4 y'), patience)
  expect(heard.slice(3)).toEqual(['2 y', '4 y'])
  await one.close()
  expect(await cut('LISTEN')).toBe(0)
})

test('error: a rejected LISTEN leaves no open connection', async () => {
  const one = createDatabase({ connection: t.connection, poolSize: 1, log: noopLog })
  await expect(one.listen('', () => undefined)).rejects.toMatchObject({ code: '42601' })
  const open = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`
  await vi.waitUntil(async () => (await t.db.rows<[bigint]>(open))[0]![0] === 0n, patience)
  const stop = await one.listen('a', () => undefined)
  await stop()
  await one.close()
})

test('behavior: close ends listening immediately while the server is unresponsive', async () => {
  const proxy = await startSocketProxy(t.connection)
  const connection = { ...t.connection, host: proxy.folder, connectionTimeoutMillis: 60_000 }
  const one = createDatabase({ connection, poolSize: 1, log: noopLog })
  for (const name of ['a', 'b']) await one.listen(name, () => undefined)
  proxy.hang()
  await vi.waitUntil(() => proxy.waiting() === 1, patience)
  await one.close()
  await vi.waitUntil(() => proxy.waiting() === 0, patience)
})

test('behavior: a cut connection fails its transaction, and the pool continues with a new one', async () => {
  const one = createDatabase({ connection: t.connection, poolSize: 1, log: noopLog })
  const error = await one
    .transaction(async (tx) => {
      const [[pid] = []] = await tx.rows<[number]>('SELECT pg_backend_pid()')
      await t.db.run('SELECT pg_terminate_backend($1::int)', [pid])
      await tx.rows('SELECT 1')
    })
    .catch((e: unknown) => e)
  expect(isConnectionError(error)).toBe(true)
  expect(await one.rows('SELECT 1')).toEqual([[1]])
  await one.close()
})

test('behavior: a lost idle connection is logged in one short line, without its last query', async () => {
  const lines: string[] = []
  const log = createLog({
    level: 'debug',
    mask: (text) => text,
    destination: { write: (line) => void lines.push(line) },
  })
  const one = createDatabase({ connection: { connectionString: t.url }, poolSize: 1, log })
  expect(await one.rows('SELECT 4711')).toEqual([[4711]])
  expect(await cut('SELECT 4711')).toBe(1)
  const reported = () => lines.filter((line) => line.includes('idle database connection lost'))
  await expect.poll(reported).toHaveLength(1)
  expect(reported()[0]).toContain('57P01')
  expect(lines.join()).not.toContain('4711')
  await one.close()
})

test('error: a read-only database takes no writes, and its sessions are not used again, as they would stay read-only', async () => {
  const [server, name] = [inject('postgres').connection, t.connection.database]
  const one = createDatabase({ connection: t.connection, poolSize: 1, log: noopLog })
  onTestFinished(one.close)
  const write = () => one.transaction((tx) => tx.script('CREATE TABLE written (id integer)'))
  await onServer(server, `ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  try {
    const error = await write().catch((e: unknown) => e)
    expect(storageFault(error)).toEqual({ disk: 'database', reason: 'the database is read-only' })
  } finally {
    await onServer(server, `ALTER DATABASE ${name} RESET default_transaction_read_only`)
  }
  await write()
})

test('error: reports that the database cannot be reached', async () => {
  const unreachable = createDatabase({ connection: { host: '/nowhere', port: 1 }, poolSize: 1, log: noopLog })
  await expect(unreachable.transaction(async () => undefined)).rejects.toThrow(DatabaseUnavailableError)
  const error = await unreachable.rows('SELECT 1').catch((e: unknown) => e)
  expect(isConnectionError(error)).toBe(true)
  await unreachable.close()
})
