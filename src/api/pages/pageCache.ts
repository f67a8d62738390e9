import { LRUCache } from 'lru-cache'
import { createLru } from '../../util/createLru.ts'
import { createEncodedBody, type EncodedBody, encode, encodingOf } from '../http/encodedBody.ts'
import type { Encoding } from '../http/negotiate.ts'
import type { PageTarget } from '../http/pageTarget.ts'

/** A whole page at a version of its data. */
export type CachedPage = {
  version: bigint
  etag: string
  body: EncodedBody
  /** Headers of each available encoding. */
  headers: Partial<Record<Encoding, readonly string[]>>
}

export type PageCache = {
  /** The page of this name, if it is at least as new as `version`. */
  get(name: string, version: bigint): CachedPage | undefined
  /** Caches a page unless a newer one is cached. */
  set(name: string, page: CachedPage): void
  /** Encodes a page's body, and counts its bytes. */
  encode(name: string, page: CachedPage, encoding: Encoding): Promise<Buffer>
  /** The page of a client's request target, if the target was validated before. */
  target(text: string): PageTarget | undefined
  remember(text: string, target: PageTarget): void
}

/** Longer request targets are parsed each time; one with 25 hashes has 2,200 characters. */
const maxTargetLength = 2_500

/** Most cached request targets; each takes 1 to 5 kB. */
const maxTargets = 5_000

/** Pages bounded by bytes, with the request targets that lead to them. */
export function createPageCache(options: { maxBytes: number }): PageCache {
  const { maxBytes } = options
  const pages = maxBytes > 0 ? new LRUCache<string, CachedPage>({ maxSize: maxBytes, sizeCalculation }) : undefined
  const targets = createLru<string, PageTarget>(maxTargets)
  /** The last found target: repeated requests are common, and hashing a long text costs more than comparing it. */
  let lastFound: { text: string; target: PageTarget } | undefined

  return {
    get(name, version) {
      const page = pages?.get(name)
      return page && page.version >= version ? page : undefined
    },
    set(name, page) {
      const kept = pages?.peek(name)
      if (!kept || kept.version <= page.version) pages?.set(name, page)
    },
    async encode(name, page, wanted) {
      const encoding = encodingOf(page.body, wanted)
      const bytes = await encode(page.body, encoding)
      if (!page.headers[encoding]) {
        page.headers[encoding] = pageHeaders(page, encoding, bytes.length)
        // Setting the same value again would not update its size.
        if (pages?.peek(name) === page && pages.delete(name)) pages.set(name, page)
      }
      return bytes
    },
    target(text) {
      if (lastFound?.text === text) return lastFound.target
      const target = targets.get(text)
      if (target) lastFound = { text, target }
      return target
    },
    remember(text, target) {
      if (text.length <= maxTargetLength) targets.set(text, target)
    },
  }
}

export function createCachedPage(options: { version: bigint; etag: string; text: string | Buffer }): CachedPage {
  const { text } = options
  const body = createEncodedBody(typeof text === 'string' ? Buffer.from(text) : text)
  return { version: options.version, etag: options.etag, body, headers: {} }
}

/** Bytes of a page besides its bodies: names, headers, map entries. */
const overheadBytes = 2_048

function sizeCalculation({ body }: CachedPage): number {
  return overheadBytes + body.identity.length + (body.br?.length ?? 0) + (body.gzip?.length ?? 0)
}

function pageHeaders(page: CachedPage, encoding: Encoding, length: number): string[] {
  const headers = ['content-type', 'application/json; charset=utf-8', 'content-length', String(length)]
  if (encoding !== 'identity') headers.push('content-encoding', encoding)
  return [...headers, ...validatorHeaders(page.etag)]
}

/** Headers of answers that clients may keep, and check before each use. */
export const revalidated = ['vary', 'Accept-Encoding', 'cache-control', 'private, no-cache']

/** Headers of a page and its 304. */
export function validatorHeaders(etag: string): string[] {
  return ['etag', etag, ...revalidated]
}
