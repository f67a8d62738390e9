import { z } from 'zod'
import { allowing } from '../allowed.ts'

/** An address of a setting. Messages about a bad one do not repeat it, as it may hold a key. */
export const httpUrl = allowing('an http:// or https:// address', z.url({ protocol: /^https?$/ }))

/**
 * The address of `path`, which may have a query, below `base`. The path of `base`, with or without a slash at its end, its query (many
 * providers take their key there), user and password stay. Its fragment is dropped, as it is never sent.
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
 * The names by which addresses are shown everywhere: the host and, where several addresses share it, a number by the place in the
 * configuration. Users, paths and queries may hold keys. No hash of them is shown either: a password that a person chose can be found
 * from it by trying, and a number shows two addresses apart as well.
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
