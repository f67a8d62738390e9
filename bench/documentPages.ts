import { createDatabase } from '../src/db/database.ts'
import { silentLog } from '../src/log.ts'
import { mediaText } from '../src/nft/media/mediaText.ts'
import { type Child, startChild } from './child.ts'
import type { DocumentHostAddress, DocumentHostInput } from './documentHost.ts'
import { type Figure, medians, type Row } from './figure.ts'
import type { LoadJob, LoadResult } from './load.ts'
import {
  benchChain,
  benchKey,
  embeddedPoolSize,
  secondsUntilSynced,
  startMeasuredService,
  untilTried,
} from './measuredService.ts'
import type { PagePeerInput, PagePeerResult } from './pagePeer.ts'
import type { StandInAddress, StandInInput } from './rpcStandIn.ts'
import { type SocketConnection, startTemporaryPostgres } from './temporaryPostgres.ts'
import { walkPages } from './uncachedPage.ts'

const shape = { seed: 5, logs: 30_000, blocks: 40_000, mintShare: 1, holders: 8_000 }
const connections = 16
const pages = 300
/** Short, and many of them: the machine's speed moves within seconds, and a share is taken of two neighbours. */
const seconds = 1
const rounds = 10
/** Not counted. */
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

/** Pages of tokens that have documents and previews, beside a client that runs the same statement and joins the texts. */
export const documentPages: Figure = {
  name: 'document-pages',
  title:
    'Pages of 100 records with documents of 1 kB and five attributes, out of 30,000, the page cache turned off, 16 connections',
  async run() {
    const host = startChild('./documentHost.ts', { delayMs: 5, documents: 'kilobyte' } satisfies DocumentHostInput)
    const { url } = await host.next<DocumentHostAddress>()
    const input: StandInInput = { shape, chainId: benchChain.id, multicall: true, uris: { at: 'host', url } }
    const standIn = startChild('./rpcStandIn.ts', input)
    const node = await standIn.next<StandInAddress>()
    const postgres = await startTemporaryPostgres()
    const service = await startMeasuredService({
      databaseUrl: postgres.url,
      nodeUrl: node.url,
      config: {
        pageCache: { maxBytes: 0 },
        databasePoolSize: embeddedPoolSize,
        outbound: { allow: ['127.0.0.1'], perHostConcurrency: 200 },
        metadata: { concurrentDocuments: 200 },
      },
    })
    await secondsUntilSynced(service.url, node)
    await untilTried(service.url, node.contract)
    await addPreviews(postgres.connection)
    const load = startChild('./load.ts', null)
    const sides = await Promise.all(
      kinds.map(async ({ what, query, options, goal }) => {
        const walk = await walkPages({ url: service.url, contract: node.contract, connections, pages, query })
        const peer = startChild('./pagePeer.ts', {
          connection: postgres.connection,
          chainId: benchChain.id,
          contract: node.contract as `0x${string}`,
          connections,
          seconds,
          joins: true,
          ...options,
        } satisfies PagePeerInput)
        peer.send(walk.map((page) => page.after))
        await peer.next()
        const headers = { 'x-api-key': benchKey, accept: 'application/json' }
        const paths = walk.map((page) => page.path)
        const job: LoadJob = { origin: service.url, paths, headers, status: 200, connections, seconds }
        return { what, goal, peer, job }
      }),
    )
    let turn = 0
    const round = async () => {
      const rows: Row[] = []
      for (const side of sides) rows.push(...(await measure(load, side, turn)))
      turn++
      return rows
    }
    // All are compiled as they run, and the database is tidied up after the documents came in.
    for (let i = 0; i < warmRounds; i++) await round()
    const rows = await medians(rounds, round)
    for (const part of [load, ...sides.map(({ peer }) => peer), service, postgres, standIn, host]) await part.stop()
    return rows
  },
}

type Side = { what: string; goal: number; peer: Child; job: LoadJob }

/** Each twice, in turns forwards and backwards: a machine that gains speed on the way favours nobody. */
async function measure(load: Child, { what, goal, peer, job }: Side, turn: number): Promise<Row[]> {
  const own: LoadResult[] = []
  const bare: PagePeerResult[] = []
  const order = turn % 2 === 0 ? ['own', 'bare', 'bare', 'own'] : ['bare', 'own', 'own', 'bare']
  for (const side of order) {
    if (side === 'own') {
      load.send(job)
      own.push(await load.next<LoadResult>())
    } else {
      peer.send('go')
      bare.push(await peer.next<PagePeerResult>())
    }
  }
  const ownRate = mean(own.map((result) => result.perSecond))
  const bareRate = mean(bare.map((result) => result.perSecond))
  return [
    { what, value: ownRate, unit: 'pages/s', goal: { atLeast: goal } },
    { what: `${what}, bare client with the same statement that joins the texts`, value: bareRate, unit: 'pages/s' },
    { what: `${what}, of the bare client`, value: (ownRate / bareRate) * 100, unit: '%', goal: { atLeast: 60 } },
    { what: `${what}, time of a page, median`, value: mean(own.map((result) => result.medianMs)), unit: 'ms' },
    { what: `${what}, bytes of an answer`, value: own[0]!.bytes, unit: 'B' },
  ]
}

/** Previews of all images, as making them would have left them: nothing is fetched while pages are measured. */
async function addPreviews(connection: SocketConnection): Promise<void> {
  const db = createDatabase({ connection, poolSize: 1, log: silentLog })
  const size = (name: string, pixels: number) => ({
    [name]: { width: pixels, height: pixels, url: `/media/${'ab'.repeat(32)}/${name}.webp` },
  })
  const sizes = JSON.stringify({ ...size('low', 100), ...size('medium', 250), ...size('high', 500) })
  await db.run(
    `INSERT INTO media (partition, collection_id, url_hash, url, status, mimetype, category, parent_hash, sizes, due_at)
     SELECT DISTINCT partition, collection_id, md5(media_url)::uuid, media_url, 'success', 'image/png', 'image', $1, $2, NULL::timestamptz
     FROM token_metadata WHERE media_url IS NOT NULL`,
    ['ab'.repeat(32), sizes],
  )
  await db.run(`UPDATE media d SET ready = ${mediaText('d')}`)
  await db.run('VACUUM ANALYZE')
  await db.close()
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
