import { rm } from 'node:fs/promises'
import { type Api, type ApiOptions, createApi } from '../src/api/createApi.ts'
import { NoEndpointError } from '../src/chain/evm/rpc/rpcError.ts'
import { createCoinQuery } from '../src/coin/pages/createCoinQuery.ts'
import { type ConfigInput, parseConfig } from '../src/config/config.ts'
import { demandLimits, resolveChains } from '../src/config/resolveChains.ts'
import type { Database } from '../src/db/database.ts'
import { bytesOf } from '../src/db/pipeline/byteRows.ts'
import { createMetrics } from '../src/metrics/metrics.ts'
import type { AsOfQuery } from '../src/nft/asOfQuery.ts'
import { createBlockHashes } from '../src/nft/blocks/createBlockHashes.ts'
import { createUriMedia } from '../src/nft/media/uriMedia.ts'
import { createMetadataDemand } from '../src/nft/metadata/store/createMetadataDemand.ts'
import { createAsOfQuery } from '../src/nft/pages/createAsOfQuery.ts'
import { createChangeQuery } from '../src/nft/pages/createChangeQuery.ts'
import { createNftQuery } from '../src/nft/pages/createNftQuery.ts'
import { createHolderQuery } from '../src/nft/pages/holders/createHolderQuery.ts'
import { createOriginQuery } from '../src/nft/pages/origins/createOriginQuery.ts'
import { createTransferQuery } from '../src/nft/pages/transfers/createTransferQuery.ts'
import { createWalletQuery } from '../src/nft/pages/wallets/createWalletQuery.ts'
import { createWholeQuery } from '../src/nft/pages/wallets/createWholeQuery.ts'
import { createDemand } from '../src/nft/store/createDemand.ts'
import { createWalletDemand } from '../src/nft/walletHistory/createWalletDemand.ts'
import { createAdmin } from '../src/service/admin/createAdmin.ts'
import type { AdminOverviewOptions } from '../src/service/admin/createAdminOverview.ts'
import { createChainStates } from '../src/service/createChainStates.ts'
import { openFiles } from '../src/service/openFiles.ts'
import { describeProcess } from '../src/service/processes/processStore.ts'
import { createStreamDemand } from '../src/stream/definition/createStreamDemand.ts'
import type { SentTest } from '../src/stream/delivery/attempt/sendTestWebhook.ts'
import { createStreamQuery } from '../src/stream/ledger/answers/createStreamQuery.ts'
import { createStreamStore } from '../src/stream/ledger/answers/createStreamStore.ts'
import { insertChain } from '../src/sync/chainStore.ts'
import type { OpenChains } from '../src/sync/openChains.ts'
import { noopLog } from '../src/util/log.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { holdAnswer } from './holdAnswers.ts'
import { scratchFolder } from './scratchFolder.ts'

export type TestApi = TestDatabase & {
  api: Api
  /** A GET with the admin key. */
  get(target: string, headers?: Record<string, string>): Promise<Response>
}

const testVersion = '0.0.0-test'

export const adminKey = 'the key of the configuration'

/** Chains that open no source: tests of the API query no node and send nothing. */
const unopened: OpenChains = {
  ids: [],
  async open(chainId) {
    throw new NoEndpointError({ chain: String(chainId), reasons: ['not asked here'] })
  },
  distrust: () => undefined,
  endpoints: () => undefined,
  close: async () => undefined,
}
const untested: SentTest = {
  webhookId: '00000000-0000-4000-8000-000000000000',
  at: new Date(0),
  ms: 0,
  outcome: { status: 'delivered', code: 200, answer: Buffer.alloc(0) },
}

/** Reads earlier states. It knows only the hashes of stored blocks. */
export function asOfQuery(db: Database): AsOfQuery {
  const blockHashes = createBlockHashes({ openChains: unopened })
  return createAsOfQuery({
    db,
    reader: { ...db, ...bytesOf(db) },
    publicUrl: () => '',
    refreshAfterMs: null,
    blockHashes,
  })
}

/** The API over its own database, wired as in the service, but without any indexing. */
export async function createTestApi(
  options: {
    config?: ConfigInput
    resetWaitMs?: number
    overview?: Partial<AdminOverviewOptions>
    /** The chains whose nodes return block times. */
    openChains?: OpenChains
  } & Partial<Pick<ApiOptions, 'ready' | 'admin' | 'log' | 'metrics' | 'db' | 'media'>> & {
      nft?: Partial<ApiOptions['nft']>
    } = {},
): Promise<TestApi> {
  const { config: input, resetWaitMs, overview, openChains = unopened, nft, ...rest } = options
  const database = await createTestDatabase()
  const config = parseConfig({ apiKey: adminKey, ...input })
  const { db } = database
  const chains = resolveChains(config)
  // These tests follow no chain, so the head is always block 1,000.
  const head = async (chainId: bigint) => {
    await insertChain(db, chainId, `0x${'0'.repeat(64)}`, 1_000n, 900n)
    return 1_000n
  }
  const demand = createStreamDemand({
    db,
    chains,
    head,
    sendTest: async () => ({ ok: true }),
    secretOverlapMs: config.webhooks.secretOverlapMs,
  })
  const query = createNftQuery({ db })
  const transfers = createTransferQuery({ db, openChains })
  const stopping = new AbortController()
  const folder = await scratchFolder('mintmark-api-')
  const files = openFiles({
    ...{ config: { ...config, dataDir: folder }, db, background: db, query, transfers },
    ...{ onError: () => undefined, log: noopLog, signal: stopping.signal },
  })
  const api = createApi({
    config,
    log: noopLog,
    metrics: createMetrics(),
    db,
    chains,
    chainStates: createChainStates({ db, chains, freshMs: 0 }),
    nft: {
      query,
      asOf: asOfQuery(db),
      wallets: createWalletQuery({ db }),
      whole: createWholeQuery({ db, blockHashes: createBlockHashes({ openChains }), openChains }),
      transfers,
      holders: createHolderQuery({ db }),
      origins: createOriginQuery({ db, openChains }),
      changes: createChangeQuery({ db }),
      demand: createDemand({ db, ...demandLimits(config) }),
      walletDemand: createWalletDemand({ db, ...demandLimits(config) }),
      metadata: createMetadataDemand({ db }),
      ...nft,
    },
    files,
    coin: {
      query: createCoinQuery({ db }),
      networks: Object.keys(config.aptos),
      icons: createUriMedia({ db, publicUrl: () => '' }),
    },
    streams: { demand, query: createStreamQuery({ db }), store: createStreamStore({ db, settings: config.webhooks }) },
    admin: createAdmin({
      config,
      db,
      chains: { forWork: db, openChains: unopened, log: noopLog, resetWaitMs },
      overview: {
        own: describeProcess({ role: config.role, version: testVersion }),
        diskFaults: () => [],
        unreachableNodes: () => [],
        backpressure: async () => ({ active: false, yielded: [] }),
        freshMs: 0,
        ...overview,
      },
      streams: { chains, openChains: unopened, sendTest: async () => untested, settings: config.webhooks },
    }),
    ready: async () => [],
    version: testVersion,
    signal: stopping.signal,
    ...rest,
  })
  const request = async (requested: Request) =>
    holdAnswer(await api.request(requested), requested.method, requested.url)
  return {
    ...database,
    async drop() {
      stopping.abort()
      await files.close()
      await rm(folder, { recursive: true })
      await database.drop()
    },
    api: { ...api, request },
    get: (target, headers = {}) =>
      request(new Request(`http://localhost${target}`, { headers: { 'x-api-key': adminKey, ...headers } })),
  }
}
