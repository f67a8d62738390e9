/** The counters of a stream, as `GET /stats/{streamId}` writes them. None ever decreases. */
export type StreamCounters = {
  /** Webhooks that got a 2xx, once each. */
  totalWebhooksDelivered: number
  /** Attempts that did not get a 2xx. */
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

/** The counts of one minute or hour. */
export type StatsPoint = StreamCounters & {
  /** Begin of the minute or hour, ISO 8601. */
  at: string
  /** Attempts, also replays of delivered webhooks. */
  attempts: number
  /** How long an attempt took on average, and the slowest one; null: none was made. */
  averageLatencyMs: number | null
  slowestLatencyMs: number | null
}

export type StatsRange = { from: Date; to: Date; step: 'minute' | 'hour' }

/** A webhook of the ledger as `GET /history` gives it. */
export type ListedDelivery = {
  /** The header webhook-id. */
  id: string
  date: string
  /** The body as first sent. */
  payload?: unknown
  tinyPayload: { chainId: string; confirmed: boolean; block: string; records: number; retries: number }
  /** Why the webhook is not delivered; empty if it is delivered, or was not attempted yet. */
  errorMessage: string
  webhookUrl: string
  streamId: string
  tag: string
  status: WebhookStatus
  kind: WebhookKind
}

/**
 * A webhook: what a stream matched in one block, or a part of that, sent to the stream's address. A delivery: sending a webhook
 * until it is delivered or given up. An attempt: one POST of it. A retraction: the webhook that takes back what a reorganisation removed.
 */
export const webhookKinds = ['unconfirmed', 'confirmed', 'retraction'] as const
export type WebhookKind = (typeof webhookKinds)[number]

export const webhookStatuses = ['pending', 'delivered', 'failed', 'dropped'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

/** An attempt as `GET /history/logs` gives it. */
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
  /** HTTP status; null without an answer. */
  statusCode: number | null
  /** Milliseconds. */
  latencyMs: number
  /** First kilobyte of the answer. */
  response: string
}

/** A test webhook that was sent to the address of a stream, with the fields of an attempt. */
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
 * What a preview omits. time, node and stream: the blocks below one that was not read in time, that the nodes do not return, or in which the stream
 * cannot be matched. samples: webhooks that are counted and not shown.
 */
export type PreviewCut = { reason: (typeof previewCuts)[number]; message: string }

/** The matches that a stream would have had in the last blocks of a chain. */
export type StreamPreview = {
  /** Hex. */
  chainId: string
  /** The first and the last block that were matched, decimal. */
  fromBlock: string
  toBlock: string
  /** How many blocks were matched. */
  blocks: number
  /** Empty: nothing was omitted. */
  cutShort: PreviewCut[]
  /** How many records all webhooks hold. `blocks`: how many blocks have webhooks. */
  matched: {
    blocks: number
    webhooks: number
    logs: number
    txs: number
    txsInternal: number
    erc20Transfers: number
    nftTransfers: number
  }
  /** Bodies of the first webhook of each block, in its parts, the newest block first. */
  samples: Record<string, unknown>[]
}

/** Where a list continues, in a form that JSON can hold. */
export type DeliveryPlace = { position: string }
export type LogPlace = { at: string; position: string; replay: number; number: number }
export type Page<Item, Place> = { items: Item[]; total: number; next: Place | null }

/** Webhooks come the latest first. `streamId`: only those of one stream. */
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
  /** undefined: there never was such a stream. */
  stats(streamId: string): Promise<StreamStats | undefined>
  /** The sum over all streams, deleted ones included. */
  allStats(): Promise<StreamStats>
  /** Minutes or hours in which something was counted, the oldest first; undefined: there never was such a stream. */
  statsHistory(streamId: string, range: StatsRange): Promise<StatsPoint[] | undefined>
  deliveries(options: DeliveryListOptions): Promise<Page<ListedDelivery, DeliveryPlace>>
  logs(options: LogOptions): Promise<Page<LogItem, LogPlace>>
}
