import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { patience } from '../../../test/patience.ts'
import { noopLog } from '../../util/log.ts'
import { createLeases, holdsLease, type LeaseOptions, type Leases } from './lease.ts'
import { servedBy } from './served.ts'

let database: TestDatabase
const opened: Leases[] = []

beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  for (const leases of opened.splice(0)) await leases.close().catch(() => undefined)
  await database.drop()
})

const keys = { partition: Array.from({ length: 16 }, (_, i) => BigInt(i)), chain: [1n, 2n] }

async function join(own: LeaseOptions['keys'] = keys, onChange = () => {}): Promise<Leases> {
  const leases = await createLeases({ db: database.db, log: noopLog, keys: own, onChange, heartbeatMs: 30 })
  opened.push(leases)
  return leases
}

function partitions(...of: Leases[]): bigint[] {
  return of.flatMap((leases) => [...leases.held('partition')]).sort((a, b) => Number(a - b))
}

/** Waits until every worker has sent another heartbeat. */
async function looked(): Promise<void> {
  const seen = await database.db.rows<[Date]>('SELECT max(heartbeat_at) FROM worker')
  await vi.waitFor(async () => {
    const rows = await database.db.rows<[boolean]>('SELECT min(heartbeat_at) > $1 FROM worker', [seen[0]![0]])
    expect(rows).toEqual([[true]])
  }, patience)
}

test('default: a single worker holds all leases', async () => {
  const only = await join()
  expect(partitions(only)).toEqual(keys.partition)
  expect([...only.held('chain')].sort()).toEqual([1n, 2n])
})

test('behavior: workers share the leases evenly, and no lease is held twice', async () => {
  const workers = [await join(), await join(), await join()]
  await vi.waitFor(() => {
    expect(partitions(...workers)).toEqual(keys.partition)
    for (const worker of workers) expect(worker.held('partition').size).toBeLessThanOrEqual(6)
  }, patience)
})

test('behavior: a chain that only one worker is configured for stays with it, however many share the other chains', async () => {
  const first = await join()
  const others = [
    await join({ chain: [1n] }),
    await join({ chain: [1n], partition: [] }),
    await join({ partition: [] }),
  ]
  for (let times = 0; times < 3; times++) await looked()
  await vi.waitFor(() => {
    expect([...first.held('chain')]).toContain(2n)
    expect([first, ...others].flatMap((leases) => [...leases.held('chain')]).sort()).toEqual([1n, 2n])
    expect(partitions(first, ...others)).toEqual(keys.partition)
  }, patience)
})

test('behavior: each pair of chain and partition has exactly one worker, whichever workers and chains come and go', async () => {
  const of = (...chain: bigint[]) => join({ ...keys, chain })
  const pairs = keys.partition.flatMap((partition) => keys.chain.map((chainId) => ({ partition, chainId })))
  const servers = async (): Promise<[bigint, bigint, number][]> => {
    const rows = await database.db.rows<[bigint, bigint, number]>(
      `SELECT p.key, c.key, w.id FROM lease p, lease c, worker w
       WHERE p.kind = 'partition' AND c.kind = 'chain' AND ${servedBy('p.key', 'c.key', 'w.id')} ORDER BY 1, 2`,
    )
    expect(new Set(rows.map(([partition, chain]) => `${partition} ${chain}`)).size).toBe(rows.length)
    return rows
  }
  /** Waits until each pair has a worker, and each worker knows its pairs. */
  const untilServed = (...workers: Leases[]) =>
    vi.waitFor(
      async () => {
        const reported = pairs.map(({ partition, chainId }) => {
          const ids = workers.map((worker) => worker.serving({ partition: Number(partition), chainId }))
          const [id, ...others] = ids.filter((id) => id !== undefined)
          expect(others).toEqual([])
          return [partition, chainId, id]
        })
        expect(await servers()).toEqual(reported)
      },
      { ...patience, interval: 20 },
    )

  const one = await of(1n)
  // No worker takes a chain that is not in its configuration.
  await database.db.run(`INSERT INTO lease (kind, key) VALUES ('chain', 2)`)
  await vi.waitFor(() => expect(one.held('partition').size).toBe(16), patience)
  expect((await servers()).every(([, chain, id]) => chain === 1n && id === one.workerId())).toBe(true)
  expect(one.serving({ partition: 0, chainId: 2n })).toBe(undefined)

  const two = await of(2n)
  await vi.waitFor(() => expect(two.held('partition').size).toBe(8), patience)
  await untilServed(one, two)
  expect([...two.served().lent]).toEqual([[2n, one.held('partition')]])
  const both = await of(1n, 2n)
  await vi.waitFor(() => expect(both.held('partition').size).toBeGreaterThan(0), patience)
  await untilServed(one, two, both)
  await two.close()
  await untilServed(one, both)
  const again = await of(2n)
  await both.close()
  await untilServed(one, again)
})

test('behavior: other workers take the leases that a worker releases when it closes', async () => {
  const [first, second] = [await join(), await join()]
  await vi.waitFor(() => expect(first.held('partition').size).toBe(8), patience)
  await first.close()
  await vi.waitFor(() => expect(partitions(second)).toEqual(keys.partition), patience)
})

test('behavior: leases taken while a later heartbeat statement failed are reported once it succeeds', async () => {
  const reported = vi.fn()
  const [first, second] = [await join(keys, reported), await join()]
  await vi.waitFor(() => expect(second.held('partition').size).toBe(8), patience)
  await database.db.run('ALTER TABLE chain_pause RENAME TO chain_away')
  await second.close()
  await vi.waitFor(() => expect(first.held('partition').size).toBe(16), patience)
  for (let times = 0; times < 2; times++) await looked()
  reported.mockClear()
  await database.db.run('ALTER TABLE chain_away RENAME TO chain_pause')
  await vi.waitFor(() => expect(reported).toHaveBeenCalled(), patience)
})

test('behavior: the leases of a worker whose process died are free immediately', async () => {
  await database.db.run(`INSERT INTO worker (host, pid) VALUES ('gone', 1)`)
  await database.db.run(
    `INSERT INTO lease (kind, key, worker_id) SELECT 'partition', unnest($1::bigint[]), (SELECT id FROM worker)`,
    [keys.partition],
  )
  expect(partitions(await join())).toEqual(keys.partition)
})

test('behavior: a worker without a heartbeat loses its leases even if its session is alive', async () => {
  const unresponsive = await join()
  await unresponsive.close()
  const client = await database.db.connect()
  const { rows } = await client.query(
    `INSERT INTO worker (host, pid, heartbeat_at) VALUES ('hung', 1, now() - interval '1 minute') RETURNING id`,
  )
  await client.query('SELECT pg_advisory_lock(7205, $1)', [rows[0].id])
  await database.db.run('UPDATE lease SET worker_id = $1', [rows[0].id])
  const other = await join()
  await vi.waitFor(() => expect(partitions(other)).toEqual(keys.partition), patience)
  await client.end()
})

test('behavior: a worker that lost its session registers again and gets its share', async () => {
  const worker = await join()
  const id = worker.workerId()
  await database.db.rows(
    `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
     WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.objid = $1::oid`,
    [id],
  )
  await vi.waitFor(() => {
    expect(worker.workerId()).not.toBe(id)
    expect(partitions(worker)).toEqual(keys.partition)
  }, patience)
})

test('behavior: if a transaction of a dead worker locks a lease, its other leases are taken immediately, and this one soon', async () => {
  const [dead] = await database.db.rows<[number]>(
    `INSERT INTO worker (host, pid, heartbeat_at) VALUES ('frozen', 1, now() - interval '1 hour') RETURNING id`,
  )
  await database.db.run(
    `INSERT INTO lease (kind, key, worker_id) SELECT 'partition', key, $1 FROM unnest($2::bigint[]) AS v (key)
     ON CONFLICT (kind, key) DO UPDATE SET worker_id = excluded.worker_id`,
    [dead![0], keys.partition],
  )
  let other: Leases | undefined
  await database.db.transaction(async (tx) => {
    expect(await holdsLease(tx, 'partition', 3n, dead![0])).toBe(true)
    expect(await tx.rows('SHOW idle_in_transaction_session_timeout')).toEqual([['20s']])
    const joined = await join()
    other = joined
    await vi.waitFor(() => expect(partitions(joined)).toEqual(keys.partition.filter((key) => key !== 3n)), patience)
  })
  await vi.waitFor(() => expect(partitions(other!)).toEqual(keys.partition), patience)
})
