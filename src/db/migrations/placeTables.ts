import pg from 'pg'
import { isDistributed, type PlacedTable, readPlaces } from '../cluster/citus.ts'
import type { Transaction } from '../database.ts'

/** Places the tables that a migration created in a distributed database; other tables stay unchanged. */
export async function placeNewTables(tx: Transaction): Promise<void> {
  if (!(await isDistributed(tx))) return
  const tables = await readPlaces(tx)
  // Otherwise a distribution was interrupted, and its next run continues.
  if (!tables.some(({ table, placed }) => table === first && placed)) return
  for (const table of inOrder(tables.filter(({ placed }) => !placed))) await placeTable(tx, table, undefined)
}

/** The table with which all others of the group are colocated. */
export const first = 'collection'

/**
 * The order in which tables are placed. Tables that others are joined with come first, so that an interruption leaves no impossible join. Citus locks
 * them in this order when it copies them to another node: `chain` before all others, as transactions do.
 */
export function inOrder(tables: readonly PlacedTable[]): PlacedTable[] {
  const rank = ({ table, place }: PlacedTable) =>
    table === 'chain' ? 0 : place === 'everywhere' ? 1 : table === first ? 2 : 3
  return [...tables].sort((a, b) => rank(a) - rank(b))
}

/** Moves a table with its rows to its place. `shards`: the number of shards if this is the first table of the group; undefined: the group exists. */
export async function placeTable(
  tx: Transaction,
  { table, place }: PlacedTable,
  shards: number | undefined,
): Promise<void> {
  const name = pg.escapeIdentifier(table)
  if (place === 'everywhere') {
    await tx.fresh.rows('SELECT create_reference_table($1::text::regclass)', [name])
  } else {
    if (shards !== undefined) await tx.fresh.rows(`SELECT set_config('citus.shard_count', $1, true)`, [String(shards)])
    await tx.fresh.rows(`SELECT create_distributed_table($1::text::regclass, 'partition', colocate_with => $2)`, [
      name,
      table === first ? 'none' : first,
    ])
  }
  // The rows were copied, and the distributed table hides the original ones.
  await tx.fresh.rows('SELECT truncate_local_data_after_distributing_table($1::text::regclass)', [name])
}
