import { isDeepStrictEqual } from 'node:util'
import type { Database, Sql } from '../../db/database.ts'
import type { Log } from '../../util/log.ts'
import { createWaker } from '../../util/wait.ts'
import { buryDead, unresponsiveWorkerMs } from './livingWorkers.ts'
import { readLent, type Served } from './served.ts'
import type { LeaseKind } from './shareLeases.ts'
import { createFreeSince, takeShare } from './takeShare.ts'
import { leaseChannel, openWorkerSession, type WorkerSession } from './workerSession.ts'

/**
 * The leases of this process: work that no other process may do. Leases are distributed evenly among running processes; those of a dead process are
 * free within seconds. A process may lose a lease at any moment, so every transaction that relies on one checks it (`heldBy`). If the leases were not
 * confirmed for so long that others may consider this worker dead, for example after a freeze, it holds and serves nothing until they are confirmed.
 * No process works on a paused chain, not even its holder.
 */
export type Leases = {
  /** Worker id of this process in lease rows; undefined while it has none. */
  workerId(): number | undefined
  held(kind: LeaseKind): ReadonlySet<bigint>
  /** Whether this process currently holds a lease, for work that no transaction can check. */
  holds(kind: LeaseKind, key: bigint): boolean
  /** Work with nodes that this process must do; transactions check it with `servedBy`. */
  served(): Served
  /** Id of this worker if it must do the work of a chain in a partition; undefined if another worker does. */
  serving(work: { partition: number; chainId: bigint }): number | undefined
  /** Stops taking and renewing, and releases all leases without running work (`isBusy`). */
  retire(): Promise<void>
  /** Releases everything. */
  close(): Promise<void>
}

/** SQL condition: worker `$worker` holds the lease; for transactions that rely on it. */
export function heldBy(kind: LeaseKind, key: string, worker: string): string {
  return `EXISTS (SELECT 1 FROM lease WHERE kind = '${kind}' AND key = ${key} AND worker_id = ${worker})`
}

/** Whether a worker holds a lease now. */
export async function isHeldBy(sql: Sql, kind: LeaseKind, key: bigint, worker: number): Promise<boolean> {
  return (await sql.rows(`SELECT 1 WHERE ${heldBy(kind, '$1', '$2')}`, [key, worker])).length > 0
}

/** How long a process may be unresponsive within a transaction that blocks a lease. */
const mostIdleInTransaction = '20s'

/**
 * Whether a worker holds a lease. If so, it keeps the lease until the transaction ends. The database ends the transaction of a process that freezes
 * meanwhile, so that another one can take the lease.
 */
export async function holdsLease(tx: Sql, kind: LeaseKind, key: bigint, worker: number): Promise<boolean> {
  const rows = await tx.rows(
    `SELECT set_config('idle_in_transaction_session_timeout', '${mostIdleInTransaction}', true) FROM lease
     WHERE kind = $1 AND key = $2 AND worker_id = $3 FOR SHARE`,
    [kind, key, worker],
  )
  return rows.length > 0
}

export type LeaseOptions = {
  db: Database
  log: Log
  /** Keys that this process can take, by kind. */
  keys: Partial<Record<LeaseKind, readonly bigint[]>>
  /** Called immediately after leases were taken or lost, or a chain was paused or resumed. */
  onChange: () => void
  /** Whether work that relies on a lease is running: the lease is released only afterwards. */
  isBusy?: (kind: LeaseKind, key: bigint) => boolean
  heartbeatMs?: number
  /** Default: `unresponsiveWorkerMs`. Must be equal for all workers. */
  unresponsiveMs?: number
}

/** Checks per heartbeat for workers that have ended: the leases of a killed process are taken in less than a heartbeat. */
const looksPerHeartbeat = 4

export async function createLeases(options: LeaseOptions): Promise<Leases> {
  const {
    db,
    log,
    keys,
    onChange,
    isBusy = () => false,
    heartbeatMs = 1_000,
    unresponsiveMs = unresponsiveWorkerMs,
  } = options
  const trustedMs = (unresponsiveMs * 2) / 3
  const held: Record<LeaseKind, Set<bigint>> = {
    partition: new Set(),
    chain: new Set(),
    aptos: new Set(),
    delivery: new Set(),
  }
  const kinds = Object.keys(keys) as LeaseKind[]
  const takes = JSON.stringify(Object.fromEntries(kinds.map((kind) => [kind, keys[kind]!.map(String)])))
  const freeSince = createFreeSince()
  /** Partitions of others in which this process does the work of a chain, by chain. */
  let lent: Served['lent'] = new Map()
  let paused: ReadonlySet<bigint> = new Set()
  const notPaused = (chains: Iterable<bigint>) => [...chains].filter((id) => !paused.has(id))
  let session: WorkerSession | undefined
  /** Start of the last successful heartbeat. This clock continues while the process is frozen. */
  let confirmedAt = Number.NEGATIVE_INFINITY
  const isTrusted = () => performance.now() - confirmedAt < trustedMs
  const stop = new AbortController()
  const waker = createWaker()
  /** Another worker released leases. */
  let returned = false
  /** The leases changed, but `onChange` was not called yet, for example because a statement of a heartbeat failed. */
  let changed = false
  let nextTickAt = 0
  let closing: Promise<void> | undefined

  for (const kind of kinds)
    await db.run('INSERT INTO lease (kind, key) SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING', [
      kind,
      keys[kind],
    ])

  async function register(): Promise<WorkerSession> {
    const opened = await openWorkerSession({
      ...{ db, kinds, takes, mostUnresponsiveMs: trustedMs },
      onEnd: (ended) => ended && session === ended && forget(),
      onReturned() {
        returned = true
        waker.wake()
      },
    })
    log.debug({ worker: opened.id }, 'worker registered')
    return opened
  }

  function forget(): void {
    session = undefined
    for (const kind of kinds) held[kind].clear()
    lent = new Map()
    onChange()
  }

  /** Releases leases and notifies the other workers. */
  async function giveBack(own: WorkerSession, condition: string, values: unknown[]): Promise<void> {
    const some = await own.sql.run(`UPDATE lease SET worker_id = NULL WHERE worker_id = $1 ${condition}`, [
      own.id,
      ...values,
    ])
    if (some > 0) await own.sql.rows('SELECT pg_notify($1, $2)', [leaseChannel, ''])
  }

  async function tick(): Promise<void> {
    nextTickAt = performance.now() + heartbeatMs
    returned = false
    session ??= await register()
    const own = session
    const { id, sql } = own
    const began = performance.now()
    const wasTrusted = isTrusted()
    // If this worker could not send heartbeats, others may have been unable to as well, for example while the database stalled.
    const wasSteady = began - confirmedAt < unresponsiveMs / 2
    if (!(await own.beat())) {
      log.warn({ worker: id }, 'worker lease expired: registering again')
      forget()
      await own.end()
      return
    }
    if (session !== own) return
    confirmedAt = began
    await buryDead(sql, id, wasSteady ? unresponsiveMs : undefined)
    changed ||= !wasTrusted
    for (const kind of kinds) {
      const { kept, excess } = await takeShare(sql, { kind, self: id, freeSince })
      if (session !== own) return
      changed ||= kept.size !== held[kind].size || [...kept].some((key) => !held[kind].has(key))
      held[kind] = kept
      if (excess.length === 0) continue
      // Called before the leases are released, so that no work relies on them any more.
      onChange()
      const free = excess.filter((key) => !isBusy(kind, key))
      if (free.length > 0) await giveBack(own, 'AND kind = $2 AND key = ANY($3::bigint[])', [kind, free])
    }
    const pausedNow = keys.chain ? await readPausedChains(sql) : paused
    const lentNow = keys.chain && keys.partition ? await readLent(sql, id) : new Map()
    if (session !== own) return
    changed ||= !isDeepStrictEqual([lentNow, pausedNow], [lent, paused])
    lent = lentNow
    paused = pausedNow
    if (changed) {
      changed = false
      log.debug({ worker: id, partitions: held.partition.size, chains: [...held.chain] }, 'leases changed')
      onChange()
    }
  }

  async function work(): Promise<void> {
    while (!stop.signal.aborted) {
      await waker.wait(heartbeatMs / looksPerHeartbeat, stop.signal)
      if (stop.signal.aborted) return
      try {
        if (returned || performance.now() >= nextTickAt || (await session?.othersEnded())) await tick()
      } catch (err) {
        log.warn({ err }, 'leases not renewed')
      }
    }
  }

  await tick()
  const working = work()

  return {
    workerId: () => (isTrusted() ? session?.id : undefined),
    held: (kind) => (!isTrusted() ? new Set() : kind === 'chain' ? new Set(notPaused(held.chain)) : held[kind]),
    holds: (kind, key) => isTrusted() && held[kind].has(key),
    served: () =>
      isTrusted()
        ? {
            chains: notPaused(keys.chain ?? []),
            partitions: [...held.partition],
            lent: new Map([...lent].filter(([id]) => !paused.has(id))),
          }
        : { chains: [], partitions: [], lent: new Map() },
    serving({ partition, chainId }) {
      if (paused.has(chainId) || !isTrusted()) return undefined
      const own = held.partition.has(BigInt(partition)) && keys.chain?.includes(chainId)
      return own || lent.get(chainId)?.has(BigInt(partition)) ? session?.id : undefined
    },
    retire,
    close() {
      closing ??= deregister()
      return closing
    },
  }

  async function retire(): Promise<void> {
    stop.abort()
    await working
    if (!session) return
    const own = session
    // First, so that no other worker leaves a share for this one.
    await own.sql.run(`UPDATE worker SET takes = '{}' WHERE id = $1`, [own.id])
    for (const kind of kinds) {
      const free = [...held[kind]].filter((key) => !isBusy(kind, key))
      for (const key of free) held[kind].delete(key)
      await giveBack(own, 'AND kind = $2 AND key = ANY($3::bigint[])', [kind, free])
    }
  }

  async function deregister(): Promise<void> {
    stop.abort()
    await working
    if (!session) return
    const own = session
    session = undefined
    try {
      await own.sql.run('DELETE FROM worker WHERE id = $1', [own.id])
      await giveBack(own, '', [])
    } finally {
      await own.end()
    }
  }
}

/** Pauses a chain: processes stop reading it at their next heartbeat. False: it was already paused. */
export async function pauseChain(sql: Sql, chainId: bigint): Promise<boolean> {
  return (await sql.run('INSERT INTO chain_pause (chain_id) VALUES ($1) ON CONFLICT DO NOTHING', [chainId])) > 0
}

/** Resumes a chain at its position. False: it was not paused. */
export async function resumeChain(sql: Sql, chainId: bigint): Promise<boolean> {
  return (await sql.run('DELETE FROM chain_pause WHERE chain_id = $1', [chainId])) > 0
}

export async function readPausedChains(sql: Sql): Promise<ReadonlySet<bigint>> {
  const rows = await sql.rows<[bigint]>('SELECT chain_id FROM chain_pause')
  return new Set(rows.map(([id]) => id))
}
