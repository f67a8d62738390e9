/**
 * `path`, which may bring a query of its own, below `base`. What an operator wrote into `base` stays: a path, with or without a
 * slash at its end, a query (many providers take their key there), user and password. A fragment goes, as it is never sent.
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
