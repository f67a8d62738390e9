import pg from 'pg'
import { isDistributed, type PlacedTable, readPlaces } from '../cluster/citus.ts'
import type { Transaction } from '../database.ts'

/** Brings tables to where they belong that a migration made in a database that is distributed; no other ones are touched. */
export async function placeNewTables(tx: Transaction): Promise<void> {
  if (!(await isDistributed(tx))) return
  const tables = await readPlaces(tx)
  // Otherwise a distribution was interrupted, and its next run continues.
  if (!tables.some(({ table, placed }) => table === first && placed)) return
  for (const table of inOrder(tables.filter(({ placed }) => !placed))) await placeTable(tx, table, undefined)
}

/** The table that all others of the group are placed with. */
export const first = 'collection'

/**
 * In the order in which tables are placed. Those that the rows of others are joined with come first, so that a cut leaves no join that is impossible.
 * Citus locks them in this order when it copies them to a further node: `chain` before all others, as transactions do.
 */
export function inOrder(tables: readonly PlacedTable[]): PlacedTable[] {
  const rank = ({ table, place }: PlacedTable) =>
    table === 'chain' ? 0 : place === 'everywhere' ? 1 : table === first ? 2 : 3
  return [...tables].sort((a, b) => rank(a) - rank(b))
}

/**
 * Moves a table with its rows to where it belongs. `shards`: how many of them the group is made of, where this is its first table;
 * undefined: the group is there.
 */
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
  // The rows were copied, and what they were copied from is hidden behind the table.
  await tx.fresh.rows('SELECT truncate_local_data_after_distributing_table($1::text::regclass)', [name])
}
