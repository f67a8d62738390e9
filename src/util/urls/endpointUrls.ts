import { z } from 'zod'
import { allowing } from '../allowed.ts'

/** A URL setting. Messages about an invalid one do not repeat it, as it may contain a key. */
export const httpUrl = allowing('an http:// or https:// address', z.url({ protocol: /^https?$/ }))

/**
 * The URL of `path`, which may have a query, below `base`. The path of `base`, with or without a final slash, its query (many providers expect their
 * key there), user and password are kept. Its fragment is dropped, as it is never sent.
 */
export function joinUrl(base: string | URL, path: string): URL {
  const url = new URL(base)
  const [, below = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(path)!
  const own = url.pathname.replace(/\/+$/, '')
  url.pathname = below === '' ? own : `${own}/${below.replace(/^\/+/, '')}`
  url.search = [url.search.slice(1), query].filter((part) => part !== '').join('&')
  url.hash = ''
  return url
}

/**
 * The display names of URLs: the host and, if several URLs share it, a number by their order in the configuration. Users, paths and queries may
 * contain keys. No hash of them is shown either: a password that a person chose can be guessed from it, and a number also distinguishes two URLs.
 */
export function nameEndpoints(urls: readonly string[]): { url: string; name: string }[] {
  const seen = new Map<string, number>()
  return urls.map((url) => {
    const { host } = new URL(url)
    const nth = (seen.get(host) ?? 0) + 1
    seen.set(host, nth)
    return { url, name: nth === 1 ? host : `${host}#${nth}` }
  })
}
