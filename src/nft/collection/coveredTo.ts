import { column } from '../../db/defineRow.ts'
import { bufferToHex, type Hex } from '../../util/hex.ts'

/**
 * SQL of the last block up to which collection `c` is covered without a gap; null: no block is. `h` is its chain. A live collection is covered
 * as far as its chain is followed, any other one as far as its own coverage goes. A contract that is known to have no NFTs will have none in
 * later blocks either, so it is covered up to the head.
 */
export const coveredTo = `CASE
  WHEN c.status = 'live' THEN h.block_number
  WHEN c.status = 'none' AND c.reason IS NULL THEN coalesce(h.head_number, c.to_block)
  ELSE c.to_block
END`

/**
 * The stored columns that decide the position of collection `c`. The process computes the position: an expression in SQL takes longer to plan, on a
 * cluster in each run.
 */
export const standingColumns = {
  status: column.text('c.status'),
  reason: column.text('c.reason').orNull(),
  version: column.int8('c.version'),
  storedTo: column.int8('c.to_block').orNull(),
  headBlock: column.int8('h.head_number').orNull(),
  followedTo: column.int8('h.block_number').orNull(),
  followedHash: column.bytea('h.block_hash').map(bufferToHex).orNull(),
}

type Stored = {
  status: string
  reason: string | null
  version: bigint
  storedTo: bigint | null
  headBlock: bigint | null
  followedTo: bigint | null
  followedHash: Hex | null
}

/** Result of `coveredTo`. */
export function coveredToOf({ status, reason, storedTo, headBlock, followedTo }: Omit<Stored, 'version'>) {
  if (status === 'live') return followedTo
  return status === 'none' && reason === null ? (headBlock ?? storedTo) : storedTo
}

/**
 * The state of a collection, as one text: its version, and the block at whose end its transfers are, by number and while its chain
 * is followed by hash. Both are others wherever the transfers are.
 */
export function standingOf(stored: Stored): string {
  const { status, version, followedHash } = stored
  const block = [coveredToOf(stored), status === 'live' ? (followedHash?.slice(2) ?? null) : null]
  return [version, ...block.filter((part) => part !== null)].join(' ')
}
