import { MintmarkError } from '../../util/errors.ts'
import { isCitus, isDistributed, type PlacedTable, readPlaces, rejectWorker } from '../cluster/citus.ts'
import { readNodes } from '../cluster/readNodes.ts'
import type { Database, Sql } from '../database.ts'
import { migrationLock } from './migrate.ts'
import { first, inOrder, placeTable } from './placeTables.ts'

/** The database cannot be distributed: it has no Citus, is not a coordinator, or no node accepts rows. */
export class NotDistributableError extends MintmarkError {
  readonly code = 'NOT_DISTRIBUTABLE'
}

/** The planned work of `distribute`. */
export type DistributionPlan = {
  /** Nodes that accept rows, as host:port. */
  nodes: string[]
  shards: number
  tables: PlacedTable[]
}

/**
 * The plan of a distribution in `shards` shards; undefined: the existing number, or at first the coordinator's setting (`citus.shard_count`). Throws
 * NotDistributableError if the database cannot be distributed.
 */
export async function planDistribution(db: Database, shards: number | undefined): Promise<DistributionPlan> {
  if (!(await isCitus(db)))
    throw new NotDistributableError(
      'the database has no Citus (https://docs.citusdata.com): --distribute is for the coordinator of a Citus cluster; without it, everything works on this one server',
    )
  await rejectWorker(db)
  const { nodes, shards: present } = await readNodes(db)
  const taking = nodes.filter((node) => node.takesRows).map(({ name }) => name)
  if (taking.length === 0)
    throw new NotDistributableError(
      `the cluster has no node that takes rows: in this database, SELECT citus_set_coordinator_host('HOST', PORT), then for each node SELECT citus_add_node('HOST', PORT)`,
    )
  if (present > 0 && shards !== undefined && shards !== present)
    throw new NotDistributableError(
      `the tables are in ${present} shards, and this number is permanent: omit --shards (on its coordinator, citus_split_shard_by_split_points divides a shard)`,
    )
  const [[usual] = [0]] = await db.rows<[number]>(`SELECT current_setting('citus.shard_count')::int`)
  return { nodes: taking, shards: present || (shards ?? usual), tables: await readPlaces(db) }
}

/** The advisory lock, any fixed number, that a session holds while it distributes tables. */
const distributionLock = 7_205_746_602

/** The tables are being distributed, or only some of them are. */
export class DistributionUnfinishedError extends MintmarkError {
  readonly code = 'DISTRIBUTION_UNFINISHED'
}

/** Throws DistributionUnfinishedError if servers must not start to work on the tables of a cluster. */
export async function rejectUnfinished(db: Database): Promise<void> {
  if (!(await isDistributed(db))) return
  const lock = (tx: Sql) => tx.rows<[boolean]>('SELECT pg_try_advisory_xact_lock_shared($1)', [distributionLock])
  const [[isFree] = [false]] = await db.transaction(lock)
  if (!isFree)
    throw new DistributionUnfinishedError(
      'the tables are being distributed: start again when "mintmark migrate --distribute" has ended',
    )
  const undistributed = (await readPlaces(db)).filter(({ placed }) => !placed).length
  if (undistributed > 0)
    throw new DistributionUnfinishedError(
      `the distribution of the tables was interrupted, ${undistributed} remain: run "mintmark migrate --distribute" again to continue`,
    )
}

/** Most shards that one transaction creates for empty tables: the nodes lock each, with its indexes, until it commits. */
const mostShards = 512

/**
 * Distributes each table with its rows, each non-empty one in its own transaction. After an interruption it continues with the remaining tables. No
 * server may run meanwhile, and none starts.
 */
export async function distribute(
  db: Database,
  options: { plan: DistributionPlan; onTable(table: PlacedTable): void },
): Promise<void> {
  const session = await db.connect()
  try {
    await session.query('SELECT pg_advisory_lock($1)', [distributionLock])
    await placeAll(db, options)
  } finally {
    await session.end()
  }
}

async function placeAll(
  db: Database,
  { plan, onTable }: { plan: DistributionPlan; onTable(table: PlacedTable): void },
): Promise<void> {
  for (const tables of await inTransactions(db, plan)) {
    await db.transaction(async (tx) => {
      await tx.rows('SELECT pg_advisory_xact_lock($1)', [migrationLock])
      // One shard after another over one connection per node: further connections cost more than the shards of an empty table.
      await tx.script(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`)
      // Another program may have been faster.
      const now = await readPlaces(tx)
      for (const table of tables)
        if (now.find((one) => one.table === table.table)?.placed === false) await placeTable(tx, table, plan.shards)
    })
    for (const table of tables) onTable(table)
  }
}

/** The remaining tables in order, grouped by transaction. Opening a transaction on all nodes takes longer than an empty table. */
async function inTransactions(db: Database, { tables, shards }: DistributionPlan): Promise<PlacedTable[][]> {
  const undistributed = inOrder(tables.filter(({ placed }) => !placed))
  const rows = await db.rows<[string]>(
    'SELECT name FROM unnest($1::text[]) AS t (name) WHERE pg_relation_size(to_regclass(quote_ident(name))) = 0',
    [undistributed.map(({ table }) => table)],
  )
  const empty = new Set(rows.map(([name]) => name))
  const groups: PlacedTable[][] = []
  let capacity = 0
  for (const table of undistributed) {
    // The table with which all others are colocated exists before them.
    const isEmpty = empty.has(table.table) && table.table !== first
    if (isEmpty && capacity >= shards) groups.at(-1)!.push(table)
    else groups.push([table])
    capacity = isEmpty ? (capacity >= shards ? capacity : mostShards) - shards : 0
  }
  return groups
}
