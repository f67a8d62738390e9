import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The response of a path: bytes with their type, or no response at all. */
export type Served = { type: string; bytes: Buffer } | 'hangs'

/** A loopback host of metadata (`/1`, as in token URIs) and of its images. */
export type ImageHost = {
  url: string
  /** Number of requests by path. */
  requests: Map<string, number>
  [Symbol.asyncDispose](): Promise<void>
}

/** `images`: the `image` of each token by id; the function gets the host's URL. `files`: the content of each path. */
export async function startImageHost(options: {
  images: (url: string) => Record<string, string | undefined>
  files: Record<string, Served>
}): Promise<ImageHost> {
  const requests = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    requests.set(path, (requests.get(path) ?? 0) + 1)
    const file = options.files[path]
    if (file === 'hangs') return
    if (file) {
      response.writeHead(200, { 'content-type': file.type, 'content-length': file.bytes.length }).end(file.bytes)
      return
    }
    const images = options.images(url)
    const id = path.slice(1)
    if (!Object.hasOwn(images, id)) response.writeHead(404).end()
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ name: id, image: images[id] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
