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
  /** When a node last confirmed the head of the chain, on the clock of performance.now(); its age is of the answer's own moment. */
  confirmedAt?: number | undefined
}

/** The headers of an answer that is given now: an age is never kept with a page. */
export function headersNow({ headers, confirmedAt }: Pick<PageState, 'headers' | 'confirmedAt'>): readonly string[] {
  return confirmedAt === undefined ? headers : [...headers, ...headAgeHeader(confirmedAt, performance.now())]
}

/** Whole seconds since a node last confirmed the head. */
export function headAgeHeader(confirmedAt: number, now: number): [string, string] {
  return ['x-index-head-age', String(Math.max(0, Math.floor((now - confirmedAt) / 1_000)))]
}
