import type { Header, InternalTransfer, RpcLog, RpcReceipt, RpcTransaction } from '../chain/evm/rpc/rpc.ts'
import type { Transaction } from '../db/database.ts'
import { MintmarkError } from '../errors.ts'
import type { Address, Hex } from '../util/hex.ts'
import type { Followed } from './catchUpCost.ts'
import type { Watched } from './watched.ts'

/** A followed block: what a handler needs of it. */
export type FollowedBlock = {
  header: Header
  /** Every log of the block whose first topic is among the handler's. */
  logs: readonly RpcLog[]
  /** It can still be undone: what it changes must be kept. */
  undoable: boolean
  /** Parts that are read when they are first asked for, once however often; of exactly this block. */
  transactions(): Promise<readonly RpcTransaction[]>
  receipts(): Promise<readonly RpcReceipt[]>
  internalTransfers(): Promise<readonly InternalTransfer[]>
  /** Native balances after the block, in the order of the addresses. */
  balances(addresses: readonly Address[]): Promise<bigint[]>
}

/** What a handler wants of blocks changed after they were read: they are to be read again. Not a fault. */
export class ReadAgainError extends MintmarkError {
  readonly code = 'READ_AGAIN'
  override readonly retryable = true
}

/** The chain as it is followed, for handlers that catch up with it. */
export type ChainCursor = {
  number: bigint
  hash: Hex
  finalized: bigint
  /** The worker that follows the chain: what joins checks in its transaction that it still does. */
  worker: number
}

/** What a step that is stored did. */
export type CommittedStep = {
  /** Blocks above it were undone. */
  fork: bigint
  blocks: readonly FollowedBlock[]
  finalized: bigint
  /** What was followed went back to history. */
  released: boolean
}

/**
 * What a product does with a chain that is followed block by block. Calls with `tx` are inside the one transaction that
 * moves the chain's cursor; it may fail, and the same step may come again. So what a handler keeps in memory is what is
 * stored: it changes in `committed`, or in what holds whether this transaction fails or not. A million addresses are then
 * loaded once, not after each fault of a node.
 */
export type BlockHandler = {
  /** First topics of the logs it wants; null: every log. Asked before each read. */
  readonly topics: readonly Hex[] | null
  /** Contracts whose logs must not be missed: a block whose bloom names one without a log of it is settled first. */
  watched(): Watched
  /** How much it follows: what a long absence would cost to read as history. */
  followed(): Followed
  /** Before the transaction: reads what applying these blocks will need, so that the transaction is short. */
  prepare?(step: { fork: bigint; blocks: readonly FollowedBlock[] }): Promise<void>
  /** Applies the next block. Throws ReadAgainError where it needs logs that were not read. */
  apply(tx: Transaction, block: FollowedBlock): Promise<void>
  /** Takes back every block above `fork`. */
  revert(tx: Transaction, fork: bigint): Promise<void>
  /** Blocks up to `number` cannot be undone any more. */
  finalize(tx: Transaction, number: bigint): Promise<void>
  /** What was missed costs less to read as history: what was followed up to `number` goes back to reading history. */
  release(tx: Transaction, number: bigint): Promise<void>
  /** The transaction of a step is stored. */
  committed(step: CommittedStep): void
  /**
   * Between two steps, at the head: joins what history has brought up to the followed blocks. True if it did something. What
   * takes long is begun here and goes on beside following.
   */
  join(cursor: ChainCursor, signal: AbortSignal): Promise<boolean>
  /** Ends what it began. */
  close?(): Promise<void>
}
