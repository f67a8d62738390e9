import type { Sql } from '../src/db/database.ts'
import { onCluster } from './onCluster.ts'

/** How many statements of this database wait for a lock, on any node. */
export async function lockWaits(db: Sql): Promise<number> {
  const view = onCluster ? 'citus_stat_activity' : 'pg_stat_activity'
  const [row] = await db.rows<[bigint]>(
    `SELECT count(*) FROM ${view} WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return Number(row![0])
}
