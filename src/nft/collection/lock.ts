import type { Transaction } from '../../db/database.ts'
import { servedBy } from '../../sync/leases/served.ts'

/**
 * The order in which rows of collections are locked, so that no two transactions wait for each other:
 *
 * 1. A transaction that changes several collections one after another, as the chain's follower does block by block, locks the chain's
 *    row first. So of two such transactions of a chain one waits there.
 * 2. Collections that are locked together are locked in the order of `partition` and `id` (`lockCollections`, `lockCollectionsWhere`).
 * 3. A transaction locks a collection before it changes the collection's rows in tables of metadata (`lockCollection`).
 * 4. A statement that takes some of many collections waits for none: `skipHeld` leaves out those that other transactions hold.
 */
export const lockCollection = 'SELECT 1 FROM collection WHERE partition = $1 AND id = $2 FOR UPDATE'

/** `lockCollection` where worker $3 serves the collection; no row: another worker does. */
export const lockServedCollection = `
SELECT 1 FROM collection WHERE partition = $1 AND id = $2 AND ${servedBy('$1', 'chain_id', '$3')} FOR UPDATE`

const inOrder = 'ORDER BY c.partition, c.id FOR UPDATE OF c'

/** SQL that locks all collections that a table, or what stands for one, names by `partition` and `collection_id`. */
export function lockCollections(tokens: string): string {
  return `
SELECT 1 FROM collection c JOIN (SELECT DISTINCT partition, collection_id FROM ${tokens}) t
  ON c.partition = t.partition AND c.id = t.collection_id
${inOrder}`
}

/** Locks the collections `c` for which a condition holds. */
export async function lockCollectionsWhere(
  tx: Transaction,
  condition: string,
  values: unknown[],
): Promise<{ id: bigint; tokens: bigint }[]> {
  const rows = await tx.rows<[bigint, bigint]>(
    `SELECT c.id, c.tokens FROM collection c WHERE ${condition} ${inOrder}`,
    values,
  )
  return rows.map(([id, tokens]) => ({ id, tokens }))
}

/** The end of a SELECT that takes some of many collections: it leaves those that another transaction holds for later. */
export const skipHeld = 'FOR NO KEY UPDATE SKIP LOCKED'
