export const id = '7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f'
export const webhookUrl = 'https://shop.example/hooks'
export const at = '2026-01-31T12:00:00.000Z'
export const webhookId = '0c944061-8bed-5ece-83ff-be350eb27b9c'

const stream = {
  id,
  webhookUrl,
  description: 'transfers of the shop',
  tag: 'shop',
  chainIds: ['0x1'],
  topic0: ['Transfer(address,address,uint256)'],
  allAddresses: false,
  includeNativeTxs: false,
  includeContractLogs: true,
  includeInternalTxs: false,
  includeAllTxLogs: false,
  abi: [],
  advancedOptions: [],
  getNativeBalances: [],
  filterPossibleSpam: false,
  demo: false,
  confirmedOnly: false,
  status: 'active',
  statusMessage: '',
  webhookSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  headers: { Authorization: null },
  delivery: 'ordered',
  gzip: false,
  amountOfAddresses: 1,
  createdAt: at,
  updatedAt: at,
}
const effectiveBlocks = { '0x1': '24350001' }
const changed = { ...stream, effectiveBlocks }
const address = '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d'
const addresses = { streamId: id, address, effectiveBlocks }

/** A complete page with one item. */
export const pageOf = (item: unknown) => ({ result: [item], total: 1, cursor: null, page: 0, page_size: 100 })

const counters = {
  totalWebhooksDelivered: 24,
  totalWebhooksFailed: 1,
  totalLogsProcessed: 37,
  totalTxsProcessed: 0,
  totalTxsInternalProcessed: 0,
}
const stats = { ...counters, streams: [{ ...counters, streamId: id }], createdAt: at, updatedAt: at }

const webhook = {
  id: webhookId,
  date: at,
  tinyPayload: { chainId: '0x1', confirmed: true, block: '24350001', records: 2, retries: 0 },
  errorMessage: '',
  webhookUrl,
  streamId: id,
  tag: 'shop',
  status: 'delivered',
  kind: 'confirmed',
}

const attempt = {
  id: '948095cf-07cc-42ae-9332-d3987b22c911',
  streamId: id,
  chain: '0x1',
  webhookUrl,
  tag: 'shop',
  retries: 0,
  deliveryStatus: 'success',
  blockNumber: 24_350_001,
  errorMessage: '',
  type: 'evm',
  createdAt: at,
  webhookId,
  statusCode: 200,
  latencyMs: 31.5,
  response: 'thanks',
}

const rangeReplay = {
  id: 'af9ab5f6-36b8-477e-9177-53e7cbdaa196',
  streamId: id,
  status: 'running',
  message: '',
  progress: 0.5,
  replayed: 12,
  createdAt: at,
  updatedAt: at,
}

const settings = { region: 'us-east-1', secretKey: 'a long random text' }
const operations = { webhookSecret: stream.webhookSecret }

/** Whole answers of the operations on streams and their webhooks, by operationId. */
export const streamExamples: Record<string, unknown> = {
  createStream: changed,
  listStreams: pageOf(stream),
  getStream: stream,
  updateStream: changed,
  deleteStream: stream,
  setStreamStatus: changed,
  listStreamAddresses: pageOf({ address }),
  addStreamAddresses: addresses,
  removeStreamAddresses: addresses,
  getStats: stats,
  getStatsById: stats,
  getStatsHistory: {
    streamId: id,
    step: 'hour',
    from: '2026-01-31T00:00:00.000Z',
    to: '2026-02-01T00:00:00.000Z',
    result: [{ at, ...counters, attempts: 25, averageLatencyMs: 41.7, slowestLatencyMs: 380.2 }],
  },
  // With excludePayload.
  getHistory: pageOf(webhook),
  getLogs: pageOf(attempt),
  replayHistory: webhook,
  getRangeReplay: rangeReplay,
  replayRange: rangeReplay,
  getSettings: settings,
  setSettings: settings,
  getOperationsSettings: operations,
  setOperationsSettings: operations,
  rotateStreamSecret: { id, webhookSecret: stream.webhookSecret, previousUntil: '2026-02-01T12:00:00.000Z' },
}
