import type { Sql } from '../../db/database.ts'
import type { LeaseKind } from './shareLeases.ts'

/**
 * A worker without a heartbeat for so long is taken for dead, though its connection lives; in milliseconds. Seven heartbeats may be
 * missed one after the other, so a process that is only slow keeps its leases; others have the leases of a frozen process, and do its
 * work, within ten seconds.
 */
export const silentWorkerMs = 7_000

/** First half of the session lock that a worker holds while its connection lives; the second half is its id. */
export const workerLock = 7205

/** SQL that is true while the connection of worker `worker`, an alias, lives. The locks are looked through once a statement. */
export const isConnected = (worker: string) => `${worker}.id::oid = ANY (ARRAY(
  SELECT l.objid FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 AND l.classid = ${workerLock}::oid
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())))`

/** SQL that is true while any worker with a recent heartbeat holds the lease. */
export function isHeld(kind: LeaseKind, key: string): string {
  return `EXISTS (SELECT 1 FROM lease l JOIN worker w ON w.id = l.worker_id WHERE l.kind = '${kind}' AND l.key = ${key}
    AND w.heartbeat_at > now() - ${silentWorkerMs} * interval '1 millisecond')`
}

/** The servers of role `all`, `sync` or `deliver` that run on this database now. */
export async function runningServers(db: Sql): Promise<{ host: string; pid: number }[]> {
  const rows = await db.rows<[host: string, pid: number]>(
    `SELECT w.host, w.pid FROM worker w WHERE ${isConnected('w')} GROUP BY w.host, w.pid ORDER BY min(w.id)`,
  )
  return rows.map(([host, pid]) => ({ host, pid }))
}

/**
 * Frees the leases of dead workers: those whose connection is closed and, where `silentMs` is given, those unresponsive for so long. `self` is
 * never among them. What a dead worker has in progress is rolled back: a process that was frozen within a transaction commits nothing
 * when it wakes, and its locks hold up nobody.
 */
export async function buryDead(sql: Sql, self: number, silentMs: number | undefined): Promise<void> {
  const silent = "heartbeat_at < now() - $2::float8 * interval '1 millisecond'"
  const dead = await sql.rows<[number, string | null]>(
    `SELECT id, connections FROM worker w WHERE id <> $1 AND (${silent} OR NOT ${isConnected('w')})`,
    [self, silentMs ?? null],
  )
  const connections = dead.flatMap(([, name]) => name ?? [])
  await endTransactions(sql, self, connections)
  if (dead.length > 0)
    await sql.run(
      `DELETE FROM worker w WHERE id = ANY($3::integer[]) AND (${silent} OR NOT ${isConnected('w')}) AND id <> $1`,
      [self, silentMs ?? null, dead.map(([id]) => id)],
    )
  // A lease that a transaction of a dead worker still locks is skipped, and freed once that has ended.
  await sql.run(
    `UPDATE lease l SET worker_id = NULL FROM (
       SELECT kind, key FROM lease WHERE worker_id IS NOT NULL AND worker_id NOT IN (SELECT id FROM worker)
       FOR UPDATE SKIP LOCKED
     ) dead
     WHERE l.kind = dead.kind AND l.key = dead.key`,
  )
  // A process that lives and only lost its connection may have begun another transaction with the leases that it had until now.
  await endTransactions(sql, self, connections)
}

/** How long the end of one transaction is waited for, in milliseconds. */
const mostEndingMs = 500

/**
 * Ends the connections of dead workers that are within a transaction, and waits for their end. Connections of this worker's process and
 * of other users of the database stay.
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
