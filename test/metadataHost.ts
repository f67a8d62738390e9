import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRandom } from './random.ts'

/** How often a host misbehaves. Each value is a share of paths, from 0 to 1. */
export type HostPlan = {
  /** Errors of the first responses of a path: status 500, a delay, or a rate limit (429). */
  fail?: number
  delay?: number
  limit?: number
  /** Always returns 404 and never metadata. */
  missing?: number
  /** Returns text that is not JSON. */
  broken?: number
  delayMs?: number
}

export type MetadataHost = {
  url: string
  /** Requests by path, and requests answered with metadata. */
  requests: Map<string, number>
  served: Map<string, number>
  /** The behaviour for a path, as decided by the plan and the seed. */
  fate(path: string): 'fail' | 'delay' | 'limit' | 'missing' | 'broken' | 'good'
  /** Changes the metadata. */
  setEdition(edition: number): void
  /** Until called with false, requests hang, are cut, rejected, redirected or delayed, as decided by the seed and their number. */
  misbehave(isBad: boolean): void
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const traits = ['Red', 'Green', 'Blue', 'Gold']

/** A real metadata host on loopback that misbehaves by a seeded plan. */
export async function startMetadataHost(seed: number, plan: HostPlan): Promise<MetadataHost> {
  const requests = new Map<string, number>()
  const served = new Map<string, number>()
  let edition = 1
  let isBad = false

  function fate(path: string): ReturnType<MetadataHost['fate']> {
    const random = createRandom(seed + [...path].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) >>> 0, 7))
    let roll = random.next()
    for (const kind of ['fail', 'delay', 'limit', 'missing', 'broken'] as const) {
      roll -= plan[kind] ?? 0
      if (roll < 0) return kind
    }
    return 'good'
  }

  const server = createServer((request, response) => {
    const path = (request.url ?? '/').replace(/\?again$/, '')
    const times = (requests.get(path) ?? 0) + 1
    requests.set(path, times)
    const kind = fate(path)
    const document = () => {
      served.set(path, (served.get(path) ?? 0) + 1)
      const id = path.split('/').at(-1)!
      const body = {
        name: `Token ${id}`,
        edition,
        attributes: [{ trait_type: 'Colour', value: traits[Number(id) % 4] }],
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const trouble = isBad ? createRandom(seed + times + path.length).int(7) : undefined
    if (trouble === 0) return
    if (trouble === 1) return void response.destroy()
    if (trouble === 2) return void response.writeHead(500).end()
    if (trouble === 3) return void response.writeHead(429, { 'retry-after': '1' }).end()
    if (trouble === 4) return void response.writeHead(302, { location: `${path}?again` }).end()
    const lasting = () => {
      if (kind === 'missing') response.writeHead(404).end('nothing here')
      else if (kind === 'broken') response.writeHead(200).end('<html>soon</html>')
      else document()
    }
    if (trouble === 5) return void setTimeout(lasting, 300)
    if (kind === 'fail' && times === 1) response.writeHead(500).end()
    else if (kind === 'limit' && times === 1) response.writeHead(429, { 'retry-after': '1' }).end()
    else if (kind === 'delay' && times === 1) setTimeout(document, plan.delayMs ?? 200)
    else lasting()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    served,
    fate,
    setEdition: (next) => {
      edition = next
    },
    misbehave: (next) => {
      isBad = next
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
