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
 * States to show of contracts, in their order. If this request made a known contract a collection, its row still has
 * the name, symbol, standard and spam verdict.
 */
export async function shownStates(
  { collections, chainId }: Pick<Requested, 'collections' | 'chainId'>,
  addresses: readonly Address[],
  states: readonly (CollectionState | undefined)[],
): Promise<Map<Address, CollectionState | undefined>> {
  const shown = new Map(addresses.map((address, i) => [address, states[i]]))
  const missing = addresses.filter((address) => !shown.get(address))
  if (missing.length === 0) return shown
  for (const { collection, snapshot } of await collections.read(chainId, missing))
    if (snapshot.state && wasKnown(snapshot.state)) shown.set(collection.address, snapshot.state)
  return shown
}

/** Nothing is known of other contracts before they are checked. An operator may have marked an address as spam. */
const wasKnown = ({ standard, possibleSpam }: CollectionState) => standard !== null || possibleSpam

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
