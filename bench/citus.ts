import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { clusterMissing, startCitusCluster } from '../test/citus/cluster.ts'
import { onServer } from '../test/onServer.ts'
import { type GivenServer, startPostgres15 } from '../test/postgres15.ts'
import { type Child, startChild } from './child.ts'
import { deliveryRate } from './delivery.ts'
import { type Figure, median, type Row } from './figure.ts'
import { embeddedPoolSize, secondsUntilSynced, startMeasuredService, untilTried } from './measuredService.ts'
import { type PageLoad, startPageLoad } from './pageLoad.ts'
import type { StandInAddress, StandInInput } from './rpcStandIn.ts'
import { walkPages } from './storedPages.ts'
import { startWebhookLedger } from './webhookLedger.ts'
import { fillQueue, insertStreams, streamId } from './webhookRows.ts'

const pagesShape = { seed: 5, logs: 20_000, blocks: 30_000, mintShare: 1, holders: 5_000 }
const historyShape = { seed: 1, logs: 200_000, blocks: 200_000, mintShare: 0.6, holders: 20_000 }
const streamCount = 64
const perStream = 125
/** Each round measures pages for one second. */
const pageRounds = 8
const historyRounds = 3
const deliveryRounds = 7
/** The figure does not count these rounds: code and query plans still become faster. */
const warmRounds = 3
/** Goals: the time on the cluster, divided by the time on plain PostgreSQL. */
const most = { page: 1.7, history: 1.35, webhooks: 1.4 }

/** The values of both sides in one round. */
type Pair = { plain: number; citus: number }
type Sides<T> = { plain: T; citus: T }

/** Compares the same work on a Citus cluster and on one PostgreSQL, on this machine, with the same binaries and settings. */
export const citus: Figure = {
  name: 'citus',
  title:
    'A Citus cluster, a coordinator and two workers on this machine, compared with one PostgreSQL 15 with the same programs and settings',
  missing: clusterMissing,
  async run() {
    const cluster = await startCitusCluster()
    await withoutTls(cluster.url)
    const servers: Sides<GivenServer> = {
      plain: await startPostgres15(),
      citus: { url: cluster.url, stop: cluster.end },
    }
    await migrate(servers.plain.url)
    await migrate(servers.citus.url, '--distribute')
    const rows = [...(await pages(servers)), ...(await history(servers)), ...(await webhooks(servers))]
    for (const { stop } of Object.values(servers)) await stop()
    return rows
  },
}

/**
 * Turns TLS between the nodes off, as the service reaches both sides by loopback without TLS. Citus uses TLS between nodes by default,
 * which made pages a tenth slower.
 */
async function withoutTls(url: string): Promise<void> {
  const connection = connectionOf(url)
  const [nodes] = await onServer(connection, 'SELECT nodeport FROM pg_dist_node')
  for (const [port] of nodes!.rows as [number][])
    await onServer(
      { ...connection, port },
      `ALTER SYSTEM SET citus.node_conninfo = 'sslmode=disable'`,
      'SELECT pg_reload_conf()',
    )
}

/** Runs `mintmark migrate` as an operator does. */
async function migrate(url: string, ...options: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  const main = join(import.meta.dirname, '../src/main.ts')
  await promisify(execFile)(process.execPath, [main, 'migrate', '--database-url', url, ...options], { cwd: folder })
  rmSync(folder, { recursive: true })
}

/** Measures both sides in alternating order, so that a machine that becomes faster meanwhile favours neither. */
async function alternately(
  rounds: number,
  measure: (side: keyof Pair, round: number) => Promise<number>,
): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (let round = 0; round < rounds; round++) {
    const pair = { plain: 0, citus: 0 }
    for (const side of round % 2 === 0 ? (['plain', 'citus'] as const) : (['citus', 'plain'] as const))
      pair[side] = await measure(side, round)
    pairs.push(pair)
  }
  return pairs
}

/** `ratio` compares the two values of a pair. The row shows the median of all pairs. */
function rowsOf(
  pairs: Pair[],
  options: { what: string; unit: string; ratio(pair: Pair): number; atMost?: number },
): Row[] {
  const { what, unit, ratio, atMost } = options
  return [
    { what: `${what}, PostgreSQL`, value: median(pairs.map(({ plain }) => plain)), unit },
    { what: `${what}, Citus`, value: median(pairs.map(({ citus }) => citus)), unit },
    {
      what: `${what}, Citus to PostgreSQL`,
      value: median(pairs.map(ratio)),
      unit: '×',
      ...(atMost !== undefined && { goal: { atMost } }),
    },
  ]
}

const times = ({ plain, citus }: Pair) => citus / plain
const rates = ({ plain, citus }: Pair) => plain / citus

/** Starts a service without a page cache. Its collection has tokens with metadata. */
async function startPages({ url }: GivenServer, node: StandInAddress) {
  const service = await startMeasuredService({
    databaseUrl: url,
    nodeUrl: node.url,
    config: { pageCache: { maxBytes: 0 }, databasePoolSize: embeddedPoolSize },
  })
  await secondsUntilSynced(service.url, node)
  await untilTried(service.url, node.contract)
  await vacuum(url)
  const walk = await walkPages({ url: service.url, contract: node.contract, connections: 16, pages: 160 })
  return { service, paths: walk.map(({ path }) => path) }
}

async function pages(servers: Sides<GivenServer>): Promise<Row[]> {
  const standIn = startNode({ shape: pagesShape, chainId: '0x7a69', uris: { at: 'data' } })
  const node = await standIn.next<StandInAddress>()
  const sides = { plain: await startPages(servers.plain, node), citus: await startPages(servers.citus, node) }
  const measure = async (load: PageLoad, rounds: number) => {
    const rate: Pair[] = []
    const time = await alternately(rounds, async (side, round) => {
      const { medianMs, perSecond } = await load.measure(sides[side].service.url, sides[side].paths)
      rate[round] = { ...(rate[round] ?? { plain: 0, citus: 0 }), [side]: perSecond }
      return medianMs
    })
    return { rate, time }
  }
  const alone = startPageLoad({ connections: 1, seconds: 1 })
  const many = startPageLoad({ connections: 16, seconds: 1 })
  await measure(many, warmRounds)
  const [one, several] = [await measure(alone, pageRounds), await measure(many, pageRounds)]
  for (const part of [alone, many, sides.plain.service, sides.citus.service, standIn]) await part.stop()
  return [
    // autocannon counts whole milliseconds. With one request at a time, the rate gives a more precise time.
    ...rowsOf(
      one.rate.map(({ plain, citus }) => ({ plain: 1_000 / plain, citus: 1_000 / citus })),
      {
        what: 'time of a page, one request at a time',
        unit: 'ms',
        ratio: times,
        atMost: most.page,
      },
    ),
    ...rowsOf(several.time, {
      what: 'time of a page, median, 16 connections',
      unit: 'ms',
      ratio: times,
      atMost: most.page,
    }),
    ...rowsOf(several.rate, { what: 'pages, 16 connections', unit: 'pages/s', ratio: rates }),
  ]
}

/** Each round starts the service again and reads another chain with the same logs. */
async function history(servers: Sides<GivenServer>): Promise<Row[]> {
  const rate = async (side: keyof Pair, chain: number) => {
    const standIn = startNode({ shape: historyShape, chainId: `0x${chain.toString(16)}`, uris: { at: 'nowhere' } })
    const node = await standIn.next<StandInAddress>()
    const service = await startMeasuredService({
      databaseUrl: servers[side].url,
      config: { chains: { bench: { id: `0x${chain.toString(16)}`, rpc: [node.url] } } },
    })
    const seconds = await secondsUntilSynced(service.url, node)
    await service.stop()
    await standIn.stop()
    return historyShape.logs / seconds
  }
  await alternately(1, (side) => rate(side, 0x8000))
  const pairs = await alternately(historyRounds, (side, round) => rate(side, 0x8001 + round))
  return rowsOf(pairs, { what: 'history', unit: 'logs/s', ratio: rates, atMost: most.history })
}

async function webhooks(servers: Sides<GivenServer>): Promise<Row[]> {
  const open = async ({ url }: GivenServer) => {
    const ledger = await startWebhookLedger({ connection: connectionOf(url), stop: async () => undefined })
    const ids = Array.from({ length: streamCount }, (_, i) => streamId(i))
    const streams = await insertStreams(ledger.db, `${ledger.origin}/`, ids)
    return { ledger, streams, deliverer: ledger.startDeliverer({ started: false }), from: 1 }
  }
  const sides = { plain: await open(servers.plain), citus: await open(servers.citus) }
  const rate = async (side: keyof Pair) => {
    const { ledger, streams, deliverer, from } = sides[side]
    await fillQueue(ledger.db, streams, { from, blocks: perStream })
    sides[side].from += perStream
    return deliveryRate({ ...ledger, deliverer, posts: streamCount * perStream })
  }
  await alternately(warmRounds, rate)
  const pairs = await alternately(deliveryRounds, rate)
  for (const { deliverer, ledger } of Object.values(sides)) {
    await deliverer.stop()
    await ledger.stop()
  }
  return rowsOf(pairs, { what: 'webhooks delivered', unit: 'webhooks/s', ratio: rates, atMost: most.webhooks })
}

function startNode(input: Omit<StandInInput, 'multicall'>): Child {
  return startChild('./rpcStandIn.ts', { ...input, multicall: true })
}

function connectionOf(url: string) {
  const { host, port, user, database } = new pg.Client({ connectionString: url })
  return { host, port, user: user!, database: database! }
}

async function vacuum(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('VACUUM ANALYZE')
  await client.end()
}
