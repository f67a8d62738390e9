import type { CollectionState } from '../../nft/query.ts'
import { CollectionMovedError } from '../../util/errors.ts'
import type { Address } from '../../util/hex.ts'
import type { Answer } from '../http/answer.ts'
import { NotInCollectionError } from '../http/errors.ts'
import type { Exchange } from '../http/route.ts'
import type { PageAnswers } from '../pages/pageAnswers.ts'
import type { PageCache } from '../pages/pageCache.ts'
import type { Collection, Collections, Snapshot } from './collections/collections.ts'
import { createCollectionTarget } from './collections/collectionTarget.ts'
import { type ReportedStatus, reportedNow } from './collections/reportCollection.ts'

/** A page about one collection. */
export type CollectionPage = {
  /** Label of the metrics. */
  route: string
  collection: Collection
  /** The query as text; different for other operations. */
  name: string
  /** The scheduler estimates its cost separately. */
  kind?: string
  /** The same request may mean another query later, so its target is not cached. */
  once?: boolean
  /** Headers besides those of every page of a collection. */
  headers?: (state: CollectionState | undefined) => string[]
  /** Its body for a state of the collection; undefined: nothing is known of the collection yet. */
  cut(state: CollectionState | undefined, status: ReportedStatus['status']): Promise<string | Buffer>
}

export type Pages = {
  /** Answers a validated request for a page of a collection, and caches its target. */
  answer(page: CollectionPage, exchange: Exchange): Promise<Answer>
}

/** Pages of collections. The first request for a collection starts its indexing. */
export function createPages(options: {
  collections: Collections
  answers: PageAnswers
  cache: PageCache
  /** Part of every ETag; different for another database or another program. */
  salt: () => Promise<string>
}): Pages {
  const { collections, answers, cache, salt } = options
  return {
    async answer(page, exchange) {
      const { collection, route, name, headers, kind = '', once = false, cut } = page
      const target = createCollectionTarget({ route, collection, name, headers, salt: await salt() })
      /** The cached page of a snapshot; undefined: it is not cached, or the request has other work. */
      const known = (snapshot: Snapshot, requested: Exchange) =>
        snapshot.isDue || snapshot.kind !== 'page' || !snapshot.state
          ? undefined
          : answers.known({ state: target.at(snapshot, performance.now()), exchange: requested })
      const make = (requested: Exchange) =>
        ofOneBlock({ collections, collection, exchange: requested }, (snapshot, state) => {
          const now = performance.now()
          const { status } = snapshot.report.at(now)
          return answers.answer({
            state: target.at(snapshot, now),
            keep: state !== undefined,
            cut: () => cut(state, status),
            exchange: requested,
          })
        })
      // A cached page skips the scheduler. Scheduled requests check the cache again: many may have waited for the same
      // page.
      const answer = async (requested: Exchange) => {
        const snapshot = await collection.recent.read()
        return (
          known(snapshot, requested) ??
          requested.schedule(async () => known(snapshot, requested) ?? make(requested), {
            kind: snapshot.isDue ? 'first' : kind,
          })
        )
      }
      const first = await answer(exchange)
      if (!once) cache.remember(exchange.target, { ...target, answer })
      return first
    },
  }
}

/** Most attempts while a collection keeps changing; then headers may be of an earlier block than the records. */
const mostReads = 4

/**
 * Calls `answer` with the state of a collection, again with a newer state if `answer` finds that it changed. So headers
 * and rows are of one block.
 */
export async function ofOneBlock<T>(
  requested: { collections: Collections; collection: Collection; exchange: Exchange },
  answer: (snapshot: Snapshot, state: CollectionState | undefined) => Promise<T>,
): Promise<T> {
  return untilStill(
    () => collectionSnapshot(requested),
    (snapshot, of) => answer(snapshot, of(snapshot)),
    () => requested.collection.recent.forget(),
  )
}

/** The same for several collections of a chain, with snapshots in the order of the addresses. */
export async function eachOfOneBlock<T>(
  requested: { collections: Collections; chainId: bigint; addresses: readonly Address[]; exchange: Exchange },
  answer: (snapshots: readonly Snapshot[], states: readonly (CollectionState | undefined)[]) => Promise<T>,
): Promise<T> {
  const { collections, chainId, addresses } = requested
  return untilStill(
    () => collectionSnapshots(requested),
    (snapshots, of) => answer(snapshots, snapshots.map(of)),
    () => {
      for (const address of addresses) collections.get(chainId, address).recent.forget()
    },
  )
}

/**
 * Reads and answers until nothing changed in between. `of` returns the state of a snapshot; the last attempt accepts a
 * changed one.
 */
async function untilStill<Read, T>(
  read: () => Promise<Read>,
  answer: (read: Read, of: (snapshot: Snapshot) => CollectionState | undefined) => Promise<T>,
  forget: () => void,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const found = await read()
    try {
      return await answer(
        found,
        ({ state }) => state && (attempt < mostReads ? state : { ...state, syncPosition: null }),
      )
    } catch (error) {
      // Also after the last attempt: it may have waited for a page of another request.
      if (!(error instanceof CollectionMovedError)) throw error
      forget()
    }
  }
}

/**
 * The state of a collection. The first call starts its indexing. Throws NotInCollectionError if there is no contract.
 */
export async function collectionSnapshot(options: {
  collections: Collections
  collection: Collection
  exchange: Exchange
}): Promise<Snapshot> {
  const { collections, collection, exchange } = options
  const snapshot = await collection.recent.read()
  if (snapshot.isDue) await collections.demand(collection.chainId, [collection], exchange.key?.id ?? 0n)
  if (snapshot.kind === 'nocode')
    throw new NotInCollectionError(`address is ${collection.address}, where there is no contract on this chain`, {
      parameter: 'address',
      headers: reportedNow(snapshot.report),
    })
  return snapshot
}

/** The states of several collections of a chain, in their order. The first call starts their indexing. */
export async function collectionSnapshots(options: {
  collections: Collections
  chainId: bigint
  addresses: readonly Address[]
  exchange: Exchange
}): Promise<Snapshot[]> {
  const { collections, chainId, addresses, exchange } = options
  const read = await collections.read(chainId, addresses)
  const stale = read.filter(({ snapshot }) => snapshot.isDue).map(({ collection }) => collection)
  if (stale.length > 0) await collections.demand(chainId, stale, exchange.key?.id ?? 0n)
  return read.map(({ snapshot }) => snapshot)
}
