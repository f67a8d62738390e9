import type { ChangeQuery } from '../../nft/changeQuery.ts'
import { followedBlock, type NftQuery } from '../../nft/query.ts'
import type { TransferSource } from '../../nft/transferQuery.ts'
import type { FollowedBlock } from '../../nft/walletQuery.ts'
import type { Address } from '../../util/hex.ts'

/** Whose changes a client listens to. */
export type FeedName = { chainId: bigint } & { of: 'contract' | 'wallet'; address: Address }

/** What can be read of a feed at one moment. */
export type FeedState = {
  /** The same text: nothing changed since. */
  mark: string
  /** Another one: places in the feed are of a removed feed. */
  identity: string
  /** Of a contract: the version of the collection. */
  version: string | null
  /** All transfers up to this block can be read; null: none can. */
  toBlock: bigint | null
  /** The block `toBlock`, where it can still be undone. */
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
      // A live collection is complete up to the last block; another one may get further without a change of its version.
      mark: `${id} ${version} ${status} ${status === 'live' ? '' : toBlock}`,
      // Without the epoch: an id stays valid after a restart of PostgreSQL, and on a replica. A collection that is indexed again has a new row.
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
