import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { type Child, startChild } from './child.ts'
import type { ConstantInput } from './constantServer.ts'
import { type Figure, medians } from './figure.ts'
import type { LoadJob, LoadResult } from './load.ts'
import {
  benchChain,
  benchKey,
  pageAddress,
  secondsUntilSynced,
  startMeasuredService,
  untilTried,
} from './measuredService.ts'
import type { StandInAddress, StandInInput } from './rpcStandIn.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

const shape = { seed: 2, logs: 10_000, blocks: 150_000, mintShare: 1, holders: 4_000 }
/** Makes a record as long as one with its metadata: 1.3 kB. */
const name = 'Synthetic Apes '.repeat(50)
const connections = 16
const seconds = 3

/** A page that was asked before, beside a server that does nothing but send the same bytes. */
export const cachedPage: Figure = {
  name: 'cached-page',
  title: 'The same page of 100 records again and again, from the page cache, 16 connections',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
    const input: StandInInput = { shape, chainId: benchChain.id, multicall: true, name, uris: { at: 'nowhere' } }
    const standIn = startChild('./rpcStandIn.ts', input)
    const node = await standIn.next<StandInAddress>()
    const postgres = await startTemporaryPostgres()
    const service = await startMeasuredService({ databaseUrl: postgres.url, nodeUrl: node.url })
    await secondsUntilSynced(service.url, node)
    await untilTried(service.url, node.contract)
    const address = pageAddress(service.url, node.contract, {})
    const plain = await startConstant(join(folder, 'plain'), address, {})
    const gzip = await startConstant(join(folder, 'gzip'), address, { 'accept-encoding': 'gzip' })
    const load = startChild('./load.ts', null)

    const { pathname, search } = new URL(address)
    async function rate(origin: string, headers: Record<string, string>, status = 200) {
      const all = { 'x-api-key': benchKey, accept: 'application/json', ...headers }
      load.send({ origin, paths: [pathname + search], headers: all, status, connections, seconds } satisfies LoadJob)
      return await load.next<LoadResult>()
    }

    const rows = await medians(5, async () => {
      const ownPlain = await rate(service.url, {})
      const barePlain = await rate(plain.url, {})
      const ownGzip = await rate(service.url, { 'accept-encoding': 'gzip' })
      const bareGzip = await rate(gzip.url, { 'accept-encoding': 'gzip' })
      const unchanged = await rate(service.url, { 'if-none-match': plain.etag }, 304)
      const share = (own: LoadResult, bare: LoadResult) => (own.perSecond / bare.perSecond) * 100
      return [
        { what: 'uncompressed', value: ownPlain.perSecond, unit: 'pages/s' },
        { what: 'constant buffer of the same bytes', value: barePlain.perSecond, unit: 'pages/s' },
        {
          what: 'uncompressed, of the constant buffer',
          value: share(ownPlain, barePlain),
          unit: '%',
          goal: { atLeast: 85 },
        },
        { what: 'gzip', value: ownGzip.perSecond, unit: 'pages/s' },
        { what: 'constant gzip buffer', value: bareGzip.perSecond, unit: 'pages/s' },
        {
          what: 'gzip, of the constant gzip buffer',
          value: share(ownGzip, bareGzip),
          unit: '%',
          goal: { atLeast: 65 },
        },
        { what: '304 to If-None-Match', value: unchanged.perSecond, unit: 'answers/s' },
        {
          what: '304, of the uncompressed constant buffer',
          value: share(unchanged, barePlain),
          unit: '%',
          goal: { atLeast: 180 },
        },
        { what: 'bytes of an uncompressed answer', value: ownPlain.bytes, unit: 'B' },
        { what: 'bytes of a gzip answer', value: ownGzip.bytes, unit: 'B' },
      ]
    })
    for (const part of [load, plain.child, gzip.child, service, postgres, standIn]) await part.stop()
    rmSync(folder, { recursive: true })
    return rows
  },
}

/** Headers that node sends itself, or that a connection has. */
const own = new Set(['content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding'])

/**
 * A constant server of what the service answers: the same body and the same headers, so that whoever reads them has the
 * same to read.
 */
export async function startConstant(
  file: string,
  address: string,
  ask: Record<string, string>,
): Promise<{ child: Child; url: string; etag: string }> {
  const { headers, body } = await request(address, { headers: { 'x-api-key': benchKey, ...ask } })
  writeFileSync(file, Buffer.from(await body.arrayBuffer()))
  const kept = Object.keys(headers).filter((name) => !own.has(name))
  const input: ConstantInput = { file, headers: Object.fromEntries(kept.map((name) => [name, String(headers[name])])) }
  const child = startChild('./constantServer.ts', input)
  const { port } = await child.next<{ port: number }>()
  if (ask['accept-encoding'] !== headers['content-encoding'])
    throw new Error(`answered as ${headers['content-encoding']}`)
  return { child, url: `http://127.0.0.1:${port}`, etag: String(headers.etag) }
}
