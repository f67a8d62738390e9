import type { Answer } from './answer.ts'
import type { Exchange } from './route.ts'

/** A page that can be requested repeatedly. */
export type PageTarget = {
  /** Label of the metrics. */
  route: string
  /** The path parameters as sent, if one of them may be the key. */
  params?: Exchange['params']
  /** The page's state, if it is known without a database query and the request starts no other work; else undefined. */
  current(now: number): PageState | undefined
  /** Answers a validated request with the current page. */
  answer(exchange: Exchange): Promise<Answer>
}

/** The state of a page at one moment. */
export type PageState = {
  /** Its key in the cache. */
  name: string
  /** Version of the shown data; a cached page of this version or a later one may be sent. */
  version: bigint
  /** Weak: it identifies the page, not the bytes of one encoding. */
  etag: string
  /** Headers that are not part of the cached page. */
  headers: readonly string[]
  /**
   * When a node last confirmed the head of the chain, on the clock of performance.now(); the head's age is computed for
   * each answer.
   */
  confirmedAt?: number | undefined
}

/** The headers of an answer at this moment: the age of the head is never cached. */
export function headersNow({ headers, confirmedAt }: Pick<PageState, 'headers' | 'confirmedAt'>): readonly string[] {
  return confirmedAt === undefined ? headers : [...headers, ...headAgeHeader(confirmedAt, performance.now())]
}

/** Whole seconds since a node last confirmed the head. */
export function headAgeHeader(confirmedAt: number, now: number): [string, string] {
  return ['x-index-head-age', String(Math.max(0, Math.floor((now - confirmedAt) / 1_000)))]
}
