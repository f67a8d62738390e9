import { overviewExample } from './overview.ts'
import { at, pageOf, id as streamId, webhookId, webhookUrl } from './stream.ts'

const key = {
  id: '3',
  name: 'shop',
  access: 'read',
  requestsPerSecond: null,
  burst: null,
  createdAt: at,
  lastUsedAt: null,
  revokedAt: null,
}

const endpoint = { name: 'node.example:8545', state: 'good', calls: 10_817, failed: 2, averageMs: 14, fault: null }
const chain = {
  id: '0x1',
  chain: 'eth',
  block: '24350001',
  head: '24350001',
  finalized: '24349920',
  lag: 0,
  headAgeSeconds: 3,
  pausedAt: null,
  configured: true,
  wanted: true,
  held: true,
  collections: 12,
  streams: 1,
  fault: null,
  endpoints: [endpoint],
}

const address = '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d'
const place = { chain: 'eth', chainId: '0x1', address }
const collection = {
  ...place,
  status: 'syncing',
  synced: false,
  reason: null,
  retryAt: null,
  standard: 'ERC721',
  name: 'Bored Ape Yacht Club',
  symbol: 'BAYC',
  tokens: '7204',
  fromBlock: '12287507',
  toBlock: '18318754',
  headBlock: '24350001',
  progress: 0.5,
  blocksPerSecond: 40_210.5,
  secondsLeft: 150,
  metadataProgress: 0.25,
  possibleSpam: false,
  verified: true,
  incomplete: null,
}
const verdict = {
  possibleSpam: false,
  verified: true,
  score: 0,
  reasons: ['verified by the list shop'],
  spamOverride: null,
  verifiedOverride: null,
  assessedAt: at,
}
const removed = { ...place, tokens: '7204', queued: false }

const from = `0x${'0'.repeat(40)}`
const to = `0x${'5a'.repeat(20)}`
const source = { transactionHash: `0x${'c9'.repeat(32)}`, logIndex: '7' }
const log = {
  ...source,
  address,
  data: '0x',
  topic0: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  topic1: `0x${from.slice(2).padStart(64, '0')}`,
  topic2: `0x${to.slice(2).padStart(64, '0')}`,
  topic3: `0x${'7'.padStart(64, '0')}`,
}
const transfer = {
  operator: null,
  from,
  to,
  tokenId: '7',
  amount: '1',
  ...source,
  contract: address,
  tokenName: 'Bored Ape Yacht Club',
  tokenSymbol: 'BAYC',
  tokenContractType: 'ERC721',
}

/** No results of a kind. */
const nothing = { result: [], more: false, cutShort: false }

/** A collection as every key sees it. */
const { name, symbol, standard, tokens, status, synced, progress, possibleSpam } = collection
const discovery = { firstBlock: '24350001', firstSeenAt: at, transfers: '57', mints: '12' }
const listed = {
  ...{ ...place, name, symbol, standard, tokens, status, synced, progress, possibleSpam, verified: true },
  discovery,
}
const found = { ...place, name: collection.name, status: collection.status, tokens: collection.tokens }
const records = { collections: { ...nothing, result: [found] }, tokens: nothing, coins: nothing }

const wallet = {
  ...{ chain: 'eth', chainId: '0x1', address: `0x${'5a'.repeat(20)}`, status: 'live', reason: null, progress: 1 },
  ...{ fromBlock: '0', toBlock: '24350001', headBlock: '24350001', transfers: '57', incomplete: null },
  ...{ requestedAt: '2026-01-31T12:00:00.000Z', askedAt: '2026-01-31T12:00:00.000Z' },
}

/** Whole answers of the operations that run the server, by operationId. */
export const adminExamples: Record<string, unknown> = {
  getOverview: overviewExample,
  listChains: { ...pageOf(chain), role: 'all' },
  pauseChain: { ...chain, pausedAt: at, fault: `paused since ${at}`, changed: true },
  resumeChain: { ...chain, changed: true },
  resetChain: { id: '0x7a69', chain: 'local', done: true, collections: 2, wallets: 3, streams: 1 },
  listKeys: pageOf(key),
  createKey: { ...key, key: 'mm_4rT9yQ2vX8sLk1ZbC7dFgHjKmNpQrStU' },
  revokeKey: { ...key, revokedAt: '2026-02-01T12:00:00.000Z' },
  listCollections: pageOf(collection),
  getCollections: pageOf(listed),
  searchRecords: records,
  getCollection: {
    ...collection,
    requestedAt: at,
    requestedBy: { keyId: key.id, name: key.name },
    metadata: {
      ok: '1790',
      failed: '11',
      permanent: '0',
      due: '5403',
      parked: '9',
      progress: 0.25,
      sweep: null,
      reasons: [{ reason: 'HTTP 404', tokens: '11' }],
    },
    hosts: [
      {
        host: 'meta.example',
        state: 'dead',
        failures: 12,
        fault: 'meta.example cannot be reached (refused)',
        tokensWaiting: '9',
        deadSince: at,
        faultAt: at,
        retryAt: '2026-01-31T12:10:00.000Z',
      },
    ],
    verdict,
    leftOut: { wideLogs: '0', surplusTransfers: '0', logs: [] },
    previews: { success: '12', unsupported_media: '1' },
  },
  listWallets: { result: [wallet], total: 1, cursor: null, page: 0, page_size: 100 },
  getWallet: { ...wallet, tokens: '12', contracts: '3' },
  indexWallet: { ...wallet, tokens: '12', contracts: '3' },
  deleteWallet: { chain: 'eth', chainId: '0x1', address: wallet.address, removed: true },
  deleteCollection: removed,
  reindexCollection: { ...removed, queued: true },
  flagCollection: { ...verdict, spamOverride: false },
  previewStream: {
    chainId: '0x1',
    fromBlock: '24349982',
    toBlock: '24350001',
    blocks: 20,
    cutShort: [],
    matched: { blocks: 1, webhooks: 1, logs: 1, txs: 0, txsInternal: 0, erc20Transfers: 0, nftTransfers: 1 },
    samples: [
      {
        confirmed: false,
        chainId: '0x1',
        abi: [],
        streamId: '',
        tag: '',
        retries: 0,
        block: { number: '24350001', hash: `0x${'b1'.repeat(32)}`, timestamp: '1769860800' },
        logs: [log],
        txs: [],
        txsInternal: [],
        erc20Transfers: [],
        erc20Approvals: [],
        nftTransfers: [transfer],
        nftTokenApprovals: [],
        nftApprovals: { ERC721: [], ERC1155: [] },
        nativeBalances: [],
      },
    ],
  },
  testStream: {
    streamId,
    webhookUrl,
    webhookId,
    deliveryStatus: 'failed',
    statusCode: 401,
    latencyMs: 37,
    response: 'no signature in webhook-signature is valid',
    errorMessage: 'answered 401',
    createdAt: at,
  },
  search: {
    ...records,
    streams: {
      ...nothing,
      result: [{ id: streamId, tag: 'apes', description: 'transfers of the shop', status: 'active', chains: ['eth'] }],
    },
  },
}
