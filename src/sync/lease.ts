import { hostname } from 'node:os'
import type pg from 'pg'
import type { Database, Sql } from '../db/database.ts'
import type { Log } from '../log.ts'
import { type AbleWorker, shareLeases } from './shareLeases.ts'

/**
 * `partition`: the right to write the contracts of a partition. `chain`: the right to follow a chain's head. `aptos`: the
 * right to read a network of coins. `delivery`: the right to send the webhooks of the streams of a partition.
 */
export type LeaseKind = 'partition' | 'chain' | 'aptos' | 'delivery'

/**
 * What this process may work on alone. Leases are shared out evenly among the processes that live; those of a dead one are
 * free within seconds. A lease may be lost at any moment: every transaction that relies on one checks it (`heldBy`).
 */
export type Leases = {
  /** The id that lease rows carry for this process; undefined while it holds none. */
  workerId(): number | undefined
  held(kind: LeaseKind): ReadonlySet<bigint>
  /** Gives everything back. */
  close(): Promise<void>
}

/** SQL that is true while worker `$worker` holds the lease; for WHERE clauses of the transactions that rely on it. */
export function heldBy(kind: LeaseKind, key: string, worker: string): string {
  return `EXISTS (SELECT FROM lease WHERE kind = '${kind}' AND key = ${key} AND worker_id = ${worker})`
}

/** Whether a worker holds a lease now; the lease stays with it until the transaction ends. */
export async function holdsLease(tx: Sql, kind: LeaseKind, key: bigint, worker: number): Promise<boolean> {
  const rows = await tx.rows('SELECT 1 FROM lease WHERE kind = $1 AND key = $2 AND worker_id = $3 FOR SHARE', [
    kind,
    key,
    worker,
  ])
  return rows.length > 0
}

export type LeaseOptions = {
  db: Database
  log: Log
  /** Every key there is, by kind. */
  keys: Partial<Record<LeaseKind, readonly bigint[]>>
  /** Called when what is held changed. */
  onChange: () => void
  heartbeatMs?: number
}

/** First half of the session lock that a worker holds while its connection lives; the second half is its id. */
const workerLock = 7205

/** A worker whose connection lives but which has not been heard of for so long is taken for dead. */
const silentSeconds = 15

export async function createLeases({ db, log, keys, onChange, heartbeatMs = 1_000 }: LeaseOptions): Promise<Leases> {
  const held: Record<LeaseKind, Set<bigint>> = {
    partition: new Set(),
    chain: new Set(),
    aptos: new Set(),
    delivery: new Set(),
  }
  const kinds = Object.keys(keys) as LeaseKind[]
  const takes = JSON.stringify(Object.fromEntries(kinds.map((kind) => [kind, keys[kind]!.map(String)])))
  const freeSince = createFreeSince()
  let session: { client: pg.Client; id: number } | undefined
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let ticking: Promise<void> = Promise.resolve()

  for (const kind of kinds)
    await db.run('INSERT INTO lease (kind, key) SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING', [
      kind,
      keys[kind],
    ])

  /** The row becomes visible together with the session lock, so nobody takes a newcomer for dead. */
  async function register(): Promise<{ client: pg.Client; id: number }> {
    const client = await db.connect()
    client.on('end', () => {
      if (session?.client === client) forget()
    })
    try {
      return { client, id: await enroll(client) }
    } catch (error) {
      await client.end()
      throw error
    }
  }

  async function enroll(client: pg.Client): Promise<number> {
    await client.query('BEGIN')
    const { rows } = await client.query<{ id: number }>(
      'INSERT INTO worker (host, pid, kinds, takes) VALUES ($1, $2, $3, $4) RETURNING id',
      [hostname(), process.pid, kinds, takes],
    )
    const id = rows[0]!.id
    await client.query('SELECT pg_advisory_lock($1, $2)', [workerLock, id])
    await client.query('COMMIT')
    log.debug({ worker: id }, 'worker registered')
    return id
  }

  function forget(): void {
    session = undefined
    for (const kind of kinds) held[kind].clear()
    onChange()
  }

  async function tick(): Promise<void> {
    session ??= await register()
    const { id, client } = session
    const alive = await db.run('UPDATE worker SET heartbeat_at = now() WHERE id = $1', [id])
    if (alive === 0) {
      log.warn({ worker: id }, 'this worker was taken for dead, registering again')
      forget()
      await client.end()
      return
    }
    await buryDead(db, id)
    let changed = false
    for (const kind of kinds) {
      const now = await share(db, kind, id, freeSince)
      changed ||= now.size !== held[kind].size || [...now].some((key) => !held[kind].has(key))
      held[kind] = now
    }
    if (changed) {
      log.debug({ worker: id, partitions: held.partition.size, chains: [...held.chain].map(String) }, 'leases changed')
      onChange()
    }
  }

  function schedule(delay: number): void {
    timer = setTimeout(() => {
      ticking = tick()
        .catch((err) => log.warn({ err }, 'leases could not be renewed'))
        .finally(() => {
          if (!stopped) schedule(heartbeatMs)
        })
    }, delay)
  }

  await tick()
  schedule(heartbeatMs)

  return {
    workerId: () => session?.id,
    held: (kind) => held[kind],
    async close() {
      stopped = true
      clearTimeout(timer)
      await ticking
      if (!session) return
      const { id, client } = session
      session = undefined
      await db.run('UPDATE lease SET worker_id = NULL WHERE worker_id = $1', [id])
      await db.run('DELETE FROM worker WHERE id = $1', [id])
      await client.end()
    },
  }
}

/** Frees what dead workers held: those silent for long, and those whose session lock is gone. */
async function buryDead(db: Database, self: number): Promise<void> {
  await db.run(
    `DELETE FROM worker w WHERE id <> $1 AND (
       heartbeat_at < now() - make_interval(secs => ${silentSeconds})
       OR NOT EXISTS (
         SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 AND l.classid = ${workerLock}::oid
           AND l.objid = w.id::oid AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())))`,
    [self],
  )
  await db.run(
    'UPDATE lease SET worker_id = NULL WHERE worker_id IS NOT NULL AND worker_id NOT IN (SELECT id FROM worker)',
  )
}

/** A lease that nobody took for so long is taken by anyone able, whatever its share: those whose share it falls to do not come. */
const abandonedMs = 5_000

/** Since when this process has seen each lease free. */
type FreeSince = {
  /** What is free of a kind now. Answers those that are free for long. */
  see(kind: LeaseKind, free: readonly bigint[]): ReadonlySet<bigint>
}

function createFreeSince(): FreeSince {
  const since = new Map<LeaseKind, Map<bigint, number>>()
  return {
    see(kind, free) {
      const now = performance.now()
      const before = since.get(kind)
      const seen = new Map(free.map((key) => [key, before?.get(key) ?? now]))
      since.set(kind, seen)
      return new Set(free.filter((key) => now - seen.get(key)! > abandonedMs))
    },
  }
}

/** Takes and gives back what `shareLeases` says, and answers what is held then. */
async function share(db: Database, kind: LeaseKind, self: number, freeSince: FreeSince): Promise<Set<bigint>> {
  return db.transaction(async (tx) => {
    const rows = await tx.rows<[bigint, number | null]>(
      'SELECT key, worker_id FROM lease WHERE kind = $1 ORDER BY key',
      [kind],
    )
    const leases = rows.map(([key, worker]) => ({ key, worker }))
    const abandoned = freeSince.see(
      kind,
      leases.filter(({ worker }) => worker === null).map(({ key }) => key),
    )
    const workers = await readAble(tx, kind)
    const { take, giveBack } = shareLeases({ self, leases, workers, abandoned })
    const held = new Set(leases.filter(({ worker }) => worker === self).map(({ key }) => key))
    if (take.length > 0) {
      const taken = await tx.rows<[bigint]>(
        `UPDATE lease SET worker_id = $2 WHERE kind = $1 AND key IN (
           SELECT key FROM lease WHERE kind = $1 AND worker_id IS NULL AND key = ANY($3::bigint[]) FOR UPDATE SKIP LOCKED)
         RETURNING key`,
        [kind, self, take],
      )
      for (const [key] of taken) held.add(key)
    }
    if (giveBack.length > 0) {
      await tx.run('UPDATE lease SET worker_id = NULL WHERE kind = $1 AND worker_id = $2 AND key = ANY($3::bigint[])', [
        kind,
        self,
        giveBack,
      ])
      for (const key of giveBack) held.delete(key)
    }
    return held
  })
}

/** The living workers that take part in a kind, with what each is able to take. */
async function readAble(sql: Sql, kind: LeaseKind): Promise<AbleWorker[]> {
  const rows = await sql.rows<[number, string[] | null]>(
    `SELECT id, CASE WHEN takes ? $1 THEN ARRAY(SELECT jsonb_array_elements_text(takes->$1)) END FROM worker
     WHERE takes ? $1 OR takes IS NULL AND (kinds IS NULL OR $1 = ANY(kinds))`,
    [kind],
  )
  return rows.map(([id, keys]) => {
    const able = keys && new Set(keys)
    return { id, takes: (key) => !able || able.has(String(key)) }
  })
}
