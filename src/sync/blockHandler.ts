import type { Header, InternalTransfer, RpcLog, RpcReceipt, RpcTransaction } from '../chain/evm/rpc/rpc.ts'
import type { Transaction } from '../db/database.ts'
import { MintmarkError } from '../util/errors.ts'
import { smaller } from '../util/extremes.ts'
import type { Address, Hex } from '../util/hex.ts'
import type { Followed } from './catchUpCost.ts'

/** A block by its number and its hash. */
export type BlockName = { number: bigint; hash: Hex }

/** A block as handlers get it. */
export type FollowedBlock = {
  header: Header
  /** Every log of the block whose first topic is among the handler's. */
  logs: readonly RpcLog[]
  /** The block is above the finalized one: a handler keeps what it needs to undo it. */
  undoable: boolean
  /** These parts are read when they are first requested, and once only. They are of exactly this block, by its hash. */
  transactions(): Promise<readonly RpcTransaction[]>
  receipts(): Promise<readonly RpcReceipt[]>
  internalTransfers(): Promise<readonly InternalTransfer[]>
  /** Native balances after the block, in the order of the addresses. */
  balances(addresses: readonly Address[]): Promise<bigint[]>
}

/** A handler needs other parts of the blocks than were read, so the follower reads them again. Not an error. */
export class ReadAgainError extends MintmarkError {
  readonly code = 'READ_AGAIN'
  override readonly retryable = true
}

/** The chain's cursor, for collections and streams that join the chain. */
export type ChainCursor = BlockName & {
  finalized: bigint
  /** The worker that follows the chain. A transaction that joins checks that it still does. */
  worker: number
}

/** The effects of a committed step. */
export type CommittedStep = {
  /** Blocks above this one were undone. */
  fork: bigint
  blocks: readonly FollowedBlock[]
  finalized: bigint
  /** Collections and streams went back to history. */
  released: boolean
}

/** Contracts whose logs must not be missed. */
export type Watched = { readonly size: number; has(address: Address): boolean; keys(): Iterable<Address> }

/** Several sets of watched contracts as one, without a copy: there may be a hundred thousand. */
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
 * A product's handler of the followed blocks of a chain. Calls with `tx` are inside the one transaction that moves the
 * chain's cursor. That may fail, and the same step may come again. So a handler keeps in memory what is stored: it changes its memory
 * in `committed`, or so that it is right whether this transaction fails or not. A million addresses are then loaded once, not after
 * each error of a node.
 */
export type BlockHandler = {
  /** First topics of the logs that the handler wants; null: every log. Read before each read of blocks. */
  readonly topics: readonly Hex[] | null
  /** Contracts whose logs must not be missed. If a block's bloom contains one of them and the node returned no log of it, receipts decide. */
  watched(): Watched
  /** Topics of addresses: logs with one of them must not be missed either. Omitted: none. */
  parties?(): readonly Hex[]
  /** How many collections and streams the handler follows, which shows what a long absence costs to read as history. */
  followed(): Followed
  /** Before the transaction: reads what applying these blocks will need, so that the transaction is short. */
  prepare?(step: { fork: bigint; blocks: readonly FollowedBlock[] }): Promise<void>
  /** How many of these blocks, which follow each other, are few enough work for one transaction: one at least. Omitted: all. */
  fitting?(blocks: readonly FollowedBlock[]): number
  /** Applies the next block. Throws ReadAgainError if it needs logs that were not read. */
  apply(tx: Transaction, block: FollowedBlock): Promise<void>
  /**
   * The block that one transaction goes back to, of those from `fork` to below the cursor: with less work for each. The blocks that are left above `fork`
   * are taken back afterwards. Omitted: `fork`.
   */
  undoTo?(fork: bigint, cursor: ChainCursor): Promise<bigint>
  /** Takes back every block above `fork`. */
  revert(tx: Transaction, fork: bigint): Promise<void>
  /** Blocks up to `number` cannot be undone any more. */
  finalize(tx: Transaction, number: bigint): Promise<void>
  /** Sends all collections and streams back to history, which continues above `number`, as the missed blocks cost less there. */
  release(tx: Transaction, number: bigint): Promise<void>
  /** The transaction of a step is committed. */
  committed(step: CommittedStep): void
  /**
   * Called between two steps, at the head: joins collections and streams whose history has reached the followed blocks. True if it did
   * something. Work that takes long is begun here and continues beside following.
   */
  join(cursor: ChainCursor, signal: AbortSignal): Promise<boolean>
  /** Ends the work that the handler began. */
  close?(): Promise<void>
}

/**
 * The last block that a collection's history may end with when it joins. History has blocks that nodes report as final. Above the stored final block,
 * the chain may still be followed on an undone fork.
 */
export const lastFinal = ({ number, finalized }: ChainCursor) => smaller(number, finalized)
