import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../src/config/config.ts'
import { createDatabase, type Database } from '../src/db/database.ts'
import { recountLedger } from '../src/stream/ledger/recountLedger.ts'
import { noopLog } from '../src/util/log.ts'
import { startChild } from './child.ts'
import { cpuSeconds, cpuSecondsOfAll } from './cpuTime.ts'
import { type Figure, medians, p99, type Row } from './figure.ts'
import {
  getPage,
  type MeasuredService,
  pageAddress,
  secondsUntilSynced,
  startMeasuredService,
} from './measuredService.ts'
import { heldMegabytes, processMegabytes } from './memory.ts'
import type { MetadataHostAddress, MetadataHostInput } from './metadataHost.ts'
import { startPageLoad } from './pageLoad.ts'
import { queueEverything } from './queueEverything.ts'
import type { StandInAddress, StandInInput } from './rpcStandIn.ts'
import { postmasterPid, startTemporaryPostgres } from './temporaryPostgres.ts'
import { timeWebhooks } from './timedWebhooks.ts'
import { insertStreams, streamId } from './webhookRows.ts'

const seconds = 20
const rounds = 3
/** Each stream gets a webhook every 10 ms: 2,000 a second in all. */
const streamCount = 20
const pagesPerSecond = 500
const connections = 16

/** Each contract is on a chain of its own. */
const chains = {
  bench: { id: '0x7a69', shape: { seed: 21, logs: 10_000, blocks: 1_000, mintShare: 1, holders: 4_000 } },
  documents: { id: '0x7a6a', shape: { seed: 22, logs: 10_000, blocks: 1_000, mintShare: 1, holders: 4_000 } },
  large: { id: '0x7a6b', shape: { seed: 23, logs: 2_000_000, blocks: 2_000_000, mintShare: 0.6, holders: 20_000 } },
} as const
type ChainName = keyof typeof chains

const title = `At once: the history of a large collection, ${(streamCount * 100).toLocaleString('en')} webhooks/s, metadata and ${pagesPerSecond} pages/s`

/** Everything that one server does at the same time, on one machine with its clients. */
export const allAtOnce: Figure = { name: 'all-at-once', title, run: () => measure(['all']) }

/** Does the same with one process for each role, so that the operating system shares the cores between requests and other work. */
export const allAtOnceApart: Figure = {
  name: 'all-at-once-apart',
  title: `${title}, with one process for each role`,
  run: () => measure(['api', 'sync', 'deliver']),
}

async function measure(roles: readonly Config['role'][]): Promise<Row[]> {
  const world = await openWorld(roles)
  let block = 1
  const rows = await medians(rounds, async () => {
    const found = await world.round(block)
    block += seconds * 100
    return found
  })
  await world.stop()
  return rows
}

type World = { round(fromBlock: number): Promise<Row[]>; stop(): Promise<void> }

async function openWorld(roles: readonly Config['role'][]): Promise<World> {
  const host = startChild('./metadataHost.ts', { delayMs: 50 } satisfies MetadataHostInput)
  const { url: documents } = await host.next<MetadataHostAddress>()
  const standIns = (Object.keys(chains) as ChainName[]).map((name) => {
    const uris = name === 'documents' ? ({ at: 'host', url: documents } as const) : ({ at: 'nowhere' } as const)
    const { id, shape } = chains[name]
    return {
      name,
      id,
      child: startChild('./rpcStandIn.ts', { shape, chainId: id, multicall: true, uris } satisfies StandInInput),
    }
  })
  const nodes = new Map<ChainName, StandInAddress>()
  for (const { name, child } of standIns) nodes.set(name, await child.next<StandInAddress>())
  // Several processes need one database that they reach by its address.
  const shared = roles.length > 1 ? await startTemporaryPostgres() : undefined
  const services: MeasuredService[] = []
  for (const role of roles)
    services.push(
      await startMeasuredService({
        databaseUrl: shared?.url ?? null,
        config: {
          role,
          outbound: { allow: ['127.0.0.1'], perHostConcurrency: 200 },
          metadata: { concurrentDocuments: 200 },
          chains: Object.fromEntries(standIns.map(({ name, id }) => [name, { id, rpc: [nodes.get(name)!.url] }])),
        },
      }),
    )
  const [service] = services as [MeasuredService]
  const postgres = shared?.pid ?? postmasterPid(service.dataDir)
  const embedded = { host: join(realpathSync(service.dataDir), 'postgres'), user: 'postgres', database: 'postgres' }
  const connection = shared?.connection ?? embedded
  const sumOf = (read: (pid: number) => number) => services.reduce((sum, { pid }) => sum + read(pid), 0)
  const db = createDatabase({ connection, poolSize: 4, log: noopLog })
  const receiver = startChild('./receiver.ts', null)
  const { port } = await receiver.next<{ port: number }>()
  const ids = Array.from({ length: streamCount }, (_, i) => streamId(i))
  const streams = await insertStreams(db, `http://127.0.0.1:${port}/timed`, ids)
  // The streams have no chain, so that the service never matches blocks with them.
  await db.run(`UPDATE stream SET chain_ids = '{}'`)
  const load = startPageLoad({ connections, seconds })
  await secondsUntilSynced(service.url, nodes.get('bench')!)
  const contractOf = (name: ChainName) => nodes.get(name)!.contract
  const request = (name: ChainName) => getPage(service.url, contractOf(name), { chain: name, limit: '1' })
  while ((await request('documents')).status !== 'SYNCED') await wait(50)
  const { pathname, search } = new URL(pageAddress(service.url, contractOf('bench'), {}))
  const paths = [pathname + search]
  await request('large')

  return {
    async round(fromBlock) {
      const stop = new AbortController()
      const before = await transfersOf(db, chains.large.id)
      const read = keepReading(db, stop.signal)
      const memory = watchMemory({ service: () => sumOf(processMegabytes), postgres }, stop.signal)
      const others = [process, load, receiver, host, ...standIns.map(({ child }) => child)]
      const used = watchProcessors({
        service: () => sumOf(cpuSeconds),
        postgres: () => cpuSecondsOfAll(postgres),
        others: () => others.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
      })
      const began = performance.now()
      const [pages, latencies] = await Promise.all([
        load.measure(service.url, paths, { perSecond: pagesPerSecond }),
        timeWebhooks(db, receiver, streams, { from: fromBlock, blocks: seconds * 100 }),
      ])
      const taken = (performance.now() - began) / 1_000
      const cores = used()
      stop.abort()
      const stored = (await transfersOf(db, chains.large.id)) - before
      const most = await memory
      await expectBalance(db)
      return [
        { what: 'pages of a collection without changes', value: pages.perSecond, unit: 'pages/s' },
        { what: 'time of a page, 99th percentile', value: pages.p99Ms, unit: 'ms', goal: { atMost: 20 } },
        { what: 'webhooks received', value: latencies.length / taken, unit: 'webhooks/s', goal: { atLeast: 1_900 } },
        { what: 'time of a webhook, 99th percentile', value: p99(latencies), unit: 'ms', goal: { atMost: 500 } },
        { what: 'history at the same time', value: stored / taken, unit: 'logs/s', goal: { atLeast: 1_000 } },
        { what: 'metadata at the same time', value: (await read) / taken, unit: 'tokens/s', goal: { atLeast: 100 } },
        {
          what: 'memory of Mintmark and PostgreSQL at its peak',
          value: most.both,
          unit: 'MB',
          goal: { atMost: 1_536 },
        },
        { what: 'of which Mintmark', value: most.service, unit: 'MB' },
        { what: 'of which PostgreSQL', value: most.postgres, unit: 'MB' },
        { what: 'CPU time of Mintmark', value: cores.service, unit: 'cores' },
        { what: 'CPU time of PostgreSQL', value: cores.postgres, unit: 'cores' },
        { what: 'CPU time of clients, nodes and hosts', value: cores.others, unit: 'cores' },
      ]
    },
    async stop() {
      await db.close()
      for (const part of [load, ...services, receiver, host, ...standIns.map(({ child }) => child)]) await part.stop()
      await shared?.stop()
    },
  }
}

async function transfersOf(db: Database, chainId: string): Promise<number> {
  const [row] = await db.rows<[bigint]>(
    'SELECT coalesce(sum(transfers), 0)::int8 FROM collection WHERE chain_id = $1',
    [BigInt(chainId)],
  )
  return Number(row![0])
}

/** Interval between two counts of pending metadata. Counting every 200 ms took an eighth of a core from the measured processes. */
const countMs = 1_000

/** Makes all metadata due again and again until the signal. Returns how many tokens the service processed. */
async function keepReading(db: Database, signal: AbortSignal): Promise<number> {
  const remaining = async () => Number((await db.rows<[bigint]>('SELECT count(*) FROM metadata_due'))[0]![0])
  let read = 0
  let pending = 0
  for (;;) {
    const now = await remaining()
    read += Math.max(0, pending - now)
    pending = now
    if (signal.aborted) return read
    if (pending === 0) {
      await queueEverything(db, BigInt(chains.documents.id))
      pending = await remaining()
    }
    await wait(countMs, undefined, { signal }).catch(() => undefined)
  }
}

type Megabytes = { both: number; service: number; postgres: number }

/** Returns the memory of both processes at the moment when their sum was largest. */
async function watchMemory(of: { service: () => number; postgres: number }, signal: AbortSignal): Promise<Megabytes> {
  let most: Megabytes = { both: 0, service: 0, postgres: 0 }
  while (!signal.aborted) {
    const [service, postgres] = [of.service(), heldMegabytes(of.postgres)]
    if (service + postgres > most.both) most = { both: service + postgres, service, postgres }
    await wait(1_000)
  }
  return most
}

/** Returns a function that reports how many cores each process has used since. `read` returns seconds of processor time. */
function watchProcessors<Name extends string>(read: Record<Name, () => number>): () => Record<Name, number> {
  const now = () => Object.entries<() => number>(read).map(([name, seconds]) => [name, seconds()] as const)
  const before = new Map(now())
  const began = performance.now()
  return () => {
    const seconds = (performance.now() - began) / 1_000
    return Object.fromEntries(now().map(([name, used]) => [name, (used - before.get(name)!) / seconds])) as never
  }
}

async function expectBalance(db: Database): Promise<void> {
  const { mismatches } = await recountLedger(db)
  if (mismatches.length > 0) throw new Error(`the ledger does not balance: ${JSON.stringify(mismatches[0])}`)
}
