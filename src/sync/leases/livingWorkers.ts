import type { Sql } from '../../db/database.ts'
import type { LeaseKind } from './shareLeases.ts'

/**
 * Time without a heartbeat after which a worker is considered dead even if its connection is open, in milliseconds. Seven heartbeats may be missed,
 * so a slow process keeps its leases. Others take over from a frozen process within ten seconds.
 */
export const unresponsiveWorkerMs = 7_000

/** First half of the session lock that a worker holds while its connection is open; the second half is its id. */
export const workerLock = 7205

/** SQL condition: the connection of worker `worker`, an alias, is open. The locks are scanned once per statement. */
export const isConnected = (worker: string) => `${worker}.id::oid = ANY (ARRAY(
  SELECT l.objid FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 AND l.classid = ${workerLock}::oid
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())))`

/** SQL condition: a worker with a recent heartbeat holds the lease. */
export function isHeld(kind: LeaseKind, key: string): string {
  return `EXISTS (SELECT 1 FROM lease l JOIN worker w ON w.id = l.worker_id WHERE l.kind = '${kind}' AND l.key = ${key}
    AND w.heartbeat_at > now() - ${unresponsiveWorkerMs} * interval '1 millisecond')`
}

/** Running servers of role `all`, `sync` or `deliver` on this database. */
export async function runningServers(db: Sql): Promise<{ host: string; pid: number }[]> {
  const rows = await db.rows<[host: string, pid: number]>(
    `SELECT w.host, w.pid FROM worker w WHERE ${isConnected('w')} GROUP BY w.host, w.pid ORDER BY min(w.id)`,
  )
  return rows.map(([host, pid]) => ({ host, pid }))
}

/**
 * Frees the leases of dead workers: those without a connection and, if `unresponsiveMs` is given, those unresponsive for this long, except `self`. Running
 * transactions of a dead worker are rolled back: a process that was frozen within a transaction commits nothing when it wakes, and its locks block
 * nobody.
 */
export async function buryDead(sql: Sql, self: number, unresponsiveMs: number | undefined): Promise<void> {
  const isUnresponsive = "heartbeat_at < now() - $2::float8 * interval '1 millisecond'"
  const dead = await sql.rows<[number, string | null]>(
    `SELECT id, connections FROM worker w WHERE id <> $1 AND (${isUnresponsive} OR NOT ${isConnected('w')})`,
    [self, unresponsiveMs ?? null],
  )
  const connections = dead.flatMap(([, name]) => name ?? [])
  await endTransactions(sql, self, connections)
  if (dead.length > 0)
    await sql.run(
      `DELETE FROM worker w WHERE id = ANY($3::integer[]) AND (${isUnresponsive} OR NOT ${isConnected('w')}) AND id <> $1`,
      [self, unresponsiveMs ?? null, dead.map(([id]) => id)],
    )
  // A lease that a dead worker's transaction still locks is skipped, and freed once that has ended.
  await sql.run(
    `UPDATE lease l SET worker_id = NULL FROM (
       SELECT kind, key FROM lease WHERE worker_id IS NOT NULL AND worker_id NOT IN (SELECT id FROM worker)
       FOR UPDATE SKIP LOCKED
     ) dead
     WHERE l.kind = dead.kind AND l.key = dead.key`,
  )
  // A process that only lost its connection may have begun another transaction with its former leases.
  await endTransactions(sql, self, connections)
}

/** Longest wait for the end of a transaction, in milliseconds. */
const mostEndingMs = 500

/**
 * Ends the connections of dead workers that are within a transaction, and waits for their end. Keeps connections of this process and of other
 * database users.
 */
async function endTransactions(sql: Sql, self: number, connections: readonly string[]): Promise<void> {
  if (connections.length === 0) return
  await sql.rows(
    `SELECT pg_terminate_backend(pid, ${mostEndingMs}) FROM pg_stat_activity
     WHERE datname = current_database() AND usename = current_user AND xact_start IS NOT NULL
       AND substring(application_name FROM '[0-9a-f]+$') = ANY($2::text[])
       AND substring(application_name FROM '[0-9a-f]+$') IS DISTINCT FROM (SELECT w.connections FROM worker w WHERE w.id = $1)`,
    [self, connections],
  )
}
