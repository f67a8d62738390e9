import type { ChangeQuery } from '../../nft/changeQuery.ts'
import { followedBlock, type NftQuery } from '../../nft/query.ts'
import type { TransferSource } from '../../nft/transferQuery.ts'
import type { FollowedBlock } from '../../nft/walletQuery.ts'
import type { Address } from '../../util/hex.ts'

/** Subject of a feed. */
export type FeedName = { chainId: bigint } & { of: 'contract' | 'wallet'; address: Address }

/** State of a feed at one moment. */
export type FeedState = {
  /** An equal mark means that nothing changed. */
  mark: string
  /** A different identity means that earlier places belong to a removed feed. */
  identity: string
  /** Version of the collection, if the subject is a contract. */
  version: string | null
  /** All transfers up to this block can be read; null: none can. */
  toBlock: bigint | null
  /** The block `toBlock`, if it can still be undone. */
  block: FollowedBlock | null
  source: TransferSource
}

/** Reads the state of a feed; undefined: nothing is known of it yet. */
export type ReadFeed = (name: FeedName) => Promise<FeedState | undefined>

export function createReadFeed({ query, changes }: { query: NftQuery; changes: ChangeQuery }): ReadFeed {
  async function ofContract(chainId: bigint, address: Address): Promise<FeedState | undefined> {
    const state = await query.state(chainId, address)
    if (!state || state.standard === null) return undefined
    const { id, version, status, toBlock } = state
    const block = followedBlock(state)
    return {
      // A live collection is complete up to the last block. Others may progress without a new version.
      mark: `${id} ${version} ${status} ${status === 'live' ? '' : toBlock}`,
      // Without the epoch: an id stays valid after a restart of PostgreSQL, and on a replica. A reindexed collection
      // has a new row.
      identity: String(id),
      version: String(version),
      toBlock,
      block: block?.number === toBlock ? block : null,
      source: { of: 'contract', chainId, state, address },
    }
  }

  async function ofWallet(chainId: bigint, wallet: Address): Promise<FeedState | undefined> {
    const head = await changes.walletHead(chainId)
    if (!head) return undefined
    const { generation, toBlock, block } = head
    return {
      mark: `${generation} ${block.hash} ${toBlock}`,
      identity: String(generation),
      version: null,
      toBlock,
      block: block.number === toBlock ? block : null,
      source: { of: 'wallet', chainId, wallet },
    }
  }

  return ({ of, chainId, address }) => (of === 'contract' ? ofContract(chainId, address) : ofWallet(chainId, address))
}
