import type { Transaction } from '../../db/database.ts'
import { isServedBy } from '../../sync/leases/served.ts'

/**
 * The order in which rows of collections are locked, so that no two transactions wait for each other:
 *
 * 1. A transaction that changes several collections one after another, as the chain's follower does block by block, locks the chain's
 *    row first. So of two such transactions of a chain one waits there.
 * 2. Collections that are locked together are locked in the order of `partition` and `id` (`lockCollections`, `lockCollectionsWhere`).
 * 3. A transaction locks a collection before it changes the collection's rows in tables of metadata (`lockCollection`).
 * 4. A statement that takes some of many collections waits for none: `skipHeld` omits those that other transactions hold.
 */
export const lockCollection = 'SELECT 1 FROM collection WHERE partition = $1 AND id = $2 FOR UPDATE'

/** Locks a collection, or a row of a similar table. False: it was removed, or another worker serves it. */
export async function lockServedCollection(
  tx: Transaction,
  { partition, id }: { partition: number; id: bigint },
  worker: number,
  table: 'collection' | 'wallet' = 'collection',
): Promise<boolean> {
  const [row] = await tx.rows<[bigint]>(`SELECT chain_id FROM ${table} WHERE partition = $1 AND id = $2 FOR UPDATE`, [
    partition,
    id,
  ])
  return row !== undefined && isServedBy(tx, { partition, chainId: row[0] }, worker)
}

/**
 * Locks a collection whose latest blocks are being undone, and returns the last block to keep. undefined: nothing to
 * undo, or removed.
 */
export async function lockUndone(
  tx: Transaction,
  { partition, id }: { partition: number; id: bigint },
): Promise<bigint | undefined> {
  const [row] = await tx.rows<[bigint]>(
    'SELECT undo_above FROM collection WHERE partition = $1 AND id = $2 AND undo_above IS NOT NULL FOR UPDATE',
    [partition, id],
  )
  return row?.[0]
}

const lockOfPartition = `
SELECT id, tokens FROM collection WHERE partition = $1 AND id = ANY($2::bigint[]) ORDER BY id FOR UPDATE`

/** Locks collections in order, one statement per partition, and returns the existing ones. */
export async function lockCollections(
  tx: Transaction,
  keys: readonly { partition: number; id: bigint }[],
): Promise<{ id: bigint; tokens: bigint }[]> {
  const locked: { id: bigint; tokens: bigint }[] = []
  const partitions = Map.groupBy(keys, ({ partition }) => partition)
  for (const [partition, ofPartition] of [...partitions].sort(([a], [b]) => a - b)) {
    const ids = [...new Set(ofPartition.map(({ id }) => id))]
    const rows = await tx.rows<[bigint, bigint]>(lockOfPartition, [partition, ids])
    for (const [id, tokens] of rows) locked.push({ id, tokens })
  }
  return locked
}

/** Locks the collections of a table or subquery with `partition` and `collection_id`. */
export async function lockCollectionsOf(tx: Transaction, tokens: string): Promise<void> {
  const rows = await tx.fresh.rows<[number, bigint]>(`SELECT DISTINCT partition, collection_id FROM ${tokens}`)
  await lockCollections(
    tx,
    rows.map(([partition, id]) => ({ partition, id })),
  )
}

/** Locks collections `c` by a condition. */
export async function lockCollectionsWhere(
  tx: Transaction,
  condition: string,
  values: unknown[],
): Promise<{ id: bigint; tokens: bigint }[]> {
  const rows = await tx.rows<[number, bigint]>(`SELECT c.partition, c.id FROM collection c WHERE ${condition}`, values)
  return lockCollections(
    tx,
    rows.map(([partition, id]) => ({ partition, id })),
  )
}

/** End of a SELECT that takes some of many collections: skips those that other transactions have locked. */
export const skipHeld = 'FOR NO KEY UPDATE SKIP LOCKED'
