import { availableParallelism } from 'node:os'
import type pg from 'pg'
import { createApi } from './api/createApi.ts'
import { startMonitor } from './api/startMonitor.ts'
import type { EvmChain } from './chain/evm/chains.ts'
import { createContractReader } from './chain/evm/createContractReader.ts'
import { createEvmSource } from './chain/evm/createEvmSource.ts'
import { createRpc } from './chain/evm/createRpc.ts'
import { readVersion } from './cli/readVersion.ts'
import { createCoinQuery } from './coin/createCoinQuery.ts'
import { type Coins, openCoins } from './coin/openCoins.ts'
import { type Config, resolveChains } from './config.ts'
import { createDatabase, type Database } from './db/database.ts'
import { startEmbeddedPostgres } from './db/embedded/startEmbeddedPostgres.ts'
import { migrate } from './db/migrate.ts'
import { describeError } from './errors.ts'
import type { Log } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { defaultSettings } from './net/client.ts'
import { createGateways } from './net/createGateways.ts'
import { createGuardedClient } from './net/createGuardedClient.ts'
import { readWantedChains } from './nft/collectionStore.ts'
import { createDemand, demandChannel } from './nft/createDemand.ts'
import { createNftQuery } from './nft/createNftQuery.ts'
import { followCollections } from './nft/followCollections.ts'
import { indexCollections } from './nft/indexCollections.ts'
import { createMediaStore } from './nft/media/store/createMediaStore.ts'
import type { MediaStore } from './nft/media/store/mediaStore.ts'
import { createMetadataDemand } from './nft/metadata/createMetadataDemand.ts'
import { partitionCount } from './nft/partition.ts'
import { startMetadata } from './startMetadata.ts'
import { openStreamDemand, startStreams } from './startStreams.ts'
import { startWebhooks } from './startWebhooks.ts'
import { createStreamQuery } from './stream/createStreamQuery.ts'
import { createStreamStore } from './stream/createStreamStore.ts'
import { readStreamChains } from './stream/definition/streamStore.ts'
import { followStreams } from './stream/follow/followStreams.ts'
import { combineHandlers } from './sync/combineHandlers.ts'
import { followChains } from './sync/followChains.ts'
import { createLeases } from './sync/lease.ts'
import { createOpenChains, type OpenChain, type OpenChains } from './sync/openChains.ts'
import { createWaker } from './util/wait.ts'

/** The running server. */
export type Service = {
  /** Where it listens, such as http://127.0.0.1:8080; of the roles sync and deliver, for those who watch it alone. */
  url: string
  /** Drains and stops everything, in the reverse order of the start. */
  close(): Promise<void>
}

export type ServiceOptions = { config: Config; log: Log }

/** Opens, wires and starts what the role asks for. What was started is stopped again if a later part fails. */
export async function createService({ config, log }: ServiceOptions): Promise<Service> {
  const undo: (() => Promise<void>)[] = []
  /** Everything that works on is told at once; then the parts are waited for, one after another. */
  const stopping = new AbortController()
  const close = async () => {
    stopping.abort()
    for (const stop of undo.splice(0).reverse())
      await stop().catch((err: unknown) => log.error({ err }, 'a part did not stop cleanly'))
  }
  try {
    const metrics = createMetrics({ processMetrics: true, dataDir: config.dataDir })
    const { db, forClients, forPages } = await openDatabase(config, log, undo)
    await migrate(db, log)
    const chains = resolveChains(config)
    const openChains = createOpenChains({ chains, db, connect: (chain) => connect(chain, { config, metrics, log }) })
    undo.push(openChains.close)
    const unanswered = answerOnce(openChains, chains, log, undo)
    const coins = await openCoins({ settings: config.aptos, db, metrics, log })
    undo.push(coins.close)
    const media = createMediaStore({ dataDir: config.dataDir, ...config.media })
    undo.push(media.close)
    if (config.role === 'all' || config.role === 'sync')
      await startSync({ config, db, openChains, coins, media, metrics, log, undo, signal: stopping.signal })
    const ready = async () => [
      ...((await isReachable(forClients)) ? [] : ['database']),
      ...unanswered,
      ...coins.unanswered(),
    ]
    const watched = async () => {
      const monitor = await startMonitor({ config, log, metrics, db: forClients, ready, version: readVersion() })
      undo.push(monitor.close)
      log.info({ url: monitor.url, role: config.role }, 'serving')
      return { url: monitor.url, close }
    }
    if (config.role === 'sync') return await watched()
    const { sendTest } = await startWebhooks({ config, db, metrics, log, undo })
    if (config.role === 'deliver') return await watched()
    let publicUrl = config.publicUrl ?? ''
    const api = createApi({
      config,
      log,
      metrics,
      db: forClients,
      chains,
      nft: {
        query: createNftQuery({
          db: forPages,
          publicUrl: () => publicUrl,
          refreshAfterMs: config.metadata.refreshAfterMs,
        }),
        demand: createDemand({ db: forClients, ...config.demand }),
        metadata: createMetadataDemand({ db: forClients }),
      },
      media,
      coin: { query: createCoinQuery({ db: forPages }), networks: Object.keys(config.aptos) },
      streams: {
        demand: openStreamDemand({ db, chains, openChains, sendTest }),
        query: createStreamQuery({ db: forClients }),
        store: createStreamStore({ db, settings: config.webhooks }),
      },
      ready,
      version: readVersion(),
    })
    const server = await api.listen(config)
    undo.push(server.close)
    publicUrl ||= server.url
    log.info({ url: server.url, role: config.role }, 'serving')
    return { url: server.url, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A client waits no longer for a statement; what works behind the scenes waits as long as it takes. */
const clientTimeoutMs = 5_000

/**
 * The database three times, each with connections of its own, so that none keeps another waiting: half of them for what
 * works behind the scenes, the others for requests, which give up in time; pages are cut by `forPages`.
 */
async function openDatabase(
  config: Config,
  log: Log,
  undo: (() => Promise<void>)[],
): Promise<Record<'db' | 'forClients' | 'forPages', Database>> {
  let connection: pg.ClientConfig
  if (config.databaseUrl === null) {
    const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
    undo.push(embedded.stop)
    connection = embedded.connection
  } else connection = { connectionString: config.databaseUrl }
  const quarter = Math.ceil(config.databasePoolSize / 4)
  const db = createDatabase({ connection, poolSize: 2 * quarter, log })
  undo.push(db.close)
  const timeouts = { statement_timeout: clientTimeoutMs, query_timeout: clientTimeoutMs + 500 }
  const timely = { connection: { ...connection, ...timeouts }, poolSize: quarter, log }
  const forClients = createDatabase(timely)
  undo.push(forClients.close)
  // The embedded server shares the cores with this process: more pages cut at once than it can work on only get in its way.
  const pagePool = config.databaseUrl === null ? Math.min(quarter, 2 * availableParallelism()) : quarter
  const forPages = createDatabase({ ...timely, poolSize: pagePool, planOnce: true })
  undo.push(forPages.close)
  return { db, forClients, forPages }
}

async function isReachable(db: Database): Promise<boolean> {
  try {
    await db.rows('SELECT 1')
    return true
  } catch {
    // Whatever is wrong with it: it cannot answer requests now.
    return false
  }
}

function connect(chain: EvmChain, options: { config: Config; metrics: Metrics; log: Log }): OpenChain {
  const { config, metrics, log } = options
  const rpc = createRpc({ chain, settings: config.rpc, metrics, log })
  const source = createEvmSource({ rpc, chain, settings: config.rpc, metrics, log })
  return { chain, source, contracts: createContractReader({ rpc, chain, log }), close: source.close }
}

/** Names of the chains of the configuration that have not answered yet. A chain that is only known is left alone until it is used. */
function answerOnce(
  chains: OpenChains,
  all: readonly EvmChain[],
  log: Log,
  undo: (() => Promise<void>)[],
): Set<string> {
  const stop = new AbortController()
  const configured = all.filter((chain) => chain.configured)
  const unanswered = new Set(configured.map((chain) => chain.name))
  async function ask(chain: EvmChain): Promise<void> {
    const waker = createWaker()
    for (let pause = 250; !stop.signal.aborted; pause = Math.min(10_000, pause * 2)) {
      try {
        await chains.open(chain.id, stop.signal)
        unanswered.delete(chain.name)
        return
      } catch (error) {
        if (!stop.signal.aborted) log.warn({ chain: chain.name, reason: describeError(error) }, 'chain does not answer')
        await waker.wait(pause, stop.signal)
      }
    }
  }
  const asking = configured.map(ask)
  undo.push(async () => {
    stop.abort()
    await Promise.all(asking)
  })
  return unanswered
}

async function startSync(options: {
  config: Config
  db: Database
  openChains: OpenChains
  coins: Coins
  media: MediaStore
  metrics: Metrics
  log: Log
  undo: (() => Promise<void>)[]
  signal: AbortSignal
}): Promise<void> {
  const { config, db, openChains: chains, coins, media, metrics, log, undo, signal } = options
  const indexWaker = createWaker()
  const followWaker = createWaker()
  const wakers = { metadata: createWaker(), media: createWaker(), follow: followWaker, history: createWaker() }
  const leases = await createLeases({
    db,
    log,
    keys: {
      partition: Array.from({ length: partitionCount }, (_, i) => BigInt(i)),
      chain: chains.ids,
      aptos: coins.ids,
    },
    onChange() {
      indexWaker.wake()
      followWaker.wake()
      wakers.metadata.wake()
      wakers.media.wake()
      wakers.history.wake()
    },
  })
  undo.push(leases.close)
  coins.read(leases)
  // Before the leases go, so that nothing is read that may not be stored.
  undo.push(coins.close)
  undo.push(await db.listen(demandChannel, indexWaker.wake))
  const common = { chains, leases, db, metrics, log, signal }
  const http = createGuardedClient({ settings: { ...defaultSettings, ...config.outbound }, metrics, log })
  undo.push(http.close)
  const { ipfsGateways: ipfs, arweaveGateways: arweave } = config.outbound
  const gateways = createGateways({ client: http, ipfs, arweave, metrics, log })
  const loops = [
    ...(await startStreams({ ...common, settings: config.webhooks, wakers, undo })),
    ...(await startMetadata({ ...common, config, http, gateways, store: media, wakers, undo })),
    indexCollections({
      ...common,
      settings: { ...config.sync, firstRange: config.rpc.maxLogRange },
      waker: indexWaker,
      onComplete: followWaker.wake,
    }),
    followChains({
      ...common,
      wanted: async () => [...(await readWantedChains(db)), ...(await readStreamChains(db))],
      createHandler: async (open) =>
        combineHandlers([
          await followCollections({ ...open, db, metadataCoolOffMs: config.metadata.coolOffMs, metrics, log }),
          await followStreams({ ...open, db, log }),
        ]),
      waker: followWaker,
    }),
  ]
  undo.push(async () => {
    await Promise.all(loops)
  })
}
