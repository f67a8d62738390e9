import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { bufferToHex, type Hex } from '../../util/hex.ts'
import { coveredTo } from '../collection/coveredTo.ts'
import type { SkippedCounts } from '../query.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'
import { lastPositionOf } from '../transfers/position.ts'

/**
 * Collection $2 in partition $1, its chain, and the chain's block `number` if it can be undone, or could recently.
 * During history, data comes only from final blocks, even if the chain is followed on an undone fork. A collection that
 * catches up in parts has data of followed blocks.
 */
const collectionAt = (number: string) => `
FROM collection c LEFT JOIN chain h ON h.id = c.chain_id LEFT JOIN block b ON b.chain_id = c.chain_id AND b.number = ${number}
  AND (c.status IN ('live', 'none') OR c.stored_of_next IS NOT NULL OR b.number <= h.finalized_number)
WHERE c.partition = $1 AND c.id = $2`

const blockAtRow = defineRow({
  chainId: column.int8('c.chain_id'),
  standard: column.text<Standard>('c.standard').orNull(),
  mixed: column.bool('c.mixed'),
  fromBlock: column.int8('c.from_block').orNull(),
  toBlock: column.int8(coveredTo).orNull(),
  hash: column
    .bytea(`coalesce(b.hash, (SELECT m.hash FROM chain_mark m WHERE m.chain_id = c.chain_id AND m.number = $4))`)
    .map(bufferToHex)
    .orNull(),
  oversizedLogs: column.int8(
    `(SELECT count(*) FROM left_out l WHERE l.partition = $1 AND l.collection_id = $2 AND l.position <= $3 AND l.reason = 'wide')`,
  ),
  overLimitTransfers: column.int8(
    `(SELECT coalesce(sum(l.transfers), 0)::int8 FROM left_out l
      WHERE l.partition = $1 AND l.collection_id = $2 AND l.position <= $3 AND l.reason = 'surplus')`,
  ),
})

/** A block of a collection's chain, with the collection's coverage at its end. */
export type BlockAt = {
  chainId: bigint
  /** null: not known yet. */
  standard: Standard | null
  /** As in `CollectionState`. */
  mixed: boolean
  /** The state at the end of the block is known: all blocks up to it are covered, or nothing happened up to it. */
  covered: boolean
  /** The first block to read; null: not known yet. */
  fromBlock: bigint | null
  /** The last block at whose end the state is known; null: none. */
  toBlock: bigint | null
  /**
   * The current hash of the block, if the database has it, as for each block that can be undone. For final blocks,
   * hashes of transfers are not used: some nodes return one invalid hash in the logs of several blocks.
   */
  hash: Hex | null
  /** Omissions of the collection up to the end of the block. */
  skipped: SkippedCounts
}

/** Coverage of a collection at the end of a block. undefined: the collection was removed. */
export async function readBlockAt(
  sql: Sql,
  { partition, id }: { partition: number; id: bigint },
  number: bigint,
): Promise<BlockAt | undefined> {
  const values = [partition, id, lastPositionOf(number), number]
  const [row] = await sql.rows(`SELECT ${blockAtRow.columns} ${collectionAt('$4')}`, values)
  if (!row) return undefined
  const { oversizedLogs, overLimitTransfers, toBlock: covered, ...rest } = blockAtRow.decode(row)
  const { fromBlock } = rest
  // Nothing happened before the first block, however far history is.
  const before = fromBlock !== null && fromBlock > 0n ? fromBlock - 1n : null
  const toBlock = covered !== null && covered > (before ?? -1n) ? covered : before
  return {
    ...rest,
    toBlock,
    covered: toBlock !== null && number <= toBlock,
    skipped: { oversizedLogs, overLimitTransfers },
  }
}

/**
 * SQL expression: whether the state of collection $2 in partition $1 at the end of a block still belongs to the block
 * with this hash. Null: the collection was removed. A statement with this expression reads its other rows in the same
 * snapshot.
 */
export const stillAt = (number: string, hash: string) =>
  `(SELECT coalesce(b.hash = ${hash}, true) AND (${number} < c.from_block OR ${number} <= ${coveredTo}) ${collectionAt(number)})`
