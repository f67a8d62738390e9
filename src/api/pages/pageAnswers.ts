import type { Answer } from '../http/answer.ts'
import { encodingOf } from '../http/encodedBody.ts'
import { matchesEtag } from '../http/etag.ts'
import { headersNow, type PageState } from '../http/pageTarget.ts'
import type { Exchange } from '../http/route.ts'
import { type CachedPage, createCachedPage, type PageCache, validatorHeaders } from './pageCache.ts'

export type PageAnswers = {
  /** The current page, if it is cached or the client already has it. */
  known(options: { state: PageState; exchange: Exchange }): Promise<Answer> | undefined
  /** The current page, cached or made now. `keep` false: it is never a 304 and is not cached. */
  answer(options: {
    state: PageState
    keep: boolean
    cut: () => Promise<string | Buffer>
    exchange: Exchange
  }): Promise<Answer>
}

/**
 * A page in progress. `page` is cleared at the end: the old tables of a grown Map would retain the bytes of each page
 * until V8 marks the whole heap.
 */
type Cutting = { page: Promise<CachedPage> | undefined }

/** Answers pages from the cache. Concurrent requests for a missing page share one read. */
export function createPageAnswers(options: {
  cache: PageCache
  /** Called for each page: true if it was cached. */
  onPage(hit: boolean): void
}): PageAnswers {
  const { cache, onPage } = options
  const cutting = new Map<string, Cutting>()

  function find(
    state: PageState,
    keep: boolean,
    cut: () => Promise<string | Buffer>,
  ): Promise<CachedPage> | CachedPage {
    const { name, version, etag } = state
    const cached = keep ? cache.get(name, version) : undefined
    onPage(cached !== undefined)
    if (cached) return cached
    const id = `${version} ${name}`
    const underWay = cutting.get(id)?.page
    if (underWay) return underWay
    // Committed data only gets newer, so the page is at least as new as the version read before it.
    const page = cut()
      .then((text) => {
        const made = createCachedPage({ version, etag, text })
        if (keep) cache.set(name, made)
        return made
      })
      .finally(() => {
        cutting.delete(id)
        entry.page = undefined
      })
    const entry: Cutting = { page }
    cutting.set(id, entry)
    return page
  }

  function unchanged(state: PageState, exchange: Exchange): Answer | undefined {
    if (!matchesEtag(exchange.header('if-none-match'), state.etag)) return undefined
    return { status: 304, headers: [...validatorHeaders(state.etag), ...headersNow(state)], body: null }
  }

  async function send(state: PageState, page: CachedPage, exchange: Exchange): Promise<Answer> {
    const encoding = encodingOf(page.body, exchange.encoding)
    const body = await cache.encode(state.name, page, encoding)
    return { status: 200, headers: [...page.headers[encoding]!, ...headersNow(state)], body }
  }

  return {
    known({ state, exchange }) {
      const same = unchanged(state, exchange)
      if (same) return Promise.resolve(same)
      const cached = cache.get(state.name, state.version)
      if (!cached) return undefined
      onPage(true)
      return send(state, cached, exchange)
    },
    async answer({ state, keep, cut, exchange }) {
      const same = keep ? unchanged(state, exchange) : undefined
      return same ?? send(state, await find(state, keep, cut), exchange)
    },
  }
}
