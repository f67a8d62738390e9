import { NotFoundError } from '../../errors.ts'
import type { NftQuery } from '../../nft/query.ts'
import type { Answer } from '../answer.ts'
import type { Cursors } from '../cursor.ts'
import { encodingOf } from '../encodedBody.ts'
import { matchesEtag } from '../etag.ts'
import type { Exchange } from '../route.ts'
import type { Collection, Collections, Snapshot } from './collections.ts'
import { cutPage } from './cutPage.ts'
import { type CachedPage, createCachedPage, type PageCache, validatorHeaders } from './pageCache.ts'
import { etagOf, type PageTarget } from './pageTarget.ts'

export type Pages = { answer(target: PageTarget, exchange: Exchange): Promise<Answer> }

/** Answers pages from the cache, and cuts those that it does not have, each once however many wait for it. */
export function createPages(options: {
  nft: NftQuery
  collections: Collections
  cache: PageCache
  cursors: () => Promise<Cursors>
  /** Called with each page asked for: true where the cache had it. */
  onPage(hit: boolean): void
}): Pages {
  const { nft, collections, cache, cursors, onPage } = options
  const cutting = new Map<string, Promise<CachedPage>>()

  async function cut(target: PageTarget, snapshot: Snapshot): Promise<CachedPage> {
    const { state, status, version } = snapshot
    const text = await cutPage({ nft, cursors: await cursors(), query: target.query, state, status })
    // Committed data only grows newer, so the page is at least as new as the version that was read before it.
    const page = createCachedPage({ version, etag: etagOf(target, snapshot), text })
    if (state) cache.set(target.names[status], page)
    return page
  }

  function find(target: PageTarget, snapshot: Snapshot): Promise<CachedPage> | CachedPage {
    const name = target.names[snapshot.status]
    const cached = snapshot.state && cache.get(name, snapshot.version)
    onPage(cached !== undefined)
    if (cached) return cached
    const id = `${snapshot.version} ${name}`
    let page = cutting.get(id)
    if (!page) {
      page = cut(target, snapshot).finally(() => cutting.delete(id))
      cutting.set(id, page)
    }
    return page
  }

  return {
    async answer(target, exchange) {
      const snapshot = await collectionSnapshot({ collections, collection: target.collection, exchange })
      const headers = [...snapshot.headers]
      const ifNoneMatch = exchange.header('if-none-match')
      if (snapshot.state && ifNoneMatch !== undefined) {
        const etag = etagOf(target, snapshot)
        if (matchesEtag(ifNoneMatch, etag))
          return { status: 304, headers: [...validatorHeaders(etag), ...headers], body: null }
      }
      const page = await find(target, snapshot)
      const encoding = encodingOf(page.body, exchange.encoding)
      const body = await cache.encode(target.names[snapshot.status], page, encoding)
      return { status: 200, headers: [...page.headers[encoding]!, ...headers], body }
    },
  }
}

/** The state of a collection, asked for where nobody did before. Throws NotFoundError where there is no contract. */
export async function collectionSnapshot(options: {
  collections: Collections
  collection: Collection
  exchange: Exchange
}): Promise<Snapshot> {
  const { collections, collection, exchange } = options
  const snapshot = await collections.read(collection)
  if (snapshot.due) await collections.demand(collection, exchange.key?.id ?? 0n)
  if (snapshot.kind === 'nocode')
    throw new NotFoundError(`address is ${collection.address}, where there is no contract on this chain`, {
      details: { parameter: 'address' },
    })
  return snapshot
}
