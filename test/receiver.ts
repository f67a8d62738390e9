import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { patienceMs } from './patience.ts'

/** A complete request that a receiver got, with its body decompressed. */
export type Received = { path: string; headers: IncomingHttpHeaders; body: string; at: number }

/** Returns the status of the response. Undefined means that the function responds itself, or not at all. */
export type Answering = (
  received: Received,
  response: ServerResponse,
) => number | undefined | Promise<number | undefined>

export type Receiver = {
  url: string
  received: Received[]
  /** Waits until this many requests have arrived, or until `condition` holds for all requests so far. */
  until(condition: number | ((received: readonly Received[]) => boolean)): Promise<void>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A real HTTP server on this machine that stores the requests it receives. */
export async function startReceiver(answer: Answering = () => 200): Promise<Receiver> {
  const received: Received[] = []
  const watchers = new Set<() => void>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      // The sender was killed while it sent the request, so the request does not count.
      return
    }
    const item = {
      path: request.url ?? '',
      headers: request.headers,
      body: (request.headers['content-encoding'] === 'gzip'
        ? gunzipSync(Buffer.concat(chunks))
        : Buffer.concat(chunks)
      ).toString(),
      at: performance.now(),
    }
    received.push(item)
    const answering = answer(item, response)
    for (const watcher of watchers) watcher()
    const status = await answering
    if (status !== undefined) response.writeHead(status).end(status < 300 ? 'thanks' : 'no thanks')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async until(condition) {
      const holds = typeof condition === 'number' ? () => received.length >= condition : () => condition(received)
      if (holds()) return
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const watcher = () => holds() && resolve()
      const timer = setTimeout(() => reject(new Error(`only ${received.length} were received`)), patienceMs)
      watchers.add(watcher)
      await promise.finally(() => {
        clearTimeout(timer)
        watchers.delete(watcher)
      })
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
