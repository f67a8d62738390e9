import { hostname } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import type { Database, Sql } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import { readPausedChains } from './chainPause.ts'
import { buryDead, silentWorkerMs, workerLock } from './livingWorkers.ts'
import { readLent, type Served } from './served.ts'
import type { LeaseKind } from './shareLeases.ts'
import { createFreeSince, takeShare } from './takeShare.ts'

/**
 * The leases of this process: what it may work on alone. Leases are shared out evenly among the living processes; those of a dead
 * process are free within seconds. A process may lose a lease at any moment, so every transaction that relies on one checks it
 * (`heldBy`). No process works on a paused chain, not even the holder of its lease.
 */
export type Leases = {
  /** The id that lease rows carry for this process; undefined while it holds none. */
  workerId(): number | undefined
  held(kind: LeaseKind): ReadonlySet<bigint>
  /**
   * Whether this process holds a lease at this moment, for work that no transaction can check. False also where the lease was not
   * confirmed for so long that others may soon take this worker for dead, as after the process was frozen.
   */
  holds(kind: LeaseKind, key: bigint): boolean
  /** The work with nodes that this process has to do; transactions check it with `servedBy`. */
  served(): Served
  /** This worker's id where it has to do the work of a chain in a partition; undefined where another worker does. */
  serving(work: { partition: number; chainId: bigint }): number | undefined
  /** Gives everything back. */
  close(): Promise<void>
}

/** SQL that is true while worker `$worker` holds the lease; for WHERE clauses of the transactions that rely on it. */
export function heldBy(kind: LeaseKind, key: string, worker: string): string {
  return `EXISTS (SELECT FROM lease WHERE kind = '${kind}' AND key = ${key} AND worker_id = ${worker})`
}

/** How long a process may be silent within a transaction that keeps a lease from all others. */
const mostSilentInTransaction = '20s'

/**
 * Whether a worker holds a lease. If so, the lease stays with it until the transaction ends. The database ends the transaction of a
 * process that freezes meanwhile, so that another one can take the lease.
 */
export async function holdsLease(tx: Sql, kind: LeaseKind, key: bigint, worker: number): Promise<boolean> {
  const rows = await tx.rows(
    `SELECT set_config('idle_in_transaction_session_timeout', '${mostSilentInTransaction}', true) FROM lease
     WHERE kind = $1 AND key = $2 AND worker_id = $3 FOR SHARE`,
    [kind, key, worker],
  )
  return rows.length > 0
}

export type LeaseOptions = {
  db: Database
  log: Log
  /** The keys that this process is able to take, by kind. */
  keys: Partial<Record<LeaseKind, readonly bigint[]>>
  /** Called at once when leases were taken or lost, or a chain was paused or resumed. */
  onChange: () => void
  /** Whether work that relies on a lease is under way: a lease that falls to another worker is given back only afterwards. */
  isBusy?: (kind: LeaseKind, key: bigint) => boolean
  heartbeatMs?: number
  /** `silentWorkerMs` where left out. The same for all workers. */
  silentMs?: number
}

export async function createLeases(options: LeaseOptions): Promise<Leases> {
  const { db, log, keys, onChange, isBusy = () => false, heartbeatMs = 1_000, silentMs = silentWorkerMs } = options
  const trustedMs = (silentMs * 2) / 3
  const held: Record<LeaseKind, Set<bigint>> = {
    partition: new Set(),
    chain: new Set(),
    aptos: new Set(),
    delivery: new Set(),
  }
  const kinds = Object.keys(keys) as LeaseKind[]
  const takes = JSON.stringify(Object.fromEntries(kinds.map((kind) => [kind, keys[kind]!.map(String)])))
  const freeSince = createFreeSince()
  /** Partitions that others hold and in which this process does the work of a chain, by chain. */
  let lent: Served['lent'] = new Map()
  let paused: ReadonlySet<bigint> = new Set()
  const notPaused = (chains: Iterable<bigint>) => [...chains].filter((id) => !paused.has(id))
  let session: { client: pg.Client; id: number } | undefined
  /** When the last heartbeat began that the database took. This clock goes on while the process is frozen. */
  let confirmedAt = Number.NEGATIVE_INFINITY
  const isTrusted = () => performance.now() - confirmedAt < trustedMs
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let ticking: Promise<void> = Promise.resolve()

  for (const kind of kinds)
    await db.run('INSERT INTO lease (kind, key) SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING', [
      kind,
      keys[kind],
    ])

  /** Enrolls on a connection of its own, whose end means that the leases are lost. */
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

  /** Writes the worker's row. It becomes visible together with the session lock, so that no process takes a newcomer for dead. */
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
    lent = new Map()
    onChange()
  }

  async function tick(): Promise<void> {
    session ??= await register()
    const { id, client } = session
    const began = performance.now()
    const wasTrusted = isTrusted()
    const alive = await db.run('UPDATE worker SET heartbeat_at = now() WHERE id = $1', [id])
    if (alive === 0) {
      log.warn({ worker: id }, 'this worker was taken for dead, registering again')
      forget()
      await client.end()
      return
    }
    if (session?.id !== id) return
    confirmedAt = began
    await buryDead(db, id, silentMs)
    let changed = !wasTrusted
    for (const kind of kinds) {
      const { kept, surplus } = await takeShare(db, { kind, self: id, freeSince })
      if (session?.id !== id) return
      changed ||= kept.size !== held[kind].size || [...kept].some((key) => !held[kind].has(key))
      held[kind] = kept
      if (surplus.length === 0) continue
      // Told before the leases are given back, so that no work relies on them any more.
      onChange()
      const free = surplus.filter((key) => !isBusy(kind, key))
      if (free.length === 0) continue
      await db.run('UPDATE lease SET worker_id = NULL WHERE kind = $1 AND worker_id = $2 AND key = ANY($3::bigint[])', [
        kind,
        id,
        free,
      ])
    }
    const pausedNow = keys.chain ? await readPausedChains(db) : paused
    const lentNow = keys.chain && keys.partition ? await readLent(db, id) : new Map()
    if (session?.id !== id) return
    changed ||= !isDeepStrictEqual([lentNow, pausedNow], [lent, paused])
    lent = lentNow
    paused = pausedNow
    if (changed) {
      log.debug({ worker: id, partitions: held.partition.size, chains: [...held.chain] }, 'leases changed')
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
    held: (kind) => (kind === 'chain' ? new Set(notPaused(held.chain)) : held[kind]),
    holds: (kind, key) => held[kind].has(key) && isTrusted(),
    served: () => ({
      chains: notPaused(keys.chain ?? []),
      partitions: [...held.partition],
      lent: new Map([...lent].filter(([id]) => !paused.has(id))),
    }),
    serving({ partition, chainId }) {
      if (paused.has(chainId)) return undefined
      const own = held.partition.has(BigInt(partition)) && keys.chain?.includes(chainId)
      return own || lent.get(chainId)?.has(BigInt(partition)) ? session?.id : undefined
    },
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
