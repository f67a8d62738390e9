import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { lockWaits } from '../../../test/lockWaits.ts'
import { patience, patienceMs } from '../../../test/patience.ts'
import { system } from '../../../test/system.ts'
import { noopLog } from '../../util/log.ts'
import { DatabaseUnavailableError, isConnectionError, sqlState } from '../databaseError.ts'
import { createPipeline, type Pipeline, type PipelineOptions } from './pipeline.ts'

let t: TestDatabase
beforeAll(async () => {
  t = await createTestDatabase({ migrated: false })
})
afterAll(() => t.drop())

function open(options: Partial<PipelineOptions> = {}): Pipeline {
  const pipeline = createPipeline({
    connection: t.connection,
    connections: 1,
    queueTimeoutMs: patienceMs,
    log: noopLog,
    ...options,
  })
  onTestFinished(() => pipeline.close())
  return pipeline
}

const backend = 'SELECT pg_backend_pid()'

async function locked<T>(table: string, work: () => Promise<T>): Promise<T> {
  return t.db.transaction(async (tx) => {
    await tx.run(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
    return work()
  })
}

test('default', async () => {
  const pipeline = open()
  expect(await pipeline.rows('SELECT 1 AS a, $1::int8 AS a', [2n])).toEqual([[1, 2n]])
  await t.db.run('CREATE TABLE changed (id integer)')
  expect(await pipeline.run('INSERT INTO changed SELECT generate_series(1, $1::integer)', [5])).toBe(5)
})

test('behavior: each of many concurrent statements gets its own result or error', async () => {
  const pipeline = open({ connections: 3 })
  const all = Array.from({ length: 2_000 }, async (_, i) => {
    if (i % 7 === 0) {
      const error = await pipeline.rows('SELECT 1 / $1::integer', [0]).catch((e: unknown) => e)
      expect(sqlState(error)).toBe('22012')
    } else if (i % 5 === 0) expect(await pipeline.rows('SELECT $1::text, repeat($1, 500)', [`n${i}`])).toHaveLength(1)
    else expect(await pipeline.rows('SELECT $1::integer', [i])).toEqual([[i]])
  })
  await Promise.all(all)
})

test('behavior: columns are returned as raw bytes, beside statements whose values are decoded', system, async () => {
  const pipeline = open({ connections: 2 })
  const all = Array.from({ length: 300 }, async (_, i) => {
    const text = `\u{1f600}é${i}`.repeat(i * 10)
    const bytes = Buffer.from([0, 255, i % 256])
    const [row] = await pipeline.bytes('SELECT $1::text, NULL, $2::bytea', [text, bytes])
    expect(row).toEqual([Buffer.from(text), null, bytes])
    expect(await pipeline.rows('SELECT $1::text, NULL, now(), $2::integer[]', [text, [i]])).toEqual([
      [text, null, expect.any(Date), [i]],
    ])
  })
  await Promise.all(all)
})

test('behavior: opens no more connections than allowed, and uses them all', async () => {
  const pipeline = open({ connections: 3 })
  const pids = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const [[pid] = []] = await pipeline.rows<[number]>(`${backend}, pg_sleep(0.01)`)
      return pid
    }),
  )
  expect(new Set(pids).size).toBe(3)
})

test('behavior: a slow statement delays only the statements on its own connection', async () => {
  await t.db.run('CREATE TABLE held (id integer)')
  const pipeline = open({ connections: 2 })
  await pipeline.rows('SELECT 1')
  let heldIsDone = false
  const held = await locked('held', async () => {
    const held = pipeline.rows('SELECT * FROM held').then((rows) => {
      heldIsDone = true
      return rows
    })
    for (let i = 0; i < 100; i++) expect(await pipeline.rows('SELECT $1::integer', [i])).toEqual([[i]])
    expect(heldIsDone).toBe(false)
    return { rows: held }
  })
  expect(await held.rows).toEqual([])
})

test('behavior: statements beyond the capacity of the connections wait in order', async () => {
  await t.db.run('CREATE TABLE queued (id integer)')
  const pipeline = open()
  const done: number[] = []
  await locked('queued', async () => {
    const first = pipeline.rows('SELECT * FROM queued').then(() => done.push(-1))
    const rest = Array.from({ length: 40 }, (_, i) => pipeline.rows('SELECT 1').then(() => done.push(i)))
    return { all: Promise.all([first, ...rest]) }
  }).then(({ all }) => all)
  expect(done).toEqual([-1, ...Array.from({ length: 40 }, (_, i) => i)])
})

test('behavior: a statement is run again if its preparation failed with the statement before it', async () => {
  await t.db.run('CREATE TABLE prepared (id integer)')
  const pipeline = open()
  const [[pid] = []] = await pipeline.rows<[number]>(backend)
  const both = await locked('prepared', async () => {
    const first = pipeline.rows('SELECT id FROM prepared').catch((e: unknown) => e)
    const second = pipeline.rows('SELECT id FROM prepared').catch((e: unknown) => e)
    await vi.waitUntil(async () => (await lockWaits(t.db)) > 0, patience)
    await t.db.rows('SELECT pg_cancel_backend($1::integer)', [pid])
    // The statement is cancelled during planning, so nothing was prepared.
    expect(sqlState(await first)).toBe('57014')
    return { second }
  })
  expect(await both.second).toEqual([])
})

test('behavior: statements on a cut connection fail, and a new connection is opened', async () => {
  const pipeline = open()
  const [[pid] = []] = await pipeline.rows<[number]>(backend)
  const sleeping = pipeline.rows('SELECT pg_sleep(600)').catch((e: unknown) => e)
  const behind = pipeline.rows('SELECT 1').catch((e: unknown) => e)
  const isAsleep = async () =>
    (await t.db.rows(`SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND query LIKE '%pg_sleep%'`, [pid])).length === 1
  await vi.waitUntil(isAsleep, patience)
  await t.db.run('SELECT pg_terminate_backend($1::integer)', [pid])
  expect(isConnectionError(await sleeping)).toBe(true)
  expect(isConnectionError(await behind)).toBe(true)
  const [[next] = []] = await pipeline.rows<[number]>(backend)
  expect(next).not.toBe(pid)
})

test('error: a statement that queues longer than the timeout is rejected', async () => {
  await t.db.run('CREATE TABLE busy (id integer)')
  const pipeline = open({ queueTimeoutMs: 100 })
  const { given } = await locked('busy', async () => {
    const given = Array.from({ length: 4 }, () => pipeline.rows('SELECT * FROM busy'))
    await expect(pipeline.rows('SELECT 1')).rejects.toThrow(DatabaseUnavailableError)
    return { given: Promise.all(given) }
  })
  expect(await given).toEqual([[], [], [], []])
  expect(await pipeline.rows('SELECT 1')).toEqual([[1]])
})

test('error: reports that the database cannot be reached, each time', async () => {
  const pipeline = open({ connection: { host: '/nowhere', port: 1 }, connections: 2 })
  for (let i = 0; i < 3; i++) await expect(pipeline.rows('SELECT 1')).rejects.toThrow(DatabaseUnavailableError)
  const many = await Promise.allSettled(Array.from({ length: 20 }, () => pipeline.rows('SELECT 1')))
  expect(many.every(({ status }) => status === 'rejected')).toBe(true)
})
