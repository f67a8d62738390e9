import { type Figure, medians, shareOf } from './figure.ts'
import type { LoadResult } from './load.ts'
import { startMeasuredCollection } from './measuredCollection.ts'
import { embeddedPoolSize, untilTried } from './measuredService.ts'
import { startPageLoad } from './pageLoad.ts'
import type { PagePeerResult } from './pagePeer.ts'
import { startPagePeer, walkPages } from './storedPages.ts'

const shape = { seed: 3, logs: 100_000, blocks: 150_000, mintShare: 1, holders: 20_000 }
const connections = 16
const seconds = 3
const pages = 900
/** The figure does not count these rounds. */
const warmRounds = 8

/** Measures uncached pages, beside a client that only runs the statement. No page repeats before all others were requested. */
export const uncachedPage: Figure = {
  name: 'uncached-page',
  title: 'Pages of 100 records out of 100,000, the page cache turned off, 16 connections',
  async run() {
    const collection = await startMeasuredCollection(
      { shape, uris: { at: 'nowhere' } },
      { pageCache: { maxBytes: 0 }, databasePoolSize: embeddedPoolSize },
    )
    const { node, service } = collection
    await untilTried(service.url, node.contract)
    const walk = await walkPages({ url: service.url, contract: node.contract, connections, pages })
    const peer = await startPagePeer(collection, walk, { connections, seconds })
    const load = startPageLoad({ connections, seconds })
    const paths = walk.map(({ path }) => path)

    async function round(): Promise<{ own: LoadResult; bare: PagePeerResult }> {
      const own = await load.measure(service.url, paths)
      peer.send('go')
      return { own, bare: await peer.next<PagePeerResult>() }
    }
    // Node compiles both sides while they run, and PostgreSQL vacuums the tables after the tokens were stored.
    for (let i = 0; i < warmRounds; i++) await round()
    const rows = await medians(5, async () => {
      const { own, bare } = await round()
      return [
        { what: 'Mintmark', value: own.perSecond, unit: 'pages/s', goal: { atLeast: 2_000 } },
        { what: 'baseline: a client with the same statement', value: bare.perSecond, unit: 'pages/s' },
        { what: 'Mintmark, of the baseline', ...shareOf(own.perSecond, bare.perSecond, 55) },
        { what: 'time of a page, median', value: own.medianMs, unit: 'ms' },
        { what: 'time of a page, 99th percentile', value: own.p99Ms, unit: 'ms' },
        { what: 'bytes of an answer', value: own.bytes, unit: 'B' },
      ]
    })
    for (const part of [load, peer, collection]) await part.stop()
    return rows
  },
}
