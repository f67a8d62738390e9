import { undoneDays } from '../sync/chainStore.ts'
import type { FollowedBlock } from './walletQuery.ts'

/**
 * Completeness of wallets' transfers over all live collections. `generation` changes with a reset of the chain;
 * `block`: the last applied one; `toBlock` null: none.
 */
export type WalletHead = { generation: bigint; block: FollowedBlock; toBlock: bigint | null }

/** Reads changes since a client last looked. */
export type ChangeQuery = {
  /** Calls back when transfers at the head were stored or undone, possibly also without a change. */
  listen(onChange: () => void): Promise<() => Promise<void>>
  walletHead(chainId: bigint): Promise<WalletHead | undefined>
  /** Blocks that were undone since `block` was the last one, latest first, and the common block below them. */
  undone(chainId: bigint, block: FollowedBlock): Promise<{ undone: FollowedBlock[]; fork: FollowedBlock }>
  /** Whether the chain still has these blocks, as far as they can be undone. */
  areCurrent(chainId: bigint, blocks: readonly FollowedBlock[]): Promise<boolean>
}

/** Older events cannot be resumed from, as undone blocks are deleted by then. */
export const resumeDays = undoneDays
