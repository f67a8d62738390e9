import { setTimeout as wait } from 'node:timers/promises'
import { createDatabase } from '../src/db/database.ts'
import { noopLog } from '../src/util/log.ts'
import { peakMegabytes, startChild } from './child.ts'
import { type Figure, median, medians, type Row } from './figure.ts'
import { type MeasuredCollection, manyDocuments, startMeasuredCollection } from './measuredCollection.ts'
import { benchChain, getPage, pageAddress, untilTried } from './measuredService.ts'
import type { MetadataHostAddress, MetadataHostInput } from './metadataHost.ts'
import { startPageLoad } from './pageLoad.ts'
import { queueEverything } from './queueEverything.ts'
import type { TokenUris } from './syntheticContract.ts'

const shape = { seed: 4, logs: 10_000, blocks: 1_000, mintShare: 1, holders: 4_000 }

/** Measures the metadata of a whole collection, from the block that completes it until all of it is stored and served. */
export const metadata: Figure = {
  name: 'metadata',
  title: 'Metadata of 10,000 tokens, fetched, normalised, counted and stored',
  async run() {
    const host = startChild('./metadataHost.ts', { delayMs: 50 } satisfies MetadataHostInput)
    const { url } = await host.next<MetadataHostAddress>()
    const rows = await medians(3, async () => [
      ...(await round('from one host that answers in 50 ms, 200 at once', { at: 'host', url }, 1_500)),
      ...(await round('from data: URIs', { at: 'data' }, 8_000)),
    ])
    await host.stop()
    return rows
  },
}

async function round(what: string, uris: TokenUris, goal: number): Promise<Row[]> {
  const collection = await startMeasuredCollection({ shape, uris }, manyDocuments)
  const { node, service } = collection
  const seconds = await secondsUntilRead(collection)
  const loss = uris.at === 'host' ? await pagesLost(collection) : []
  const memory = peakMegabytes(service.pid)
  await collection.stop()
  return [
    { what, value: node.tokens / seconds, unit: 'tokens/s', goal: { atLeast: goal } },
    { what: 'memory of the Node process at its peak', value: memory, unit: 'MB', goal: { atMost: 700 } },
    ...loss,
  ]
}

const connections = 16
const seconds = 3

/** Requests the same page repeatedly, alternating between alone and while the service reads all metadata again. */
async function pagesLost({ node, postgres, service }: MeasuredCollection): Promise<Row[]> {
  const db = createDatabase({ connection: postgres.connection, poolSize: 2, log: noopLog })
  const load = startPageLoad({ connections, seconds })
  const { pathname, search } = new URL(pageAddress(service.url, node.contract, {}))
  const rate = async () => (await load.measure(service.url, [pathname + search])).perSecond
  await rate()
  const alone: number[] = []
  const beside: number[] = []
  for (let repetition = 0; repetition < 3; repetition++) {
    alone.push(await rate())
    await queueEverything(db, BigInt(benchChain.id))
    beside.push(await rate())
    for (;;) {
      const [row] = await db.rows<[bigint]>('SELECT count(*) FROM metadata_due')
      if (row?.[0] === 0n) break
      await wait(50)
    }
  }
  await load.stop()
  await db.close()
  const lost = (1 - median(beside) / median(alone)) * 100
  return [
    { what: 'pages while nothing is read', value: median(alone), unit: 'pages/s' },
    { what: 'pages while all metadata is read again', value: median(beside), unit: 'pages/s' },
    { what: 'fewer pages while metadata is read', value: lost, unit: '%', goal: { atMost: 10 } },
  ]
}

/** Throws if a token has no metadata in the end. */
async function secondsUntilRead({ node: { contract }, service: { url } }: MeasuredCollection): Promise<number> {
  const started = performance.now()
  await untilTried(url, contract)
  const seconds = (performance.now() - started) / 1_000
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await getPage(url, contract, cursor ? { cursor } : {})
    const without = page.result.find((token) => !token.metadata)
    if (without) throw new Error(`token ${without.token_hash} has no document`)
    cursor = page.cursor
  }
  return seconds
}
