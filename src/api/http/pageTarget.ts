import type { Answer } from './answer.ts'
import type { Exchange } from './route.ts'

/** A page that can be requested again and again. */
export type PageTarget = {
  /** Label of the metrics. */
  route: string
  /** The page's state, where it is known without a query to the database and nothing else has to be done; else undefined. */
  current(now: number): PageState | undefined
  /** Answers a request that was found valid with the page as it is now. */
  answer(exchange: Exchange): Promise<Answer>
}

/** The state of a page at one moment. */
export type PageState = {
  /** Its name in the cache. */
  name: string
  /** Version of the data that the page shows; a cached page of this version or a later one may be sent. */
  version: bigint
  /** Weak, as it identifies the page and not the bytes of one encoding. */
  etag: string
  /** Headers of the moment, which are no part of the cached page. */
  headers: readonly string[]
  /** When a node last confirmed the head of the chain, on the clock of performance.now(); the head's age is computed for each answer. */
  confirmedAt?: number | undefined
}

/** The headers of an answer that is sent now: the age of the head is never kept with a page. */
export function headersNow({ headers, confirmedAt }: Pick<PageState, 'headers' | 'confirmedAt'>): readonly string[] {
  return confirmedAt === undefined ? headers : [...headers, ...headAgeHeader(confirmedAt, performance.now())]
}

/** Whole seconds since a node last confirmed the head. */
export function headAgeHeader(confirmedAt: number, now: number): [string, string] {
  return ['x-index-head-age', String(Math.max(0, Math.floor((now - confirmedAt) / 1_000)))]
}
