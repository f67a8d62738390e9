import { MintmarkError } from '../errors.ts'
import { hasCitus, type PlacedTable, readPlaces } from './citus.ts'
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
  const [[coordinator] = [false]] = await db.rows<[boolean]>('SELECT citus_is_coordinator()')
  if (!coordinator)
    throw new NotDistributableError(
      'the database is a worker of a Citus cluster: name its coordinator in --database-url',
    )
  const { nodes, shards: present } = await readNodes(db)
  const taking = nodes.filter((node) => node.takesRows).map(({ name }) => name)
  if (taking.length === 0)
    throw new NotDistributableError(
      `the cluster has no node that takes rows: add one on its coordinator, SELECT citus_add_node('HOST', PORT)`,
    )
  if (present > 0 && shards !== undefined && shards !== present)
    throw new NotDistributableError(
      `the tables stand in ${present} shards: leave --shards out, or split them first, SELECT alter_distributed_table('collection', shard_count => ${shards}, cascade_to_colocated => true)`,
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
