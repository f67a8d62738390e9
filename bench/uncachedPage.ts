import { startChild } from './child.ts'
import { type Figure, medians } from './figure.ts'
import type { LoadJob, LoadResult } from './load.ts'
import {
  benchChain,
  benchKey,
  embeddedPoolSize,
  getPage,
  pageAddress,
  secondsUntilSynced,
  startMeasuredService,
  untilTried,
} from './measuredService.ts'
import type { PagePeerInput, PagePeerResult } from './pagePeer.ts'
import type { StandInAddress, StandInInput } from './rpcStandIn.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

const shape = { seed: 3, logs: 100_000, blocks: 150_000, mintShare: 1, holders: 20_000 }
const connections = 16
const seconds = 3
const pages = 900
/** Not counted. */
const warmRounds = 8

/** Pages cut from the store, no page asked twice before all others were, beside a client that only runs the statement. */
export const uncachedPage: Figure = {
  name: 'uncached-page',
  title: 'Pages of 100 records out of 100,000, the page cache turned off, 16 connections',
  async run() {
    const standIn = startChild('./rpcStandIn.ts', {
      shape,
      chainId: benchChain.id,
      multicall: true,
      uris: { at: 'nowhere' },
    } satisfies StandInInput)
    const node = await standIn.next<StandInAddress>()
    const postgres = await startTemporaryPostgres()
    const service = await startMeasuredService({
      databaseUrl: postgres.url,
      nodeUrl: node.url,
      config: { pageCache: { maxBytes: 0 }, databasePoolSize: embeddedPoolSize },
    })
    await secondsUntilSynced(service.url, node)
    await untilTried(service.url, node.contract)
    const walk = await walkPages({ url: service.url, contract: node.contract, connections, pages })
    const peer = startChild('./pagePeer.ts', {
      connection: postgres.connection,
      chainId: benchChain.id,
      contract: node.contract as `0x${string}`,
      connections,
      seconds,
    } satisfies PagePeerInput)
    peer.send(walk.map((page) => page.after))
    await peer.next()
    const load = startChild('./load.ts', null)
    const job: LoadJob = {
      origin: service.url,
      paths: walk.map((page) => page.path),
      headers: { 'x-api-key': benchKey, accept: 'application/json' },
      status: 200,
      connections,
      seconds,
    }

    async function round(): Promise<{ own: LoadResult; bare: PagePeerResult }> {
      load.send(job)
      const own = await load.next<LoadResult>()
      peer.send('go')
      return { own, bare: await peer.next<PagePeerResult>() }
    }
    // Both are compiled as they run, and the database is tidied up after the tokens came in.
    for (let i = 0; i < warmRounds; i++) await round()
    const rows = await medians(5, async () => {
      const { own, bare } = await round()
      return [
        { what: 'Mintmark', value: own.perSecond, unit: 'pages/s', goal: { atLeast: 2_000 } },
        { what: 'bare client with the same statement', value: bare.perSecond, unit: 'pages/s' },
        {
          what: 'Mintmark, of the bare client',
          value: (own.perSecond / bare.perSecond) * 100,
          unit: '%',
          goal: { atLeast: 55 },
        },
        { what: 'time of a page, median', value: own.medianMs, unit: 'ms' },
        { what: 'time of a page, 99th percentile', value: own.p99Ms, unit: 'ms' },
        { what: 'bytes of an answer', value: own.bytes, unit: 'B' },
      ]
    })
    for (const part of [load, peer, service, postgres, standIn]) await part.stop()
    return rows
  },
}

/**
 * Follows the cursors from the first page, in as many ranges as connections so that pages can be shuffled among those later;
 * `after`: the last token hash of the page before.
 */
export async function walkPages(options: {
  url: string
  contract: string
  connections: number
  pages: number
  query?: Record<string, string>
}): Promise<{ path: string; after: string }[]> {
  const { url, contract, connections, pages, query: filters } = options
  const walks = await Promise.all(
    Array.from({ length: connections }, async (_, range) => {
      const query = { ...filters, totalRanges: String(connections), range: String(range) }
      const found: { path: string; after: string }[] = []
      let page = await getPage(url, contract, query)
      while (page.cursor !== null && found.length < pages / connections) {
        const { pathname, search } = new URL(pageAddress(url, contract, { ...query, cursor: page.cursor }))
        found.push({ path: `${pathname}${search}`, after: page.result.at(-1)!.token_hash })
        page = await getPage(url, contract, { ...query, cursor: page.cursor })
      }
      return found
    }),
  )
  return Array.from({ length: Math.min(...walks.map((walk) => walk.length)) }, (_, i) =>
    walks.map((walk) => walk[i]!),
  ).flat()
}
