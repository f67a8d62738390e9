import type { Sql } from '../db/database.ts'

/** Servers that index on this database now: each holds the session lock (7205, id) while it lives. */
export async function runningServers(db: Sql): Promise<{ host: string; pid: number }[]> {
  const rows = await db.rows<[host: string, pid: number]>(
    `SELECT w.host, w.pid FROM worker w WHERE EXISTS (
       SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 AND l.classid = 7205::oid
         AND l.objid = w.id::oid AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))
     GROUP BY w.host, w.pid ORDER BY min(w.id)`,
  )
  return rows.map(([host, pid]) => ({ host, pid }))
}
