import { createDatabase } from '../src/db/database.ts'
import { noopLog } from '../src/util/log.ts'
import { addPreviews } from './addPreviews.ts'
import { startChild } from './child.ts'
import { type Figure, medians, shareOf } from './figure.ts'
import { manyDocuments, startMeasuredCollection } from './measuredCollection.ts'
import { benchChain, embeddedPoolSize, untilTried } from './measuredService.ts'
import type { MetadataHostAddress, MetadataHostInput } from './metadataHost.ts'
import { startPageLoad } from './pageLoad.ts'
import type { SocketConnection } from './temporaryPostgres.ts'

/** Each holder has about 150 tokens, which is more than one page. */
const shape = { seed: 7, logs: 30_000, blocks: 40_000, mintShare: 1, holders: 200 }
const connections = 16
const seconds = 2
const rounds = 5
/** The figure does not count these rounds. */
const warmRounds = 3

/** Measures pages of wallets in Alchemy's format, alternating with our own pages of the same tokens. */
export const dialectPages: Figure = {
  name: 'dialect-pages',
  title:
    'Pages of 100 records of wallets with metadata of 1 kB, preview images and origins, the page cache turned off, 16 connections',
  async run() {
    const host = startChild('./metadataHost.ts', { delayMs: 5, documents: 'kilobyte' } satisfies MetadataHostInput)
    const { url } = await host.next<MetadataHostAddress>()
    const collection = await startMeasuredCollection(
      { shape, uris: { at: 'host', url } },
      { pageCache: { maxBytes: 0 }, databasePoolSize: embeddedPoolSize, ...manyDocuments },
      // With `chain`, the service would read the histories of the wallets during the measurement.
      { wallets: 'indexed' },
    )
    const { node, postgres, service } = collection
    await untilTried(service.url, node.contract)
    await addPreviews(postgres.connection)
    const wallets = await holdersOfPages(postgres.connection)
    const own = wallets.map(
      (wallet) => `/api/v2/${wallet}/nft?chain=${benchChain.name}&normalizeMetadata=true&media_items=true`,
    )
    const dialect = wallets.map((wallet) => `/alchemy/${benchChain.name}/nft/v3/-/getNFTsForOwner?owner=${wallet}`)
    const load = startPageLoad({ connections, seconds })
    const round = async () => {
      const ofOwn = await load.measure(service.url, own)
      const ofDialect = await load.measure(service.url, dialect)
      return [
        { what: 'getNFTsForOwner', value: ofDialect.perSecond, unit: 'pages/s' },
        { what: 'our own page of the same wallets', value: ofOwn.perSecond, unit: 'pages/s' },
        { what: 'getNFTsForOwner, of our own page', ...shareOf(ofDialect.perSecond, ofOwn.perSecond, 80) },
        { what: 'getNFTsForOwner, time of a page, median', value: ofDialect.medianMs, unit: 'ms' },
        { what: 'getNFTsForOwner, bytes of an answer', value: ofDialect.bytes, unit: 'B' },
        { what: 'our own page, bytes of an answer', value: ofOwn.bytes, unit: 'B' },
      ]
    }
    for (let i = 0; i < warmRounds; i++) await round()
    const rows = await medians(rounds, round)
    for (const part of [load, collection, host]) await part.stop()
    return rows
  },
}

/** Returns the wallets with at least 100 tokens, enough for a full page. */
async function holdersOfPages(connection: SocketConnection): Promise<string[]> {
  const db = createDatabase({ connection, poolSize: 1, log: noopLog })
  const rows = await db.rows<[string]>(
    `SELECT '0x' || encode(wallet, 'hex') FROM wallet_collection WHERE tokens >= 100 ORDER BY wallet`,
  )
  await db.close()
  return rows.flat()
}
