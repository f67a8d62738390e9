import { z } from 'zod'

/** The counters of a stream, as in `GET /stats/{streamId}`. They never decrease. */
const counters = z.object({
  totalWebhooksDelivered: z.int().min(0).describe('Webhooks that got a 2xx, once each.'),
  totalWebhooksFailed: z.int().min(0).describe('Attempts that got no 2xx.'),
  totalLogsProcessed: z.int().min(0).describe('Logs in confirmed webhooks.'),
  totalTxsProcessed: z.int().min(0).describe('Transactions in confirmed webhooks.'),
  totalTxsInternalProcessed: z.int().min(0).describe('Internal transactions in confirmed webhooks.'),
})

const latency = (what: string) => z.number().min(0).nullable().describe(`${what}; null: none was made.`)

export const statsSchema = z
  .object({
    ...counters.shape,
    streams: z
      .array(z.object({ ...counters.shape, streamId: z.uuid().describe('The stream.') }))
      .describe('The same counters of each stream.'),
    createdAt: z.iso.datetime().describe('When counting began.'),
    updatedAt: z.iso.datetime().describe('When something was last counted.'),
  })
  .meta({ id: 'StreamStats', description: 'What was processed and delivered.' })

/** Counts of one minute or hour. */
export const statsPoint = z.object({
  at: z.iso.datetime().describe('Start of the step.'),
  ...counters.shape,
  attempts: z.int().min(0).describe('Attempts, also replays of delivered webhooks.'),
  averageLatencyMs: latency('Average latency of an attempt, in milliseconds'),
  slowestLatencyMs: latency('Latency of the slowest attempt, in milliseconds'),
})

export type StreamCounters = z.output<typeof counters>
export type StreamStats = z.output<typeof statsSchema>
export type StatsPoint = z.output<typeof statsPoint>
export type StatsRange = { from: Date; to: Date; step: 'minute' | 'hour' }

/**
 * A webhook: a stream's matches in one block, or a part of them, sent to the stream's address. A delivery: sending a
 * webhook until it is delivered or given up. An attempt: one POST of it. A retraction: a webhook that reports that a
 * reorg removed the block of another one.
 */
export const webhookKinds = ['unconfirmed', 'confirmed', 'retraction'] as const
export type WebhookKind = (typeof webhookKinds)[number]

export const webhookStatuses = ['pending', 'delivered', 'failed', 'dropped'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

/** A webhook of the ledger in `GET /history`. */
export const listedDelivery = z
  .object({
    id: z.uuid().describe('Id of the webhook, as in the header webhook-id.'),
    date: z.iso.datetime().describe('When the webhook was created.'),
    payload: z.unknown().describe('The body as first sent.').optional(),
    tinyPayload: z
      .object({
        chainId: z.string().describe('The chain, in hex.'),
        confirmed: z.boolean().describe('Whether the block was confirmed.'),
        block: z.string().describe('Number of the block.'),
        records: z.int().min(0).describe('Records in the body.'),
        retries: z.int().min(0).describe('Attempts that failed.'),
      })
      .describe('Summary of the body.'),
    errorMessage: z
      .string()
      .describe('Why the webhook is not delivered; empty if it is delivered or was not tried yet.'),
    webhookUrl: z.string().describe('URL to which the webhook is sent.'),
    streamId: z.uuid().describe('The stream.'),
    tag: z.string().describe('Tag of the stream.'),
    status: z.enum(webhookStatuses).describe('Status of the webhook.'),
    kind: z
      .enum(webhookKinds)
      .describe(
        'unconfirmed: sent when the block appears; confirmed: sent after its confirmations; retraction: a reorganisation removed the block.',
      ),
  })
  .meta({ id: 'HistoryItem', description: 'One webhook.' })

export type ListedDelivery = z.output<typeof listedDelivery>

/** An attempt in `GET /history/logs`. */
export const logItem = z
  .object({
    id: z.uuid().describe('The attempt.'),
    streamId: z.uuid().describe('The stream.'),
    chain: z.string().describe('The chain, in hex.'),
    webhookUrl: z.string().describe('URL to which the attempt was sent.'),
    tag: z.string().describe('Tag of the stream.'),
    retries: z.int().min(0).describe('Attempts before this one that failed.'),
    deliveryStatus: z.enum(['failed', 'success']).describe('success: the response was a 2xx.'),
    blockNumber: z.int().min(0).describe('Number of the block.'),
    errorMessage: z.string().describe('Why the attempt failed; empty after a success.'),
    type: z.literal('evm').describe('Kind of the chain.'),
    createdAt: z.iso.datetime().describe('When the attempt was made.'),
    webhookId: z.uuid().describe('Id of the webhook, as in the header webhook-id.'),
    statusCode: z.int().min(100).max(999).nullable().describe('HTTP status of the response; null without a response.'),
    latencyMs: z.number().min(0).describe('How long the attempt took, in milliseconds.'),
    response: z.string().describe('First kilobyte of the response.'),
  })
  .meta({ id: 'DeliveryLog', description: 'One attempt to deliver.' })

export type LogItem = z.output<typeof logItem>

export const mostPreviewBlocks = 100

const digits = z.string().regex(/^\d+$/)
const count = z.int().min(0)

export const streamPreviewSchema = z
  .object({
    chainId: z.string().meta({ description: 'The chain, in hex.', examples: ['0x1'] }),
    fromBlock: digits.meta({ description: 'First matched block.', examples: ['19000000'] }),
    toBlock: digits.meta({ description: 'Last matched block: the head.', examples: ['19000019'] }),
    blocks: z.int().min(1).max(mostPreviewBlocks).describe('Number of matched blocks.'),
    cutShort: z
      .array(
        z.object({
          reason: z
            .enum(['time', 'node', 'stream', 'samples'])
            .describe(
              'time: earlier blocks were not read in time; node: the nodes do not return an earlier block; stream: the stream cannot be matched in an earlier block; samples: not every webhook is a sample.',
            ),
          message: z.string().describe('What was omitted, and why.'),
        }),
      )
      .describe('Missing parts; empty: none.'),
    matched: z
      .object({
        blocks: count.describe('Blocks in which anything matched.'),
        webhooks: count.describe(
          'Webhooks of these blocks: one per block, or several if a block is too large for one.',
        ),
        logs: count.describe('Logs in these webhooks.'),
        txs: count.describe('Transactions in these webhooks.'),
        txsInternal: count.describe('Transfers of value inside of transactions.'),
        erc20Transfers: count.describe('Transfers of ERC-20 tokens among the logs.'),
        nftTransfers: count.describe('Transfers of NFTs among the logs.'),
      })
      .describe('Matches in these blocks.'),
    samples: z
      .array(z.record(z.string(), z.unknown()))
      .max(50)
      .describe(
        'Bodies of the webhooks as they would be sent, one for each block or part of a block, newest block first. confirmed is true if the block is confirmed by now; streamId is empty if none was given.',
      ),
  })
  .meta({ id: 'StreamPreview', description: 'Matches of a stream in the last blocks.' })

export type StreamPreview = z.output<typeof streamPreviewSchema>
/** Omission of a preview. */
export type PreviewCut = StreamPreview['cutShort'][number]

export const sentTestWebhookSchema = z
  .object({
    streamId: z.uuid().describe('The stream.'),
    webhookUrl: z
      .string()
      .meta({ description: 'URL to which the test webhook was sent.', examples: ['https://shop.example/hooks'] }),
    webhookId: z.uuid().describe('Value of the header webhook-id.'),
    deliveryStatus: z.enum(['failed', 'success']).describe('success: the response was a 2xx.'),
    statusCode: z.int().min(100).max(999).nullable().describe('HTTP status of the response; null without a response.'),
    latencyMs: z.number().min(0).describe('How long the attempt took, in milliseconds.'),
    response: z.string().describe('First kilobyte of the response.'),
    errorMessage: z.string().describe('Why the attempt failed; empty after a success.'),
    createdAt: z.iso.datetime().describe('When the test webhook was sent.'),
  })
  .meta({ id: 'SentTestWebhook', description: "A test webhook, and the receiver's response." })

export type SentTestWebhook = z.output<typeof sentTestWebhookSchema>

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
