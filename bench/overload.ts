import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { createDatabase, type Database } from '../src/db/database.ts'
import { noopLog } from '../src/util/log.ts'
import { startChild } from './child.ts'
import { type Figure, p99, type Row } from './figure.ts'
import {
  benchChain,
  benchKey,
  getPage,
  pageAddress,
  secondsUntilSynced,
  startMeasuredService,
} from './measuredService.ts'
import { startPageLoad } from './pageLoad.ts'
import type { StandInAddress, StandInInput } from './rpcStandIn.ts'
import { timeWebhooks } from './timedWebhooks.ts'
import { type BenchStream, insertStreams, streamId } from './webhookRows.ts'

const seconds = 15
/**
 * Pages a second, and streams with 100 webhooks a second each, that two cores bear while the service reads a history. The clients and
 * receivers run on the same cores.
 */
const borne = { pages: 1_000, streams: 20 }
const factors = [1, 1.5, 2]
const connections = 16

const shape = { seed: 41, logs: 10_000, blocks: 1_000, mintShare: 1, holders: 4_000 }
const large = {
  name: 'large',
  id: '0x7a6b',
  shape: { seed: 42, logs: 2_000_000, blocks: 2_000_000, mintShare: 0.6, holders: 20_000 },
}

/** With more work than the processor can do, requests of clients come first, then webhooks, then everything else. */
export const overload: Figure = {
  name: 'overload',
  title: `More work than two cores can do: 1×, 1.5× and 2× of ${borne.pages.toLocaleString('en')} pages/s and ${(borne.streams * 100).toLocaleString('en')} webhooks/s, beside the history of a large collection`,
  async run() {
    const world = await openWorld()
    // V8 still compiles code, and the documents of the first collection are due.
    await world.measure(1)
    const rows: Row[] = []
    for (const factor of factors) rows.push(...(await world.measure(factor)))
    await world.stop()
    return rows
  },
}

async function openWorld() {
  const standIn = (input: Pick<StandInInput, 'shape' | 'chainId'>) =>
    startChild('./rpcStandIn.ts', { ...input, multicall: true, uris: { at: 'nowhere' } } satisfies StandInInput)
  const nodes = [
    standIn({ shape, chainId: benchChain.id }),
    standIn({ shape: large.shape, chainId: large.id }),
  ] as const
  const [still, moving] = [await nodes[0].next<StandInAddress>(), await nodes[1].next<StandInAddress>()]
  const service = await startMeasuredService({
    databaseUrl: null,
    config: {
      outbound: { allow: ['127.0.0.1'], perHostConcurrency: 200 },
      chains: {
        [benchChain.name]: { id: benchChain.id, rpc: [still.url] },
        [large.name]: { id: large.id, rpc: [moving.url] },
      },
    },
  })
  const connection = { host: join(realpathSync(service.dataDir), 'postgres'), user: 'postgres', database: 'postgres' }
  const db = createDatabase({ connection, poolSize: 4, log: noopLog })
  const receiver = startChild('./receiver.ts', null)
  const { port } = await receiver.next<{ port: number }>()
  const ids = Array.from({ length: borne.streams * Math.max(...factors) }, (_, i) => streamId(i))
  const streams = await insertStreams(db, `http://127.0.0.1:${port}/timed`, ids)
  // The streams have no chain, so that the service never matches blocks with them.
  await db.run(`UPDATE stream SET chain_ids = '{}'`)
  await secondsUntilSynced(service.url, still)
  const load = startPageLoad({ connections, seconds })
  const { pathname, search } = new URL(pageAddress(service.url, still.contract, {}))
  const paths = [pathname + search]
  await getPage(service.url, moving.contract, { chain: large.name, limit: '1' })
  let from = 1

  return {
    async measure(factor: number): Promise<Row[]> {
      const used = streams.slice(0, borne.streams * factor)
      const blocks = seconds * 100
      const stop = new AbortController()
      const before = await transfersOf(db)
      const waitedBefore = await readWaited(service.url)
      const ready = watchReady(service.url, stop.signal)
      const began = performance.now()
      const [pages, latencies] = await Promise.all([
        load.measure(service.url, paths, { perSecond: borne.pages * factor }),
        timeWebhooks(db, receiver, used, { from, blocks }),
      ])
      const taken = (performance.now() - began) / 1_000
      from += blocks
      stop.abort()
      const history = ((await transfersOf(db)) - before) / taken
      const waited = await readWaited(service.url)
      const rows: Row[] = [
        { what: 'time of a page, median', value: pages.medianMs, unit: 'ms' },
        { what: 'time of a page, 99th percentile', value: pages.p99Ms, unit: 'ms', goal: { atMost: 100 } },
        { what: 'pages', value: pages.perSecond, unit: 'pages/s' },
        { what: 'webhooks received', value: latencies.length / taken, unit: 'webhooks/s' },
        { what: 'time of a webhook, 99th percentile', value: p99(latencies), unit: 'ms' },
        {
          what: 'webhooks lost or sent twice',
          value: await wrongWebhooks(db, used, blocks),
          unit: 'webhooks',
          goal: { atMost: 0 },
        },
        { what: 'answers of /ready other than 200', value: await ready, unit: 'answers', goal: { atMost: 0 } },
        { what: 'history at the same time', value: history, unit: 'logs/s' },
        ...[...waited].map(([work, ms]) => ({
          what: `${work === 'documents' ? 'metadata' : work} yielded`,
          value: ms - (waitedBefore.get(work) ?? 0),
          unit: 's',
        })),
      ]
      return rows.map((row) => ({ ...row, what: `${factor}×: ${row.what}` }))
    },
    async stop() {
      await db.close()
      for (const part of [load, service, receiver, ...nodes]) await part.stop()
    },
  }

  /** Counts the webhooks of the last blocks that were not delivered, and the attempts beyond the first. */
  async function wrongWebhooks(db: Database, used: readonly BenchStream[], blocks: number): Promise<number> {
    const read = async () => {
      const [row] = await db.rows<[bigint, bigint]>(
        `SELECT count(DISTINCT w.position), count(a.position) FROM webhook w
         LEFT JOIN webhook_attempt a ON a.partition = w.partition AND a.position = w.position AND a.delivered
         WHERE w.block_number >= $1 AND w.status = 'delivered'`,
        [BigInt(from - blocks)],
      )
      return row!.map(Number) as [number, number]
    }
    const expected = used.length * blocks
    // The receiver has the last webhooks before the service settles them.
    for (let tries = 0; tries < 100 && (await read())[0] < expected; tries++) await wait(100)
    const [delivered, attempts] = await read()
    return expected - delivered + Math.abs(attempts - expected)
  }
}

async function transfersOf(db: Database): Promise<number> {
  const [row] = await db.rows<[bigint]>(
    'SELECT coalesce(sum(transfers), 0)::int8 FROM collection WHERE chain_id = $1',
    [BigInt(large.id)],
  )
  return Number(row![0])
}

/** Returns the seconds for which each kind of work has yielded. */
async function readWaited(url: string): Promise<Map<string, number>> {
  const { body } = await request(`${url}/metrics`, { headers: { 'x-api-key': benchKey } })
  const lines = (await body.text()).matchAll(/^mintmark_background_waited_seconds_total\{work="(\w+)"\} (\S+)$/gm)
  return new Map(Array.from(lines, ([, work, seconds]) => [work!, Number(seconds)]))
}

/** Counts the responses of `/ready` other than 200 until the signal. */
async function watchReady(url: string, signal: AbortSignal): Promise<number> {
  let others = 0
  while (!signal.aborted) {
    const { statusCode, body } = await request(`${url}/ready`)
    await body.dump()
    if (statusCode !== 200) others++
    await wait(500)
  }
  return others
}
