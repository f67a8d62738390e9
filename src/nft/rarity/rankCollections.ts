import type { Database, Sql } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { isServed, type Served, servedValues } from '../../sync/leases/served.ts'
import { run } from '../../sync/run.ts'
import type { Log } from '../../util/log.ts'
import type { WorkPriority } from '../../util/workPriority.ts'
import { rankTokens } from './rankTokens.ts'

export type RankCollectionsOptions = {
  leases: Leases
  db: Database
  workPriority: Pick<WorkPriority, 'schedule'>
  log: Log
  signal: AbortSignal
}

/** Minimum time between two rankings of a collection. */
const pauseMs = 60_000

/** How long ranks follow the metadata after a request. */
const requestedFor = `interval '7 days'`

/** Requests within this time count as one. */
const sameRequest = `interval '1 hour'`

const dueRow = defineRow({
  partition: column.int2('partition'),
  id: column.int8('id'),
  chainId: column.int8('chain_id'),
})

const putOff = `UPDATE collection SET rarity_due_at = now() + $3::int8 * interval '1 ms' WHERE partition = $1 AND id = $2`

/** Requests ranks of a collection's tokens, which are kept current for a week. */
export async function requestRanks(sql: Sql, { partition, id }: { partition: number; id: bigint }): Promise<void> {
  await sql.run(
    `UPDATE collection SET rarity_asked_at = now()
     WHERE partition = $1 AND id = $2 AND coalesce(rarity_asked_at, '-infinity') < now() - ${sameRequest}`,
    [partition, id],
  )
}

/** The collection with outdated ranks that waited longest, among those that this process serves. */
export async function nextUnranked(sql: Sql, served: Served): Promise<RowOf<typeof dueRow> | undefined> {
  const [row] = await sql.rows(
    `SELECT ${dueRow.columns} FROM collection
     WHERE rarity_asked_at > now() - ${requestedFor} AND status = 'live' AND ${isServed('partition', 'chain_id')}
       AND rarity_version IS DISTINCT FROM traits_version AND coalesce(rarity_due_at, '-infinity') <= now()
     ORDER BY coalesce(rarity_due_at, '-infinity') LIMIT 1`,
    servedValues(served),
  )
  return row && dueRow.decode(row)
}

/** Updates requested ranks, one collection after another. Ends with the signal. */
export async function rankCollections(options: RankCollectionsOptions): Promise<void> {
  const { leases, db, workPriority, log, signal } = options

  async function step(): Promise<'moved' | 'idle'> {
    const collection = await nextUnranked(db, leases.served())
    const worker = collection && leases.serving(collection)
    if (!collection || worker === undefined) return 'idle'
    try {
      const isRanked = await workPriority.schedule('ranks', signal, () => rankTokens(db, collection, worker, pauseMs))
      return isRanked ? 'moved' : 'idle'
    } catch (error) {
      // Others come first: otherwise it would remain the longest waiting one.
      await db.run(putOff, [collection.partition, collection.id, pauseMs]).catch(() => undefined)
      throw error
    }
  }

  await run({ name: 'rank rarity', step, idleMs: 1_000, signal, log })
}
