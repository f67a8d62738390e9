import type { Transaction } from '../../db/database.ts'
import { servedBy } from '../../sync/leases/served.ts'

/**
 * The order in which rows of collections are locked, so that no two transactions wait for each other:
 *
 * 1. The chain's row comes first, of a transaction that changes more than one collection at different times, as the chain's follower does
 *    block by block: of two such one waits at the chain.
 * 2. Collections that are locked at once are locked in the order of `partition` and `id` (`lockCollections`, `lockCollectionsWhere`).
 * 3. A collection is locked before its rows in other tables of metadata are changed (`lockCollection`).
 * 4. A statement that takes some of many collections waits for none: `skipHeld` leaves out what others hold.
 */
export const lockCollection = 'SELECT 1 FROM collection WHERE partition = $1 AND id = $2 FOR UPDATE'

/** `lockCollection` for worker $3, who reads the collection; no row: another worker does. */
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

/** The end of a SELECT of collections of which a statement takes some: those that a transaction holds just now are left for later. */
export const skipHeld = 'FOR NO KEY UPDATE SKIP LOCKED'
