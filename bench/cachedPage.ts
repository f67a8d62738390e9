import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { type Child, startChild } from './child.ts'
import type { ConstantInput } from './constantServer.ts'
import { type Figure, medians, shareOf } from './figure.ts'
import { startMeasuredCollection } from './measuredCollection.ts'
import { benchKey, pageAddress, untilTried } from './measuredService.ts'
import { startPageLoad } from './pageLoad.ts'

const shape = { seed: 2, logs: 10_000, blocks: 150_000, mintShare: 1, holders: 4_000 }
/** The long name makes a record as long as one with metadata: 1.3 kB. */
const name = 'Synthetic Apes '.repeat(50)
const connections = 16
const seconds = 3

/** Measures a cached page beside a server that only sends the same bytes. */
export const cachedPage: Figure = {
  name: 'cached-page',
  title: 'The same page of 100 records repeatedly, from the page cache, 16 connections',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
    const collection = await startMeasuredCollection({ shape, name, uris: { at: 'nowhere' } })
    const { node, service } = collection
    await untilTried(service.url, node.contract)
    const address = pageAddress(service.url, node.contract, {})
    const plain = await startConstant(join(folder, 'plain'), address, {})
    const gzip = await startConstant(join(folder, 'gzip'), address, { 'accept-encoding': 'gzip' })
    const load = startPageLoad({ connections, seconds })

    const { pathname, search } = new URL(address)
    const rate = (origin: string, headers: Record<string, string>, status = 200) =>
      load.measure(origin, [pathname + search], { headers, status })

    const rows = await medians(5, async () => {
      const ownPlain = await rate(service.url, {})
      const barePlain = await rate(plain.url, {})
      const ownGzip = await rate(service.url, { 'accept-encoding': 'gzip' })
      const bareGzip = await rate(gzip.url, { 'accept-encoding': 'gzip' })
      const unchanged = await rate(service.url, { 'if-none-match': plain.etag }, 304)
      return [
        { what: 'uncompressed', value: ownPlain.perSecond, unit: 'pages/s' },
        { what: 'baseline: constant buffer of the same bytes', value: barePlain.perSecond, unit: 'pages/s' },
        { what: 'uncompressed, of the constant buffer', ...shareOf(ownPlain.perSecond, barePlain.perSecond, 85) },
        { what: 'gzip', value: ownGzip.perSecond, unit: 'pages/s' },
        { what: 'baseline: constant gzip buffer', value: bareGzip.perSecond, unit: 'pages/s' },
        { what: 'gzip, of the constant gzip buffer', ...shareOf(ownGzip.perSecond, bareGzip.perSecond, 65) },
        { what: '304 to If-None-Match', value: unchanged.perSecond, unit: 'answers/s' },
        { what: '304, of the uncompressed constant buffer', ...shareOf(unchanged.perSecond, barePlain.perSecond, 180) },
        { what: 'bytes of an uncompressed answer', value: ownPlain.bytes, unit: 'B' },
        { what: 'bytes of a gzip answer', value: ownGzip.bytes, unit: 'B' },
      ]
    })
    for (const part of [load, plain.child, gzip.child, collection]) await part.stop()
    rmSync(folder, { recursive: true })
    return rows
  },
}

/** Node adds these headers itself, or they belong to the connection. */
const own = new Set(['content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding'])

/** Starts a server that always sends the service's response, with the same headers. The client then has the same work with both. */
export async function startConstant(
  file: string,
  address: string,
  query: Record<string, string>,
): Promise<{ child: Child; url: string; etag: string }> {
  const { headers, body } = await request(address, { headers: { 'x-api-key': benchKey, ...query } })
  writeFileSync(file, Buffer.from(await body.arrayBuffer()))
  const kept = Object.keys(headers).filter((name) => !own.has(name))
  const input: ConstantInput = { file, headers: Object.fromEntries(kept.map((name) => [name, String(headers[name])])) }
  const child = startChild('./constantServer.ts', input)
  const { port } = await child.next<{ port: number }>()
  if (query['accept-encoding'] !== headers['content-encoding'])
    throw new Error(`answered as ${headers['content-encoding']}`)
  return { child, url: `http://127.0.0.1:${port}`, etag: String(headers.etag) }
}
