import type { CollectionState } from '../../nft/query.ts'
import type { Address } from '../../util/hex.ts'
import type { Exchange } from '../http/route.ts'
import type { Collections, Snapshot } from '../nft/collections.ts'
import { eachOfOneBlock } from '../nft/pages.ts'

/** What `answer` gives for a contract, whose indexing the first call starts. An address without a contract is one of which nothing is known. */
export function ofContract<T>(
  asked: { collections: Collections; chainId: bigint; address: Address; exchange: Exchange },
  answer: (snapshot: Snapshot, state: CollectionState | undefined) => Promise<T>,
): Promise<T> {
  const { address, ...others } = asked
  return eachOfOneBlock({ ...others, addresses: [address] }, ([snapshot], [state]) => answer(snapshot!, state))
}
