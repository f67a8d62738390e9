import pg from 'pg'
import { createDatabase } from '../src/db/database.ts'
import { noopLog } from '../src/util/log.ts'
import { postgres15Missing, startPostgres15 } from '../test/postgres15.ts'
import { startChild } from './child.ts'
import { deliveryRate } from './delivery.ts'
import type { Figure, Row } from './figure.ts'
import { benchChain, getPage, secondsUntilSynced, startMeasuredService, untilTried } from './measuredService.ts'
import type { StandInAddress, StandInInput } from './rpcStandIn.ts'
import { startWebhookLedger } from './webhookLedger.ts'
import { fillQueue, insertStreams, streamId } from './webhookRows.ts'

const historyShape = { seed: 1, logs: 400_000, blocks: 400_000, mintShare: 0.6, holders: 20_000 }
const documentShape = { seed: 5, logs: 20_000, blocks: 30_000, mintShare: 1, holders: 5_000 }
const streamCount = 64
const perStream = 500
const pages = 200

/** Counts the statements of each kind of work by `pg_stat_statements`, and the rows that remain. */
export const statements: Figure = {
  name: 'statements',
  title: 'Statements, rows and bytes in the database, for a million of each',
  missing: postgres15Missing,
  async run() {
    return [...(await onNewServer(history)), ...(await onNewServer(documents)), ...(await onNewServer(webhooks))]
  },
}

/** Each kind of work has its own server. Otherwise the background work of one would count for the next. */
async function onNewServer(measure: (url: string, count: Counter) => Promise<Row[]>): Promise<Row[]> {
  const server = await startPostgres15({ shared_preload_libraries: `'pg_stat_statements'` })
  const count = await openCounter(server.url)
  const rows = await measure(server.url, count)
  await count.close()
  await server.stop()
  return rows
}

type Counted = { statements: number; transactions: number; rows: number; bytes: number }
type Counter = { close(): Promise<void> } & (<T>(work: () => Promise<T>) => Promise<Counted & { result: T }>)

/** Counts the statements of the whole server during `work`, and the rows that it adds to tables. Staging tables do not count. */
async function openCounter(url: string): Promise<Counter> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('CREATE EXTENSION pg_stat_statements')
  async function read() {
    const { rows } = await client.query<{ calls: string; started: string }>(
      `SELECT coalesce(sum(calls), 0) AS calls, coalesce(sum(calls) FILTER (WHERE query ~* '^begin'), 0) AS begun FROM pg_stat_statements`,
    )
    return { calls: Number(rows[0]!.calls), started: Number(rows[0]!.started) }
  }
  async function held() {
    await client.query('ANALYZE')
    const { rows } = await client.query<{ rows: string; bytes: string }>(
      `SELECT coalesce(sum(greatest(reltuples, 0)), 0) AS rows, coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes
       FROM pg_class WHERE relkind = 'r' AND relpersistence = 'p' AND relnamespace = 'public'::regnamespace`,
    )
    return { rows: Number(rows[0]!.rows), bytes: Number(rows[0]!.bytes) }
  }
  async function count<T>(work: () => Promise<T>) {
    const [heldBefore, before] = [await held(), await read()]
    const result = await work()
    const [after, heldAfter] = [await read(), await held()]
    return {
      result,
      statements: after.calls - before.calls,
      transactions: after.started - before.started,
      rows: heldAfter.rows - heldBefore.rows,
      bytes: heldAfter.bytes - heldBefore.bytes,
    }
  }
  return Object.assign(count, { close: () => client.end() })
}

const perMillion = (what: string, { statements, transactions, rows, bytes }: Counted, of: number): Row[] => [
  { what: `${what}: statements`, value: (statements / of) * 1e6, unit: '' },
  { what: `${what}: of these, the begin of a transaction`, value: (transactions / of) * 1e6, unit: '' },
  { what: `${what}: rows that remain`, value: (rows / of) * 1e6, unit: '' },
  { what: `${what}: bytes that remain, with indexes`, value: bytes / of, unit: 'MB' },
]

async function openNode(input: Pick<StandInInput, 'shape' | 'uris'>) {
  const standIn = startChild('./rpcStandIn.ts', {
    ...input,
    chainId: benchChain.id,
    multicall: true,
  } satisfies StandInInput)
  return { standIn, node: await standIn.next<StandInAddress>() }
}

/** Counts history, including the tables of wallets. */
async function history(url: string, count: Counter): Promise<Row[]> {
  const { standIn, node } = await openNode({ shape: historyShape, uris: { at: 'nowhere' } })
  const counted = await count(async () => {
    const service = await startMeasuredService({ databaseUrl: url, nodeUrl: node.url })
    await secondsUntilSynced(service.url, node)
    const db = createDatabase({ connection: { connectionString: url }, poolSize: 1, log: noopLog })
    while ((await db.rows('SELECT 1 FROM wallet_due LIMIT 1')).length > 0) await db.rows('SELECT pg_sleep(0.2)')
    await db.close()
    await service.stop()
  })
  await standIn.stop()
  return perMillion('a million transfers', counted, historyShape.logs)
}

async function documents(url: string, count: Counter): Promise<Row[]> {
  const { standIn, node } = await openNode({ shape: documentShape, uris: { at: 'data' } })
  const service = await startMeasuredService({
    databaseUrl: url,
    nodeUrl: node.url,
    config: { pageCache: { maxBytes: 0 } },
  })
  const read = await count(async () => {
    await secondsUntilSynced(service.url, node)
    await untilTried(service.url, node.contract)
  })
  const shown = await count(async () => {
    for (let i = 0; i < pages; i++) await getPage(service.url, node.contract, {})
  })
  await service.stop()
  await standIn.stop()
  return [
    ...perMillion('a million mints with their metadata', read, documentShape.logs),
    {
      what: 'a page from the database: statements, background work included',
      value: shown.statements / pages,
      unit: '',
    },
  ]
}

async function webhooks(url: string, count: Counter): Promise<Row[]> {
  const { host, port, user, database } = new pg.Client({ connectionString: url })
  const ledger = await startWebhookLedger({
    connection: { host, port, user: user!, database: database! },
    stop: async () => undefined,
  })
  const ids = Array.from({ length: streamCount }, (_, i) => streamId(i))
  const streams = await insertStreams(ledger.db, `${ledger.origin}/`, ids)
  const deliverer = ledger.startDeliverer({ started: false })
  const counted = await count(async () => {
    await fillQueue(ledger.db, streams, { from: 1, blocks: perStream })
    await deliveryRate({ ...ledger, deliverer, posts: streamCount * perStream })
  })
  await deliverer.stop()
  await ledger.stop()
  return perMillion('a million webhooks, enqueued and delivered', counted, streamCount * perStream)
}
