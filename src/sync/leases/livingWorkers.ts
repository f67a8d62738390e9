import type { Database, Sql } from '../../db/database.ts'
import type { LeaseKind } from './shareLeases.ts'

/** A worker without a heartbeat for so long is taken for dead, though its connection lives; in milliseconds. */
export const silentWorkerMs = 15_000

/** First half of the session lock that a worker holds while its connection lives; the second half is its id. */
export const workerLock = 7205

/** SQL that is true while the connection of worker `worker`, an alias, lives. */
export const isConnected = (worker: string) => `EXISTS (
  SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 AND l.classid = ${workerLock}::oid
    AND l.objid = ${worker}.id::oid AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`

/** SQL that is true while any worker with a recent heartbeat holds the lease. */
export function isHeld(kind: LeaseKind, key: string): string {
  return `EXISTS (SELECT FROM lease l JOIN worker w ON w.id = l.worker_id WHERE l.kind = '${kind}' AND l.key = ${key}
    AND w.heartbeat_at > now() - ${silentWorkerMs} * interval '1 millisecond')`
}

/** The servers of role `all`, `sync` or `deliver` that run on this database now. */
export async function runningServers(db: Sql): Promise<{ host: string; pid: number }[]> {
  const rows = await db.rows<[host: string, pid: number]>(
    `SELECT w.host, w.pid FROM worker w WHERE ${isConnected('w')} GROUP BY w.host, w.pid ORDER BY min(w.id)`,
  )
  return rows.map(([host, pid]) => ({ host, pid }))
}

/** Frees the leases of dead workers: those silent for `silentMs`, and those whose connection is gone. `self` is never among them. */
export async function buryDead(db: Database, self: number, silentMs: number): Promise<void> {
  await db.run(
    `DELETE FROM worker w
     WHERE id <> $1 AND (heartbeat_at < now() - $2 * interval '1 millisecond' OR NOT ${isConnected('w')})`,
    [self, silentMs],
  )
  // A lease that a transaction of a dead worker still locks is skipped, and freed once that has ended.
  await db.run(
    `UPDATE lease l SET worker_id = NULL FROM (
       SELECT kind, key FROM lease WHERE worker_id IS NOT NULL AND worker_id NOT IN (SELECT id FROM worker)
       FOR UPDATE SKIP LOCKED
     ) dead
     WHERE l.kind = dead.kind AND l.key = dead.key`,
  )
}
