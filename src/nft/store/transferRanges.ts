import type { Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { positionsPerRange } from '../transfers/position.ts'
import type { UndoneTransfers } from '../transfers/transfer.ts'
import type { CollectionKey, TransferGroup } from '../transfers/transferGroup.ts'

/** A range of blocks with transfers of a collection. */
type MovedRange = { collection: CollectionKey; range: number }

const movedRange = defineLists<MovedRange>({
  partition: list.int2(({ collection }) => collection.partition),
  chain_id: list.int8(({ collection }) => collection.chainId),
  range: list.int8(({ range }) => range),
  collection_id: list.int8(({ collection }) => collection.id),
})

/**
 * Stores the block ranges of these transfers. The first and last one may already be stored. The caller holds the locks of the collections, so nobody
 * else writes their ranges.
 */
export async function noteRanges(tx: Transaction, groups: readonly TransferGroup[]): Promise<void> {
  const moved = groups.flatMap(({ collection, ranges }) => ranges.map((range) => ({ collection, range })))
  if (moved.length > 0) await tx.run(insertRanges, movedRange.lists(moved))
}

const insertRanges = `
INSERT INTO transfer_range (${movedRange.columns}) SELECT * FROM ${movedRange.unnest()} ON CONFLICT DO NOTHING`

/** Deletes ranges in which the collections have no transfers any more, after those from `firstPosition` are deleted. */
export async function revertRanges(
  tx: Transaction,
  chainId: bigint,
  firstPosition: bigint,
  undone: UndoneTransfers,
): Promise<void> {
  await tx.fresh.run(deleteRanges(undone), [chainId, firstPosition])
}

const deleteRanges = ({ collections, of }: UndoneTransfers) => `
DELETE FROM transfer_range r USING ${collections}
WHERE r.partition = c.partition AND r.chain_id = $1 AND r.range >= $2::int8 / ${positionsPerRange} AND r.collection_id = c.collection_id${of('r')}
  AND NOT EXISTS (
    SELECT 1 FROM transfer t
    WHERE t.partition = r.partition AND t.collection_id = r.collection_id
      AND t.position >= r.range * ${positionsPerRange} AND t.position < (r.range + 1) * ${positionsPerRange}
  )`
