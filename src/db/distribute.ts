import { MintmarkError } from '../errors.ts'
import { hasCitus, type PlacedTable, readPlaces, refuseWorker } from './citus.ts'
import type { Database } from './database.ts'
import { migrationLock } from './migrate.ts'
import { inOrder, placeTable } from './placeTables.ts'
import { readNodes } from './readNodes.ts'

/** The database cannot be distributed: it has no Citus, is no coordinator, or has no node that takes rows. */
export class NotDistributableError extends MintmarkError {
  readonly code = 'NOT_DISTRIBUTABLE'
}

/** What `distribute` is about to do. */
export type DistributionPlan = {
  /** Nodes that take rows, as host:port. */
  nodes: string[]
  shards: number
  tables: PlacedTable[]
}

/**
 * The plan of a distribution in `shards` shards; undefined: as many as there are, or, at first, as the coordinator is set to make
 * (`citus.shard_count`). Throws NotDistributableError where the database has no plan.
 */
export async function planDistribution(db: Database, shards: number | undefined): Promise<DistributionPlan> {
  const [[citus] = [false]] = await db.rows<[boolean]>(`SELECT ${hasCitus}`)
  if (!citus)
    throw new NotDistributableError(
      'the database has no Citus (https://docs.citusdata.com): --distribute is for the coordinator of a Citus cluster; without it, everything works on this one server',
    )
  await refuseWorker(db)
  const { nodes, shards: present } = await readNodes(db)
  const taking = nodes.filter((node) => node.takesRows).map(({ name }) => name)
  if (taking.length === 0)
    throw new NotDistributableError(
      `the cluster has no node that takes rows: in this database, SELECT citus_set_coordinator_host('HOST', PORT), then for each node SELECT citus_add_node('HOST', PORT)`,
    )
  if (present > 0 && shards !== undefined && shards !== present)
    throw new NotDistributableError(
      `the tables stand in ${present} shards, whose number cannot be chosen anew: leave --shards out (on its coordinator, citus_split_shard_by_split_points divides a shard)`,
    )
  const [[usual] = [0]] = await db.rows<[number]>(`SELECT current_setting('citus.shard_count')::int`)
  return { nodes: taking, shards: present || (shards ?? usual), tables: await readPlaces(db) }
}

/**
 * Brings each table to where it belongs, with its rows, a transaction for each: one that is cut goes on with the tables that are left.
 * No server may run meanwhile.
 */
export async function distribute(
  db: Database,
  { plan, onTable }: { plan: DistributionPlan; onTable(table: PlacedTable): void },
): Promise<void> {
  for (const table of inOrder(plan.tables.filter(({ placed }) => !placed))) {
    await db.transaction(async (tx) => {
      await tx.rows('SELECT pg_advisory_xact_lock($1)', [migrationLock])
      // Another program may have been faster.
      const now = (await readPlaces(tx)).find((one) => one.table === table.table)
      if (now?.placed === false) await placeTable(tx, table, plan.shards)
    })
    onTable(table)
  }
}
