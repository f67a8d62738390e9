import type { ConsoleState } from './api/console/consoleFiles.ts'
import { createApi } from './api/createApi.ts'
import { createMonitor } from './api/createMonitor.ts'
import { type Served, startServer } from './api/http/server.ts'
import type { EvmChain } from './chain/evm/chains.ts'
import { createContractReader } from './chain/evm/contracts/createContractReader.ts'
import { answerBudgetBytes, createRpc } from './chain/evm/rpc/createRpc.ts'
import { createEvmSource } from './chain/evm/source/createEvmSource.ts'
import { createRangeCaps } from './chain/evm/source/logWidth.ts'
import { openCoins } from './coin/openCoins.ts'
import type { Config } from './config/config.ts'
import { demandLimits, resolveChains } from './config/resolveChains.ts'
import { rejectUnfinished } from './db/migrations/distribute.ts'
import { migrate } from './db/migrations/migrate.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { createPreviewStore } from './nft/media/blobs/createPreviewStore.ts'
import { renewMedia, renewOfTokens } from './nft/media/mediaStore.ts'
import { createUriMedia } from './nft/media/uriMedia.ts'
import { createMetadataDemand } from './nft/metadata/store/createMetadataDemand.ts'
import { createDemand } from './nft/store/createDemand.ts'
import { createWalletDemand } from './nft/walletHistory/createWalletDemand.ts'
import { readVersion } from './readVersion.ts'
import { createAdmin } from './service/admin/createAdmin.ts'
import { createChainStates } from './service/createChainStates.ts'
import { createPageQueries } from './service/createPageQueries.ts'
import { nameChains } from './service/nameChains.ts'
import { isReachable, openDatabases } from './service/openDatabases.ts'
import { openFiles } from './service/openFiles.ts'
import { openReplica } from './service/openReplica.ts'
import { openWorkPriority } from './service/openWorkPriority.ts'
import { keepPresent } from './service/processes/keepPresent.ts'
import { describeProcess } from './service/processes/processStore.ts'
import { readTotals } from './service/processes/readTotals.ts'
import { answerOnce, reportReadiness } from './service/readiness.ts'
import { openStreamDemand } from './service/startStreams.ts'
import { startSync } from './service/startSync.ts'
import { startWebhooks } from './service/startWebhooks.ts'
import { watchChains } from './service/watchChains.ts'
import { createDisks } from './service/watchDisks.ts'
import { watchNetworks } from './service/watchNetworks.ts'
import { watchSizes } from './service/watchSizes.ts'
import { createStreamQuery } from './stream/ledger/answers/createStreamQuery.ts'
import { createStreamStore } from './stream/ledger/answers/createStreamStore.ts'
import { writeChainNames } from './sync/chainNames.ts'
import { createOpenChains, type OpenChain } from './sync/openChains.ts'
import { type ByteBudget, createByteBudget } from './util/byteBudget.ts'
import type { Log } from './util/log.ts'

/** The running server. */
export type Service = {
  /** Base URL, such as http://127.0.0.1:8080; in the roles sync and deliver only for monitoring. */
  url: string
  /** A link that opens the console, signed in with the configured key, valid once within a minute; undefined: there is no such key, or no console. */
  signInLink(): string | undefined
  /** Drains and stops everything, in reverse order of the start. */
  close(): Promise<void>
}

export type ServiceOptions = {
  config: Config
  log: Log
  /** Opens the console in parallel with the database; omitted: there is none. */
  openConsole?: (options: { log: Log; signal: AbortSignal }) => () => ConsoleState
  /** Ends a start that waits for its database. */
  signal?: AbortSignal
  /** Called once if this process can trust nothing any more, as its database returned to an earlier state: it must end. */
  onOtherTimeline?: (error: Error) => void
}

/** How long parts may still write results after `shutdownTimeoutMs`, before their statements are cancelled. */
const settlingMs = 2_000

/** Latest time of the cancellation: the process exits 9.5 s after the stop signal, and the server takes a moment to end. */
const latestCutMs = 8_500

/** Opens, connects and starts the parts of the role. If one fails, the started ones are stopped again. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { config } = options
  const chains = resolveChains(config)
  const log = nameChains(options.log, chains)
  const undo: (() => Promise<void>)[] = []
  /** Aborted first when the service closes, so that all parts stop at once; then each part is awaited, one after another. */
  const stopping = new AbortController()
  /** Cancels the statements of an embedded database; undefined until it is open. */
  let cutDatabase: (() => Promise<void>) | undefined
  const failed = (err: unknown) => log.error({ err }, 'shutdown of a component failed')
  const close = async () => {
    stopping.abort()
    // A part may wait for a statement that takes minutes: its transaction is rolled back, and the embedded server ends with this process.
    const waitMs = Math.min(config.shutdownTimeoutMs + settlingMs, latestCutMs)
    const late = setTimeout(() => {
      if (!cutDatabase) return
      log.warn({ waitMs }, 'database statements cancelled at shutdown')
      cutDatabase().catch(failed)
    }, waitMs)
    for (const stop of undo.splice(0).reverse()) await stop().catch(failed)
    clearTimeout(late)
  }
  try {
    const version = readVersion()
    const own = describeProcess({ role: config.role, version })
    const metrics = createMetrics({
      processMetrics: true,
      dataDir: config.dataDir,
      build: { version, role: config.role },
    })
    // Before all slow work and work that can fail: a port in use ends the start at once, and early requests get 503.
    const server = await startServer({
      ...config,
      version,
      closeTimeoutMs: config.shutdownTimeoutMs,
      count: metrics.requests.count,
    })
    undo.push(server.close)
    const serve = (served: Served, signInCode: () => string | undefined = () => undefined): Service => {
      server.serve(served)
      // A second time, so that the server is closed before the parts that requests need.
      undo.push(server.close)
      log.info({ url: server.url, role: config.role }, 'serving')
      const signInLink = () => {
        const code = signInCode()
        return code && `${server.url}/#code=${code}`
      }
      return { url: server.url, signInLink, close }
    }
    const isApi = config.role === 'all' || config.role === 'api'
    const console = isApi ? options.openConsole?.({ log, signal: stopping.signal }) : undefined
    const disks = createDisks({ dataDir: config.dataDir, embedded: config.databaseUrl === null, metrics, log })
    const { db, background, forClients, forPages, lookups, unreachableNodes, cut } = await openDatabases({
      ...{ config, metrics, log, undo, onError: disks.observe, signal: options.signal },
      onOtherTimeline: options.onOtherTimeline,
    })
    cutDatabase = cut
    await migrate(db, log)
    await rejectUnfinished(db)
    const reads = config.role === 'all' || config.role === 'sync'
    const workPriority = await openWorkPriority({ db, listens: reads, metrics, log, undo })
    undo.push(keepPresent({ db, own, totals: () => readTotals(metrics), log }).close)
    const replica = await openReplica({
      ...{ config, primary: forClients, own: own.id, metrics, log, undo, signal: stopping.signal },
    })
    await writeChainNames(
      db,
      chains.filter((chain) => chain.configured),
    )
    // One for all nodes, so that many concurrent large answers do not fill the memory.
    const budget = createByteBudget(answerBudgetBytes)
    const openChains = createOpenChains({
      chains,
      db,
      connect: (chain) => connect(chain, { config, budget, metrics, log }),
    })
    undo.push(openChains.close)
    const unanswered = answerOnce(openChains, chains, log, undo)
    const watching = watchChains({ db, chains, metrics, log, signal: stopping.signal })
    undo.push(() => watching)
    const watchingSizes = watchSizes({ db, metrics, log, signal: stopping.signal })
    undo.push(() => watchingSizes)
    const watchingDisks = disks.watch({ db, signal: stopping.signal })
    undo.push(() => watchingDisks)
    const coins = await openCoins({ settings: config.aptos, db, workPriority, budget, metrics, log })
    undo.push(coins.close)
    const watchingNetworks = watchNetworks({
      ...{ db, metrics, log, signal: stopping.signal },
      networks: Object.keys(config.aptos),
    })
    undo.push(() => watchingNetworks)
    const media = disks.observed(createPreviewStore({ dataDir: config.dataDir, ...config.media, log }))
    undo.push(media.close)
    if (media.keepReserve) disks.keeps(media.keepReserve)
    const parts = { config, db, workPriority, metrics, log, undo, signal: stopping.signal }
    if (reads) await startSync({ ...parts, background, openChains, coins, media })
    const ready = reportReadiness(log, async () => [
      ...((await isReachable(forClients)) ? [] : ['database']),
      ...(replica && replica.status().status !== 'following' ? ['replica'] : []),
      ...disks.faults(),
      ...unanswered,
      ...coins.unanswered(),
    ])
    const monitor = () => createMonitor({ config, log, metrics, db: forClients, ready, unreachableNodes, version })
    if (config.role === 'sync') return serve(monitor())
    const { sendTest } = await startWebhooks(parts)
    if (config.role === 'deliver') return serve(monitor())
    const publicUrl = config.publicUrl || server.url
    const reading = { openChains, publicUrl: () => publicUrl, refreshAfterMs: config.metadata.refreshAfterMs }
    const ofPrimary = createPageQueries({ db: forClients, background, reader: forPages, lookups, ...reading })
    const pages = replica ? createPageQueries({ ...replica, primary: forClients, ...reading }) : ofPrimary
    const { query, transfers } = ofPrimary.nft
    const files = openFiles({
      ...{ config, db, background, query, transfers, onError: disks.observe, log, signal: stopping.signal },
    })
    undo.push(files.close)
    disks.keeps(files.keepReserve)
    const api = createApi({
      config,
      log,
      metrics,
      db: forClients,
      lookups,
      chains,
      chainStates: createChainStates({ db: forClients, chains }),
      nft: {
        ...pages.nft,
        ofPrimary: replica && ofPrimary.nft,
        demand: createDemand({ db: forClients, ...demandLimits(config) }),
        walletDemand: createWalletDemand({ db: forClients, ...demandLimits(config) }),
        metadata: createMetadataDemand({
          db: forClients,
          renewMedia: (collection, tokens) => renewOfTokens(forClients, collection, tokens),
        }),
      },
      files,
      console,
      media: { ...media, renew: (key) => renewMedia(forClients, key) },
      coin: {
        ...{ query: pages.coin, networks: Object.keys(config.aptos) },
        icons: createUriMedia({ db: forClients, publicUrl: () => publicUrl }),
      },
      streams: {
        demand: openStreamDemand({ db, reads: forClients, chains, openChains, sendTest, settings: config.webhooks }),
        query: createStreamQuery({ db: forClients }),
        store: createStreamStore({ db: forClients, settings: config.webhooks }),
      },
      admin: createAdmin({
        config,
        db: forClients,
        chains: { forWork: db, openChains, log },
        overview: { own, diskFaults: disks.faults, unreachableNodes, backpressure: workPriority.backpressure },
        streams: { chains, openChains, sendTest, settings: config.webhooks },
      }),
      ready,
      unreachableNodes,
      replica: replica?.lag,
      version,
      signal: stopping.signal,
    })
    return serve(api.served, api.signInCode)
  } catch (error) {
    await close()
    throw error
  }
}

function connect(
  chain: EvmChain,
  options: { config: Config; budget: ByteBudget; metrics: Metrics; log: Log },
): OpenChain {
  const { config, budget, metrics, log } = options
  const rpc = createRpc({ chain, settings: config.rpc, budget, metrics, log })
  const caps = createRangeCaps({ max: config.rpc.maxLogRange ?? Number.MAX_SAFE_INTEGER, endpoints: chain.rpc.length })
  const source = createEvmSource({ rpc, chain, settings: config.rpc, caps, metrics, log })
  return {
    chain,
    source,
    contracts: createContractReader({ rpc, chain, caps, log }),
    expect: rpc.expect,
    endpoints: rpc.states,
    close: source.close,
  }
}
