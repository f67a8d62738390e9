import type { CollectionState } from '../../nft/query.ts'
import type { Address } from '../../util/hex.ts'
import type { Exchange } from '../http/route.ts'
import type { Collections, Snapshot } from '../nft/collections/collections.ts'
import { collectionSnapshots, eachOfOneBlock } from '../nft/pages.ts'

type Requested = { collections: Collections; chainId: bigint; address: Address; exchange: Exchange }

/** Known facts of a contract. The first call starts its indexing. */
export async function snapshotOf({ address, ...others }: Requested): Promise<Snapshot> {
  const [snapshot] = await collectionSnapshots({ ...others, addresses: [address] })
  return snapshot!
}

/**
 * Result of `answer` for a contract. The first call starts its indexing. For an address without a contract, nothing is
 * known.
 */
export function ofContract<T>(
  { address, ...others }: Requested,
  answer: (snapshot: Snapshot, state: CollectionState | undefined) => Promise<T>,
): Promise<T> {
  return eachOfOneBlock({ ...others, addresses: [address] }, ([snapshot], [state]) => answer(snapshot!, state))
}
