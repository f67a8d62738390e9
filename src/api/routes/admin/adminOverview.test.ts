import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { createTestDatabase } from '../../../../test/database.ts'
import { patience } from '../../../../test/patience.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { createAdminOverview } from '../../../service/admin/createAdminOverview.ts'
import { keepPresent } from '../../../service/processes/keepPresent.ts'
import { minuteMs, removeOldCounts, writeMinuteCounts } from '../../../service/processes/minuteCounts.ts'
import { beat, describeProcess, type OwnProcess, removeProcess } from '../../../service/processes/processStore.ts'
import { noopLog } from '../../../util/log.ts'
import { type RateKind, rateKinds, shownMinutes } from '../../admin/overview.ts'

/** A response that contains every part. */
type Shown = {
  version: string
  processes: { id: string; role: string; version: string; host: string; pid: number; answering: boolean }[]
  queue: Record<string, unknown>
  rates: Record<string, number[]> & { from: string }
  missing: { part: string; reason: string }[]
} & Record<string, unknown>

const longMs = 3_600_000
const api = describeProcess({ role: 'api', version: '2.0.0' })
const sync = {
  ...describeProcess({ role: 'sync', version: '1.9.0' }),
  host: 'elsewhere',
  pid: 7,
  startedAt: new Date(api.startedAt.getTime() + 1),
}

let t: TestApi
beforeAll(async () => {
  t = await createTestApi({ overview: { own: api, partMs: longMs, wholeMs: longMs } })
})
afterAll(() => t.drop())

async function overview(of = t): Promise<Shown> {
  const response = await of.get('/admin/overview')
  expect(response.status).toBe(200)
  return (await response.json()) as Shown
}

async function startProcesses(...processes: OwnProcess[]): Promise<void> {
  for (const one of processes) await beat(t.db, one)
  onTestFinished(async () => {
    for (const { id } of processes) await removeProcess(t.db, id)
  })
}

test('default: the overview of an empty database has empty queues, zero rates and no missing part', async () => {
  const answer = await overview()
  expect(answer).toMatchObject({
    version: '2.0.0',
    role: 'api',
    startedAt: api.startedAt.toISOString(),
    uptimeSeconds: expect.any(Number),
    processes: [],
    database: {
      bytes: expect.any(Number),
      kinds: expect.arrayContaining([{ kind: 'coins', bytes: expect.any(Number) }]),
    },
    disk: { faults: [] },
    queue: {
      collections: {},
      streams: {},
      webhooks: 0,
      metadata: { due: 0, failed: 0, parked: 0, more: false },
      previews: { due: 0, more: false },
    },
    missing: [],
  })
  for (const kind of rateKinds) expect(answer.rates[kind]).toEqual(Array(shownMinutes).fill(0))
})

test('behavior: the overview lists processes of every role while they send heartbeats', async () => {
  await startProcesses(api, sync)
  const shown = ({ id, role, version, host, pid }: OwnProcess) => ({ id, role, version, host, pid })
  expect((await overview()).processes).toMatchObject([
    { ...shown(api), answering: true, startedAt: api.startedAt.toISOString() },
    { ...shown(sync), answering: false },
  ])
  await t.db.run(`UPDATE process SET heartbeat_at = now() - interval '1 minute' WHERE id = $1`, [sync.id])
  expect((await overview()).processes.map(({ id }) => id)).toEqual([api.id])
  await beat(t.db, api)
  expect((await t.db.rows('SELECT 1 FROM process')).length).toBe(1)
  // The process continues, as after a freeze.
  await beat(t.db, sync)
  expect((await overview()).processes.map(({ id }) => id)).toEqual([api.id, sync.id])
})

test('behavior: rates are summed over processes without double counting, with zeros for quiet minutes', async () => {
  const from = Date.parse((await overview()).rates.from)
  const at = (place: number) => from + place * minuteMs
  const count = (place: number, count: number) => ({ minute: at(place), kind: 'requests' as const, count })
  await writeMinuteCounts(t.db, api.id, [count(10, 5), count(58, 1)])
  await writeMinuteCounts(t.db, api.id, [count(58, 4)])
  await writeMinuteCounts(t.db, sync.id, [count(58, 7), { ...count(58, 2), kind: 'logs' }])
  await writeMinuteCounts(t.db, sync.id, [count(-5, 9)])
  const read = async () => {
    const { rates } = await overview()
    const moved = Math.round((Date.parse(rates.from) - from) / minuteMs)
    const sparse = (kind: string) =>
      rates[kind]!.flatMap((counted, place) => (counted === 0 ? [] : [[place + moved, counted]]))
    expect(rates.requests!.length).toBe(shownMinutes)
    return { requests: sparse('requests'), logs: sparse('logs') }
  }
  const counted = {
    requests: [
      [10, 5],
      [58, 11],
    ],
    logs: [[58, 2]],
  }
  expect(await read()).toEqual(counted)
  await removeOldCounts(t.db)
  expect(await read()).toEqual(counted)
  expect((await t.db.rows('SELECT 1 FROM minute_count WHERE minute < $1', [new Date(from)])).length).toBe(0)
})

test('behavior: a process writes each increase of its counts once, and leaves the list when it stops', async () => {
  const sum = async () => (await overview()).rates.previews!.reduce((all, one) => all + one, 0)
  const counted = { ...Object.fromEntries(rateKinds.map((kind) => [kind, 0])), previews: 3 } as Record<RateKind, number>
  const own = describeProcess({ role: 'sync', version: '2.0.0' })
  const present = keepPresent({ db: t.db, own, totals: async () => ({ ...counted }), log: noopLog })
  onTestFinished(() => present.close())
  await expect.poll(sum, patience).toBe(3)
  expect((await overview()).processes.map(({ id }) => id)).toEqual([own.id])
  counted.previews = 5
  await present.close()
  expect(await sum()).toBe(5)
  expect((await overview()).processes).toEqual([])
})

test('behavior: the queue counts pending metadata, previews and webhooks', async () => {
  const { partition, id } = await seedCollection(t.db, { address: `0x${'5a'.repeat(20)}` })
  await t.db.run(
    `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at, attempts, host)
     SELECT $1, $2, gen_random_uuid(), n, now(), CASE n WHEN 2 THEN 1 ELSE 0 END, CASE n WHEN 3 THEN 'gone.example' END
     FROM generate_series(1, 5) n`,
    [partition, id],
  )
  await t.db.run(
    `INSERT INTO media (partition, collection_id, url_hash, url, ready, due_at)
     SELECT $1, $2, gen_random_uuid(), 'https://x.example/' || n, '{}', CASE WHEN n <= 2 THEN now() END FROM generate_series(1, 3) n`,
    [partition, id],
  )
  const stream = randomUUID()
  await t.db.run(
    'INSERT INTO webhook_matched (partition, stream_id, chain_id, matched, dropped, updated_at) VALUES (1, $1, 1, 10, 1, now())',
    [stream],
  )
  await t.db.run(
    `INSERT INTO webhook_delivered (partition, stream_id, delivered, failed_for_good, created_at, updated_at)
     VALUES (1, $1, 4, 2, now(), now())`,
    [stream],
  )
  expect((await overview()).queue).toEqual({
    collections: { live: 1 },
    streams: {},
    webhooks: 3,
    metadata: { due: 3, failed: 1, parked: 1, more: false },
    previews: { due: 2, more: false },
  })
})

test('error: an overview part that times out is null with the reason, and the other parts are returned', async () => {
  const hurried = await createTestApi({ overview: { partMs: 500, wholeMs: longMs } })
  onTestFinished(hurried.drop)
  await hurried.db.transaction(async (tx) => {
    await tx.rows('LOCK TABLE webhook_matched, media IN ACCESS EXCLUSIVE MODE')
    // PostgreSQL does not even return the size of a locked table.
    const locked = ['database', 'queue.webhooks', 'queue.previews']
    const missing = locked.map((part) => ({ part, reason: 'took longer than 0.5 s' }))
    await expect
      .poll(() => overview(hurried), patience)
      .toMatchObject({
        missing,
        processes: [],
        database: null,
        queue: { webhooks: null, previews: null, metadata: { due: 0 }, collections: {} },
      })
  })
  await expect.poll(async () => (await overview(hurried)).missing, patience).toEqual([])
})

test('behavior: requests share one read of the overview, until it is old or the read has failed', async () => {
  const { db, drop } = await createTestDatabase()
  const backpressure = { active: true, yielded: [{ work: 'history', seconds: 2.5 }] }
  const faults = {
    diskFaults: () => ['full'],
    unreachableNodes: () => ['10.0.0.1:5432'],
    backpressure: async () => backpressure,
  }
  const options = { db, own: api, dataDir: '/nowhere', ...faults, partMs: longMs, wholeMs: longMs }
  const kept = createAdminOverview({ ...options, freshMs: longMs })
  const first = kept()
  expect(kept()).toBe(first)
  expect(await first).toMatchObject({
    disk: { freeBytes: null, totalBytes: null, faults: ['full'] },
    nodesAway: ['10.0.0.1:5432'],
    backpressure,
  })
  expect(kept()).toBe(first)
  const old = createAdminOverview({ ...options, freshMs: 0 })
  const before = old()
  await before
  expect(old()).not.toBe(before)
  const hurried = await createAdminOverview({ ...options, wholeMs: 0 })()
  expect(hurried.missing[0]).toEqual({ part: 'processes', reason: 'earlier parts took all the time' })
  await drop()
  const failing = createAdminOverview({ ...options, freshMs: longMs })
  const failed = failing()
  await expect(failed).rejects.toThrow()
  const again = failing()
  expect(again).not.toBe(failed)
  await expect(again).rejects.toThrow()
})
