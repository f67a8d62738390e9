import type { Operations, Respond } from '../http/respond.ts'
import type { Shortcut } from '../http/server.ts'
import type { PageCache } from './pageCache.ts'

/** Answers a known page that has to be cut anew, past the application: nothing is routed, and no Request or Response object is created. */
export function createRepeatPath(options: {
  cache: Pick<PageCache, 'target'>
  /** By the path of their route. */
  operations: ReadonlyMap<string, Operations>
  respond: Respond
}): Shortcut {
  const { cache, operations, respond } = options
  return (request, response) => {
    const { method, url: target } = request
    if (method !== 'GET' || target === undefined) return false
    const page = cache.target(target)
    if (!page) return false
    const given = request.headers
    if (given['content-length'] !== undefined || given['transfer-encoding'] !== undefined) return false
    const header = (name: string) => given[name] as string | undefined
    const search = target.slice(target.indexOf('?'))
    const address = request.socket.remoteAddress ?? ''
    const incoming = { method, target, search, params: {}, header, address, body: null, page }
    void respond(incoming, operations.get(page.route)).then(({ status, headers, body }) => {
      response.writeHead(status, headers as string[])
      response.end(body)
    })
    return true
  }
}
