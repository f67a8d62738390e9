import type { Header, InternalTransfer, RpcLog, RpcReceipt, RpcTransaction } from '../chain/evm/rpc/rpc.ts'
import type { Transaction } from '../db/database.ts'
import { MintmarkError } from '../util/errors.ts'
import { smaller } from '../util/extremes.ts'
import type { Address, Hex } from '../util/hex.ts'
import type { Followed } from './catchUpCost.ts'

/** A block by number and hash. */
export type BlockName = { number: bigint; hash: Hex }

/** A block for handlers. */
export type FollowedBlock = {
  header: Header
  /** All logs of the block with the handler's first topics. */
  logs: readonly RpcLog[]
  /** The block is not final: a handler stores the data to undo it. */
  undoable: boolean
  /** Further parts, read once on first request. They belong to exactly this block, by its hash. */
  transactions(): Promise<readonly RpcTransaction[]>
  receipts(): Promise<readonly RpcReceipt[]>
  internalTransfers(): Promise<readonly InternalTransfer[]>
  /** Native balances after the block, in the order of the addresses. */
  balances(addresses: readonly Address[]): Promise<bigint[]>
}

/** A handler needs further parts of the blocks, so the follower reads them again. Not a failure. */
export class ReadAgainError extends MintmarkError {
  readonly code = 'READ_AGAIN'
  override readonly retryable = true
}

/** The chain's cursor, for collections and streams that join the chain. */
export type ChainCursor = BlockName & {
  finalized: bigint
  /** The worker that follows the chain. A joining transaction checks that it still does. */
  worker: number
}

/** The effects of a committed step. */
export type CommittedStep = {
  /** Blocks above this one were undone. */
  fork: bigint
  blocks: readonly FollowedBlock[]
  finalized: bigint
  /** Collections and streams returned to history. */
  released: boolean
}

/** Contracts whose logs must not be missed. */
export type Watched = { readonly size: number; has(address: Address): boolean; keys(): Iterable<Address> }

/** Union of watched contracts without a copy, as there may be a hundred thousand. */
export function unionOf(all: readonly Watched[]): Watched {
  const filled = all.filter(({ size }) => size > 0)
  if (filled.length === 1) return filled[0]!
  return {
    size: filled.reduce((sum, { size }) => sum + size, 0),
    has: (address) => filled.some((watched) => watched.has(address)),
    *keys() {
      for (const watched of filled) yield* watched.keys()
    },
  }
}

/**
 * A product's handler of the followed blocks of a chain. Calls with `tx` are within the single transaction that moves the chain's cursor. That may
 * fail, and the same step may be repeated. So a handler changes its memory only in `committed`, or in a way that is right in both cases. Then a
 * million addresses are loaded once, not after each node error.
 */
export type BlockHandler = {
  /** First topics of the handler's logs; null: every log; none: it needs no logs now. Read before each read of blocks. */
  readonly topics: readonly Hex[] | null
  /** Contracts whose logs must not be missed. If a block's bloom filter contains one and the node returned no log of it, receipts decide. */
  watched(): Watched
  /** Topics of addresses: logs with one of them must not be missed either. Default: none. */
  parties?(): readonly Hex[]
  /** Number of followed collections and streams, for the estimated cost of reading missed blocks as history. */
  followed(): Followed
  /** Before the transaction: reads what applying these blocks needs, so that the transaction is short. */
  prepare?(step: { fork: bigint; blocks: readonly FollowedBlock[] }): Promise<void>
  /** Number of these consecutive blocks that fit into one transaction, at least one. Default: all. */
  fitting?(blocks: readonly FollowedBlock[]): number
  /** Applies the next block. Throws ReadAgainError if it needs logs that were not read. */
  apply(tx: Transaction, block: FollowedBlock): Promise<void>
  /**
   * The block down to which one transaction undoes, between `fork` and the cursor, to limit its work. The remaining blocks above `fork` are undone
   * afterwards. Default: `fork`.
   */
  undoTo?(fork: bigint, cursor: ChainCursor): Promise<bigint>
  /** Undoes every block above `fork`. */
  revert(tx: Transaction, fork: bigint): Promise<void>
  /** Blocks up to `number` are now final. */
  finalize(tx: Transaction, number: bigint): Promise<void>
  /** Returns all collections and streams to history, which continues above `number`, as the missed blocks cost less there. */
  release(tx: Transaction, number: bigint): Promise<void>
  /** The transaction of a step is committed. */
  committed(step: CommittedStep): void
  /**
   * Called between two steps at the head: joins collections and streams whose history has reached the followed blocks. True if it did something. Long
   * work is started here and continues beside following.
   */
  join(cursor: ChainCursor, signal: AbortSignal): Promise<boolean>
  /** Ends the handler's background work. */
  close?(): Promise<void>
}

/**
 * The last block at which a collection's history may end when it joins. History has only blocks that nodes report as final. Above the stored final
 * block, the chain may still be followed on an undone fork.
 */
export const lastFinal = ({ number, finalized }: ChainCursor) => smaller(number, finalized)
