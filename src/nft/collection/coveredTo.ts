import { column, type ValuesOf } from '../../db/defineRow.ts'
import { bufferToHex } from '../../util/hex.ts'

/**
 * SQL of the last block up to which collection `c` is covered without a gap; null: none. `h` is its chain. A live
 * collection is covered to the cursor of its chain, others to their own coverage. A contract without NFTs will not have
 * any later, so it is covered up to the head.
 */
export const coveredTo = `CASE
  WHEN c.status = 'live' THEN h.block_number
  WHEN c.status = 'none' AND c.reason IS NULL THEN coalesce(h.head_number, c.to_block)
  ELSE c.to_block
END`

/**
 * Stored columns that determine the position of collection `c`. The process computes it, as planning the SQL expression
 * takes longer, on a cluster at each run.
 */
export const syncPositionColumns = {
  status: column.text('c.status'),
  reason: column.text('c.reason').orNull(),
  version: column.int8('c.version'),
  storedTo: column.int8('c.to_block').orNull(),
  headBlock: column.int8('h.head_number').orNull(),
  followedTo: column.int8('h.block_number').orNull(),
  followedHash: column.bytea('h.block_hash').map(bufferToHex).orNull(),
}

type Stored = ValuesOf<typeof syncPositionColumns>

export function coveredToOf({ status, reason, storedTo, headBlock, followedTo }: Omit<Stored, 'version'>) {
  if (status === 'live') return followedTo
  return status === 'none' && reason === null ? (headBlock ?? storedTo) : storedTo
}

/**
 * The state of a collection as one text: its version, and the block of its transfers, by number and, while its chain is
 * followed, by hash. Both change whenever the transfers change.
 */
export function syncPositionOf(stored: Stored): string {
  const { status, version, followedHash } = stored
  const block = [coveredToOf(stored), status === 'live' ? (followedHash?.slice(2) ?? null) : null]
  return [version, ...block.filter((part) => part !== null)].join(' ')
}

/**
 * SQL condition: a row of `collection` is a requested collection. Others are contracts of wallets' tokens that nobody
 * requested (`nft/walletHistory`). There may be millions, so indexes of lists omit them, and statements on many
 * collections have this condition.
 */
export const isCollection = (row = 'collection') => `${row}.status <> 'known'`

/** SQL condition: the contract returned no name, or an empty one. */
export const isNameless = (row = 'collection') => `coalesce(${row}.name, '') = ''`

/**
 * SQL condition: the contract of a requested collection was not checked yet. Its standard is the one by which it became known, which pages show;
 * indexing ignores it.
 */
export const isUnchecked = (row = 'collection') =>
  `(${row}.status IN ('queued', 'failed') AND ${row}.checked_at IS NULL)`
