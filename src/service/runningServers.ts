import type { Sql } from '../db/database.ts'
import { isConnected } from '../sync/leases/livingWorkers.ts'

/** Servers that index on this database now. */
export async function runningServers(db: Sql): Promise<{ host: string; pid: number }[]> {
  const rows = await db.rows<[host: string, pid: number]>(
    `SELECT w.host, w.pid FROM worker w WHERE ${isConnected('w')} GROUP BY w.host, w.pid ORDER BY min(w.id)`,
  )
  return rows.map(([host, pid]) => ({ host, pid }))
}
