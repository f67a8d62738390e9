import type { CoinQuery } from '../coin/query.ts'
import type { Database, Sql } from '../db/database.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { AsOfQuery } from '../nft/asOfQuery.ts'
import type { ChangeQuery } from '../nft/changeQuery.ts'
import type { Demand, MetadataDemand, WalletDemand } from '../nft/demand.ts'
import type { NftFiles } from '../nft/fileQuery.ts'
import type { HolderQuery } from '../nft/holderQuery.ts'
import type { OriginQuery } from '../nft/originQuery.ts'
import type { NftQuery } from '../nft/query.ts'
import type { TransferQuery } from '../nft/transferQuery.ts'
import type { WalletQuery, WholeWalletQuery } from '../nft/walletQuery.ts'
import type { StreamDemand } from '../stream/demand.ts'
import type { StreamQuery } from '../stream/query.ts'
import type { StreamStore } from '../stream/store.ts'
import type { Address } from '../util/hex.ts'
import type { Log } from '../util/log.ts'
import { shareOnce } from '../util/shareCalls.ts'
import type { Admin } from './admin/admin.ts'
import { createAlchemyRoutes } from './alchemy/createAlchemyRoutes.ts'
import { createNetworks } from './coin/networks.ts'
import { createConsoleAnswers } from './console/consoleAnswers.ts'
import type { ConsoleState } from './console/consoleFiles.ts'
import { createFeeds } from './events/createFeeds.ts'
import { createReadFeed } from './events/feed.ts'
import { createListenersBound } from './events/listenersBound.ts'
import { type ApiServer, type Served, startServer } from './http/server.ts'
import { wireRoutes } from './http/wireRoutes.ts'
import type { ApiConfig, Keyring } from './keys/keyring.ts'
import { createSignInCodes } from './keys/signInCodes.ts'
import { createAsOfReader } from './nft/asOf.ts'
import type { ChainStates } from './nft/chainStates.ts'
import type { ApiChain } from './nft/chains.ts'
import { createCollections } from './nft/collections/collections.ts'
import { createPages } from './nft/pages.ts'
import { createPagesAsOf } from './nft/pagesAsOf.ts'
import { createWalletReports } from './nft/wallets/reportWallets.ts'
import { type Cursors, createCursors, readSecret } from './pages/cursor.ts'
import { createFastPath } from './pages/fastPath.ts'
import { createPageAnswers } from './pages/pageAnswers.ts'
import { createPageCache } from './pages/pageCache.ts'
import { absentRoutes } from './routes/absent.ts'
import type { Icons } from './routes/coins.ts'
import { createRoutes } from './routes/createRoutes.ts'
import type { Media } from './routes/nft/media.ts'
import type { ReplicaLag } from './routes/service.ts'

/** Reads NFTs for answers. */
export type NftQueries = {
  query: NftQuery
  asOf: AsOfQuery
  wallets: WalletQuery
  whole: WholeWalletQuery
  transfers: TransferQuery
  holders: HolderQuery
  origins: OriginQuery
  changes: ChangeQuery
}

export type ApiOptions = {
  config: ApiConfig
  log: Log
  metrics: Metrics
  db: Database
  /** Looks up API keys without waiting for other statements; default: `db`. */
  lookups?: Sql | undefined
  chains: readonly ApiChain[]
  chainStates: ChainStates
  nft: NftQueries & {
    demand: Demand
    walletDemand: WalletDemand
    metadata: MetadataDemand
    /** Reads the primary while the others read a replica: for routes that write, and for files. */
    ofPrimary?: { query: NftQuery; asOf: AsOfQuery } | undefined
  }
  /** Snapshots and exports. */
  files: NftFiles
  /** `networks`: the configured names. */
  coin: { query: CoinQuery; networks: readonly string[]; icons: Icons }
  streams: { demand: StreamDemand; query: StreamQuery; store: StreamStore }
  /** Port of the admin routes. */
  admin: Admin
  /** State of the console; omitted: no console. */
  console?: (() => ConsoleState) | undefined
  /** Stored previews. */
  media?: Media
  /** Names of unready parts; empty: ready. */
  ready(): Promise<string[]>
  /** Unreachable nodes of the database's cluster; omitted: there is no cluster. */
  unreachableNodes?: () => readonly string[]
  /** Lag of the read replica, if pages are read from one. */
  replica?: (() => ReplicaLag | undefined) | undefined
  version: string
  /** Aborted when the server stops; ends requests that wait for changes. */
  signal: AbortSignal
}

export type Api = {
  /** Answers a request in this process, without a server. */
  request(request: Request): Promise<Response>
  /** What `startServer` serves. */
  served: Served
  /**
   * A one-time code that opens a console session with the configured key, valid for a minute; undefined: no key is
   * configured.
   */
  signInCode(): string | undefined
  /** Starts a server of its own for this API. */
  listen(address: { host: string; port: number }): Promise<ApiServer>
}

/** The API: the only entry point for requests of clients. */
export function createApi(options: ApiOptions): Api {
  const { config, log, metrics, db, chains, nft, version } = options
  const secret = shareOnce(() => readSecret(db, 'cursor_secret'))
  const cursors = shareOnce<Cursors>(async () => createCursors({ secret: await secret() }))
  const salt = shareOnce(async () => `${version} ${(await secret()).toString('hex')}`)

  const { freshMs, maxBytes } = config.pageCache
  const { demand, ofPrimary = nft } = nft
  const collections = createCollections({ query: nft.query, demand, freshMs })
  const written = ofPrimary === nft ? collections : createCollections({ query: ofPrimary.query, demand, freshMs })
  const cache = createPageCache({ maxBytes })
  const answers = createPageAnswers({
    cache,
    onPage: (hit) => (hit ? metrics.pageCacheHits : metrics.pageCacheMisses).inc(),
  })
  const pages = createPages({ collections, answers, cache, salt })
  const asOf = createAsOfReader({ query: nft.asOf, collections })
  const asOfWritten = createAsOfReader({ query: ofPrimary.asOf, collections: written })
  const pagesAsOf = createPagesAsOf({ reader: asOf, answers, salt })
  const reports = createWalletReports({ query: nft.wallets, freshMs })
  const networks = createNetworks({ query: options.coin.query, configured: options.coin.networks, freshMs })
  function forget(chainId: bigint, address: Address): void {
    for (const known of [collections, written]) known.get(chainId, address).recent.forget()
    reports.forget(chainId)
  }
  const feeds = createFeeds({
    ...{ changes: nft.changes, transfers: nft.transfers, signal: options.signal, log },
    read: createReadFeed({ query: nft.query, changes: nft.changes }),
  })
  const codes = createSignInCodes()
  const alchemy = createAlchemyRoutes({
    ...{ chains, nft: nft.query, wallets: nft.wallets, whole: nft.whole, walletDemand: nft.walletDemand },
    ...{ transfers: nft.transfers, holders: nft.holders },
    ...{ origins: nft.origins, metadata: nft.metadata, collections, reports, asOf },
    ...{ answers, cache, cursors, salt },
  })
  const routesWith = (keyring: Keyring) =>
    createRoutes({
      chains: { chains, states: options.chainStates },
      nft: {
        ...{ nft: nft.query, nftAsOf: nft.asOf, wallets: nft.wallets, transfers: nft.transfers },
        ...{ holders: nft.holders, whole: nft.whole, walletDemand: nft.walletDemand, origins: nft.origins },
        ...{ reports, chains, collections, pages, pagesAsOf, asOf, answers, cache, cursors, salt },
        ...{ feeds, listeners: createListenersBound(), metrics },
      },
      written: { chains, collections: written, asOf: asOfWritten, metadata: nft.metadata, files: options.files },
      coin: { ...options.coin, networks, answers, cache, cursors, salt },
      streams: { demand: options.streams.demand, cursors },
      deliveries: { query: options.streams.query, store: options.streams.store, cursors },
      service: {
        ...{
          version,
          ready: options.ready,
          unreachableNodes: options.unreachableNodes ?? (() => []),
          replica: options.replica,
        },
        ...{ metrics, metricsPublic: config.metricsPublic },
      },
      admin: { admin: options.admin, cursors, forget },
      console: createConsoleAnswers(options.console ?? (() => ({ status: 'absent' }))),
      session: { sessions: keyring, codes },
      mcp: { version, request: async (request) => app.fetch(request) },
      dialects: alchemy.described,
      media: options.media,
      version,
    })

  const { app, operations, respond, common } = wireRoutes({
    routes: (keyring) => [...routesWith(keyring), ...alchemy.routes, ...absentRoutes()],
    config,
    db,
    lookups: options.lookups,
    metrics,
    log,
  })
  const shortcut = createFastPath({ ...common, cache, metrics, operations, respond })

  const served = { fetch: app.fetch, shortcut }

  return {
    request: async (request) => app.fetch(request),
    served,
    signInCode: () => (config.apiKey === null ? undefined : codes.issue()),
    async listen(address) {
      const { count } = metrics.requests
      const server = await startServer({ ...address, version, closeTimeoutMs: config.shutdownTimeoutMs, count })
      server.serve(served)
      return server
    },
  }
}
