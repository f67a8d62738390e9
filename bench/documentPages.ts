import { addPreviews } from './addPreviews.ts'
import { type Child, startChild } from './child.ts'
import { type Figure, mean, medians, type Row, shareOf } from './figure.ts'
import type { LoadResult } from './load.ts'
import { manyDocuments, startMeasuredCollection } from './measuredCollection.ts'
import { embeddedPoolSize, untilTried } from './measuredService.ts'
import type { MetadataHostAddress, MetadataHostInput } from './metadataHost.ts'
import { type PageLoad, startPageLoad } from './pageLoad.ts'
import type { PagePeerResult } from './pagePeer.ts'
import { startPagePeer, walkPages } from './storedPages.ts'

const shape = { seed: 5, logs: 30_000, blocks: 40_000, mintShare: 1, holders: 8_000 }
const connections = 16
const pages = 300
/** Measurements are short and many, because the machine's speed changes within seconds. Each share compares two adjacent ones. */
const seconds = 1
const rounds = 10
/** The figure does not count these rounds. */
const warmRounds = 4

const kinds = [
  { what: 'plain', query: {}, options: {}, goal: 1_500 },
  {
    what: 'normalizeMetadata and media_items',
    query: { normalizeMetadata: 'true', media_items: 'true' },
    options: { normalized: true, media: true },
    goal: 1_000,
  },
] as const

/** Measures pages of tokens with metadata and previews, beside a client that runs the same statement and joins the texts. */
export const documentPages: Figure = {
  name: 'document-pages',
  title:
    'Pages of 100 records with metadata of 1 kB and five attributes, out of 30,000, the page cache turned off, 16 connections',
  async run() {
    const host = startChild('./metadataHost.ts', { delayMs: 5, documents: 'kilobyte' } satisfies MetadataHostInput)
    const { url } = await host.next<MetadataHostAddress>()
    const collection = await startMeasuredCollection(
      { shape, uris: { at: 'host', url } },
      { pageCache: { maxBytes: 0 }, databasePoolSize: embeddedPoolSize, ...manyDocuments },
    )
    const { node, postgres, service } = collection
    await untilTried(service.url, node.contract)
    await addPreviews(postgres.connection)
    const load = startPageLoad({ connections, seconds })
    const sides = await Promise.all(
      kinds.map(async ({ what, query, options, goal }) => {
        const walk = await walkPages({ url: service.url, contract: node.contract, connections, pages, query })
        const peer = await startPagePeer(collection, walk, { connections, seconds, joins: true, ...options })
        return { what, goal, peer, origin: service.url, paths: walk.map(({ path }) => path) }
      }),
    )
    let repetition = 0
    const round = async () => {
      const rows: Row[] = []
      for (const side of sides) rows.push(...(await measure(load, side, repetition)))
      repetition++
      return rows
    }
    // Node compiles the code of all sides while it runs, and PostgreSQL vacuums the tables after the metadata was stored.
    for (let i = 0; i < warmRounds; i++) await round()
    const rows = await medians(rounds, round)
    for (const part of [load, ...sides.map(({ peer }) => peer), collection, host]) await part.stop()
    return rows
  },
}

type Side = { what: string; goal: number; peer: Child; origin: string; paths: string[] }

/** Measures each side twice, in alternating order, so that a machine that becomes faster meanwhile favours neither. */
async function measure(load: PageLoad, { what, goal, peer, origin, paths }: Side, repetition: number): Promise<Row[]> {
  const own: LoadResult[] = []
  const bare: PagePeerResult[] = []
  const order = repetition % 2 === 0 ? ['own', 'bare', 'bare', 'own'] : ['bare', 'own', 'own', 'bare']
  for (const side of order) {
    if (side === 'own') own.push(await load.measure(origin, paths))
    else {
      peer.send('go')
      bare.push(await peer.next<PagePeerResult>())
    }
  }
  const ownRate = mean(own.map((result) => result.perSecond))
  const bareRate = mean(bare.map((result) => result.perSecond))
  return [
    { what, value: ownRate, unit: 'pages/s', goal: { atLeast: goal } },
    {
      what: `${what}, baseline: a client with the same statement that joins the texts`,
      value: bareRate,
      unit: 'pages/s',
    },
    { what: `${what}, of the baseline`, ...shareOf(ownRate, bareRate, 60) },
    { what: `${what}, time of a page, median`, value: mean(own.map((result) => result.medianMs)), unit: 'ms' },
    { what: `${what}, bytes of an answer`, value: own[0]!.bytes, unit: 'B' },
  ]
}
