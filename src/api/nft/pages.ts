import type { NftQuery } from '../../nft/query.ts'
import type { Address } from '../../util/hex.ts'
import type { Answer } from '../http/answer.ts'
import { NotInCollectionError } from '../http/errors.ts'
import type { Exchange } from '../http/route.ts'
import type { Cursors } from '../pages/cursor.ts'
import type { PageAnswers } from '../pages/pageAnswers.ts'
import type { Collection, Collections, Snapshot } from './collections.ts'
import { cutPage } from './cutPage.ts'
import type { NftPageTarget } from './pageTarget.ts'
import { toldNow } from './tellCollection.ts'

export type Pages = { answer(target: NftPageTarget, exchange: Exchange): Promise<Answer> }

/** Pages of collections. The first request for a collection starts its indexing. */
export function createPages(options: {
  nft: NftQuery
  collections: Collections
  answers: PageAnswers
  cursors: () => Promise<Cursors>
}): Pages {
  const { nft, collections, answers, cursors } = options
  return {
    async answer(target, exchange) {
      const { collection, query } = target
      const snapshot = await collectionSnapshot({ collections, collection, exchange })
      const { state } = snapshot
      const now = performance.now()
      const { status } = snapshot.tell.at(now)
      const cut = async () => cutPage({ nft, cursors: await cursors(), query, state, status })
      return answers.answer({ state: target.at(snapshot, now), keep: state !== undefined, cut, exchange })
    },
  }
}

/** The state of a collection, whose indexing the first call starts. Throws NotInCollectionError where there is no contract. */
export async function collectionSnapshot(options: {
  collections: Collections
  collection: Collection
  exchange: Exchange
}): Promise<Snapshot> {
  const { collections, collection, exchange } = options
  const snapshot = await collection.recent.read()
  if (snapshot.due) await collections.demand(collection.chainId, [collection], exchange.key?.id ?? 0n)
  if (snapshot.kind === 'nocode')
    throw new NotInCollectionError(`address is ${collection.address}, where there is no contract on this chain`, {
      parameter: 'address',
      headers: toldNow(snapshot.tell),
    })
  return snapshot
}

/** The states of several collections of a chain, in their order; the first call starts the indexing of each. */
export async function collectionSnapshots(options: {
  collections: Collections
  chainId: bigint
  addresses: readonly Address[]
  exchange: Exchange
}): Promise<Snapshot[]> {
  const { collections, chainId, addresses, exchange } = options
  const read = await collections.read(chainId, addresses)
  const due = read.filter(({ snapshot }) => snapshot.due).map(({ collection }) => collection)
  if (due.length > 0) await collections.demand(chainId, due, exchange.key?.id ?? 0n)
  return read.map(({ snapshot }) => snapshot)
}
