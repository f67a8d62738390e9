import type { Answer } from './answer.ts'
import type { Exchange } from './route.ts'

/** A page that can be asked for again and again. */
export type PageTarget = {
  /** Label of the metrics. */
  route: string
  /** Where it stands, where that is known without asking the database and the page is simply to be given. */
  current(now: number): PageState | undefined
  /** The page as it stands, for a request that was found valid. */
  answer(exchange: Exchange): Promise<Answer>
}

/** Where a page stands at one moment. */
export type PageState = {
  /** Its name in the cache. */
  name: string
  /** Of the data that it shows; a cached page at least as new is good. */
  version: bigint
  /** Weak, as it names the page and not the bytes of one encoding of it. */
  etag: string
  /** Headers of the moment, which are no part of the cached page. */
  headers: readonly string[]
}
