import { isUniqueViolation } from '../../db/databaseError.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import type { Within } from '../../db/staging/stagingTables.ts'
import { partitionSql } from '../../sync/partition.ts'
import { zeroBytes } from '../transfers/transfer.ts'
import type { PendingUpdate } from './walletUpdates.ts'

export const updateKey = defineLists<PendingUpdate>({
  partition: list.int2((row) => row.partition),
  collection_id: list.int8((row) => row.collectionId),
  id: list.int8((row) => row.id),
})

/** The queue rows, as `d`. */
export const updateRows = (of: Within) => `${updateKey.unnest(1, 'k')}
  JOIN wallet_due d ON d.partition = k.partition AND d.collection_id = k.collection_id AND d.id = k.id${of('d')}`

/** The transfers of rows `d`, as `t`, without undone ones. */
export const moved = `transfer t ON t.partition = d.partition AND t.collection_id = d.collection_id
  AND (t.position, t.item) >= (d.from_position, d.from_item) AND (t.position, t.item) <= (d.to_position, d.to_item)
  AND d.undone_wallets IS NULL`

/**
 * Calls `attempt`, which runs the given statement in a transaction. The statement inserts the transfers of queue rows, the lists $1 to $3, for their
 * wallets. Usually none exists yet, and a check for duplicates takes half as long again, so it runs only after one was found. After an undone block,
 * two queue rows may contain the same position.
 */
export function writeMoved<T>(of: Within, attempt: (insert: string) => Promise<T>): Promise<T> {
  const insert = insertMoved(of)
  return attempt(insert).catch((error: unknown) => {
    if (isUniqueViolation(error)) return attempt(`${insert} ON CONFLICT DO NOTHING`)
    throw error
  })
}

/** Both sides of each transfer; one row for a transfer to oneself. */
const insertMoved = (of: Within) => `
INSERT INTO wallet_transfer (partition, chain_id, wallet, position, item, collection_id, collection_partition)
SELECT ${partitionSql('d.chain_id', 'side.wallet')} AS wallet_partition, d.chain_id, side.wallet, t.position, t.item, d.collection_id, d.partition
FROM ${updateRows(of)} JOIN ${moved}
CROSS JOIN LATERAL (VALUES (t.from_address), (CASE WHEN t.to_address <> t.from_address THEN t.to_address END)) AS side (wallet)
WHERE side.wallet <> ${zeroBytes}
ORDER BY wallet_partition, d.chain_id, side.wallet, t.position, t.item`
