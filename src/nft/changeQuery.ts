import { undoneDays } from '../sync/chainStore.ts'
import type { FollowedBlock } from './walletQuery.ts'

/**
 * How far the transfers of wallets are complete for all collections that are live. `generation`: another one after a reset of the chain;
 * `block`: the last one that was applied; `toBlock` null: there is none.
 */
export type WalletHead = { generation: bigint; block: FollowedBlock; toBlock: bigint | null }

/** Returns what changed since a client last looked. */
export type ChangeQuery = {
  /** Calls back when transfers at the head were stored or undone, maybe too often. */
  listen(onChange: () => void): Promise<() => Promise<void>>
  walletHead(chainId: bigint): Promise<WalletHead | undefined>
  /** The blocks that were undone since `block` was the last one, the latest first, and the block below them that the chain has. */
  undone(chainId: bigint, block: FollowedBlock): Promise<{ undone: FollowedBlock[]; fork: FollowedBlock }>
  /** Whether the chain has none of these blocks with another hash, as far as they can still be undone. */
  areCurrent(chainId: bigint, blocks: readonly FollowedBlock[]): Promise<boolean>
}

/** Events older than this cannot be resumed from: undone blocks are forgotten by then. */
export const resumeDays = undoneDays
