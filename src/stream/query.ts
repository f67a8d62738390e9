/** The counters of a stream, as in `GET /stats/{streamId}`. They never decrease. */
export type StreamCounters = {
  /** Webhooks with a 2xx, counted once each. */
  totalWebhooksDelivered: number
  /** Attempts without a 2xx. */
  totalWebhooksFailed: number
  /** Logs, transactions and internal transactions in confirmed webhooks. */
  totalLogsProcessed: number
  totalTxsProcessed: number
  totalTxsInternalProcessed: number
}

export type StreamStats = StreamCounters & {
  streams: (StreamCounters & { streamId: string })[]
  /** ISO 8601. */
  createdAt: string
  updatedAt: string
}

/** Counts of one minute or hour. */
export type StatsPoint = StreamCounters & {
  /** Start of the minute or hour, ISO 8601. */
  at: string
  /** Attempts, including replays of delivered webhooks. */
  attempts: number
  /** Average duration of an attempt, and that of the slowest; null: no attempts. */
  averageLatencyMs: number | null
  slowestLatencyMs: number | null
}

export type StatsRange = { from: Date; to: Date; step: 'minute' | 'hour' }

/** A webhook of the ledger in `GET /history`. */
export type ListedDelivery = {
  /** The header webhook-id. */
  id: string
  date: string
  /** The body as first sent. */
  payload?: unknown
  tinyPayload: { chainId: string; confirmed: boolean; block: string; records: number; retries: number }
  /** Why the webhook is not delivered; empty if it is, or was not attempted yet. */
  errorMessage: string
  webhookUrl: string
  streamId: string
  tag: string
  status: WebhookStatus
  kind: WebhookKind
}

/**
 * A webhook: a stream's matches in one block, or a part of them, sent to the stream's address. A delivery: sending a
 * webhook until it is delivered or given up. An attempt: one POST of it. A retraction: a webhook that reports that a
 * reorg removed the block of another one.
 */
export const webhookKinds = ['unconfirmed', 'confirmed', 'retraction'] as const
export type WebhookKind = (typeof webhookKinds)[number]

export const webhookStatuses = ['pending', 'delivered', 'failed', 'dropped'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

/** An attempt in `GET /history/logs`. */
export type LogItem = {
  id: string
  streamId: string
  /** Hex. */
  chain: string
  webhookUrl: string
  tag: string
  retries: number
  deliveryStatus: 'failed' | 'success'
  blockNumber: number
  errorMessage: string
  type: 'evm'
  createdAt: string
  /** The header webhook-id. */
  webhookId: string
  /** HTTP status; null without a response. */
  statusCode: number | null
  /** Milliseconds. */
  latencyMs: number
  /** First kilobyte of the response. */
  response: string
}

/** A sent test webhook, with the fields of an attempt. */
export type SentTestWebhook = Pick<
  LogItem,
  | 'streamId'
  | 'webhookUrl'
  | 'deliveryStatus'
  | 'errorMessage'
  | 'createdAt'
  | 'webhookId'
  | 'statusCode'
  | 'latencyMs'
  | 'response'
>

export const previewCuts = ['time', 'node', 'stream', 'samples'] as const

/**
 * Omissions of a preview. time, node and stream: blocks from one on that was not read in time, that the nodes do not
 * return, or in which the stream cannot be matched. samples: counted webhooks that are not shown.
 */
export type PreviewCut = { reason: (typeof previewCuts)[number]; message: string }

/** A stream's matches in the last blocks of a chain. */
export type StreamPreview = {
  /** Hex. */
  chainId: string
  /** First and last matched block, decimal. */
  fromBlock: string
  toBlock: string
  /** Number of matched blocks. */
  blocks: number
  /** Empty: no omissions. */
  cutShort: PreviewCut[]
  /** Number of records in all webhooks. `blocks`: number of blocks with webhooks. */
  matched: {
    blocks: number
    webhooks: number
    logs: number
    txs: number
    txsInternal: number
    erc20Transfers: number
    nftTransfers: number
  }
  /** Bodies of the first webhook of each block, with all its parts, newest block first. */
  samples: Record<string, unknown>[]
}

/** Where a list continues, as a JSON value. */
export type DeliveryPlace = { position: string }
export type LogPlace = { at: string; position: string; replay: number; number: number }
export type Page<Item, Place> = { items: Item[]; total: number; next: Place | null }

/** Latest webhooks first. `streamId`: only those of one stream. */
export type DeliveryListOptions = {
  limit: number
  after: DeliveryPlace | null
  excludePayload: boolean
  streamId: string | null
  /** One webhook of the stream, by its webhook-id. */
  webhookId?: string | null
  status: WebhookStatus | null
}
export type LogOptions = Pick<DeliveryListOptions, 'limit' | 'streamId' | 'webhookId'> & { after: LogPlace | null }

/** Reads statistics and the ledger. */
export type StreamQuery = {
  /** undefined: the stream never existed. */
  stats(streamId: string): Promise<StreamStats | undefined>
  /** The sum over all streams, including deleted ones. */
  allStats(): Promise<StreamStats>
  /** Minutes or hours with counts, oldest first; undefined: the stream never existed. */
  statsHistory(streamId: string, range: StatsRange): Promise<StatsPoint[] | undefined>
  deliveries(options: DeliveryListOptions): Promise<Page<ListedDelivery, DeliveryPlace>>
  logs(options: LogOptions): Promise<Page<LogItem, LogPlace>>
}
