import { z } from 'zod'
import { allowing } from '../util/allowed.ts'
import { isWebhookSecret } from './sign/webhookSecret.ts'
import { definitionSchema, definitionShape } from './streamDefinition.ts'

export const hexChainId = allowing(
  'a chain id such as 0x1',
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{1,16}$/)
    .describe('A chain id in hex.'),
)

/** How first attempts are sent: one after the other on each chain, or in parallel in any order. */
const deliveryModes = ['ordered', 'unordered'] as const
export type DeliveryMode = (typeof deliveryModes)[number]

const delivery = z
  .enum(deliveryModes)
  .describe('ordered: one after the other on each chain, by block; unordered: up to 50 at once, in any order.')

const named = {
  webhookUrl: allowing(
    'an http or https URL',
    z.string().min(1).max(2_048).describe('Webhook endpoint: http or https.'),
  ),
  description: z.string().max(4_096).describe('Description by the client.'),
  tag: z.string().max(1_024).describe('Part of every webhook, as the client chooses it.'),
  chainIds: allowing('1 to 100 chain ids such as 0x1', z.array(hexChainId).min(1).max(100)).describe(
    'Chains to watch, in hex.',
  ),
}

/** The message never contains the value, which may be a secret. */
export const webhookSecretText = allowing(
  'whsec_ and 24 to 64 bytes in base64',
  z.string().max(128).refine(isWebhookSecret, 'is not a webhook secret; allowed: whsec_ and 24 to 64 bytes in base64'),
)

const sent = {
  webhookSecret: webhookSecretText
    .nullish()
    .describe(
      'Key of the Standard Webhooks signature: whsec_ and 24 to 64 bytes in base64. Generated if none is given. The previous one still signs for a while.',
    ),
  gzip: z
    .boolean()
    .nullish()
    .describe(
      'Webhooks are sent compressed, with content-encoding: gzip. The signatures are of the body before compression.',
    ),
  headers: z
    .record(z.string().max(8_192), z.string().max(8_192).nullable())
    .nullish()
    .describe(
      'Sent with every webhook: at most 20 and 8 kB. Values are never shown again: a response has null for each, and null in a request leaves a value as it is. All are dropped when the address moves to another origin, unless they are given again with it.',
    ),
}

const optionalDefinition = {
  topic0: definitionShape.topic0.nullish(),
  allAddresses: definitionShape.allAddresses.nullish(),
  includeNativeTxs: definitionShape.includeNativeTxs.nullish(),
  includeContractLogs: definitionShape.includeContractLogs.nullish(),
  includeInternalTxs: definitionShape.includeInternalTxs.nullish(),
  includeAllTxLogs: definitionShape.includeAllTxLogs.nullish(),
  abi: definitionShape.abi.nullish(),
  advancedOptions: definitionShape.advancedOptions.nullish(),
  getNativeBalances: definitionShape.getNativeBalances.nullish(),
  filterPossibleSpam: definitionShape.filterPossibleSpam.nullish(),
  demo: definitionShape.demo.nullish(),
  confirmedOnly: definitionShape.confirmedOnly.nullish(),
  delivery: delivery.nullish(),
  triggers: z
    .array(z.unknown())
    .refine((triggers) => triggers.length === 0, 'is not supported yet; allowed: none, or an empty list')
    .meta({ maxItems: 0 })
    .nullish()
    .describe('Not supported yet.'),
}

/** First block of history by chain, in request bodies. */
export const fromBlocks = z.record(
  hexChainId,
  allowing('a block number as text of at most 18 decimal digits', z.string().regex(/^\d{1,18}$/)),
)

export type FromBlocks = z.output<typeof fromBlocks>

/** Body of `PUT /streams/evm`. A field that is null counts as omitted. */
export const createStreamSchema = z
  .object({
    ...named,
    ...sent,
    ...optionalDefinition,
    fromBlocks: fromBlocks
      .nullish()
      .describe(
        'First block to match, by chain: a past block requests history from there, a later one than the next is the start of the stream.',
      ),
  })
  .meta({
    id: 'CreateStream',
    description: 'A new stream. A field that is null counts as omitted.',
    examples: [
      {
        webhookUrl: 'https://shop.example/hooks',
        description: 'transfers of our collection',
        tag: 'shop',
        chainIds: ['0x1'],
        topic0: ['Transfer(address,address,uint256)'],
        includeContractLogs: true,
      },
    ],
  })

/** Body of `POST /streams/evm/{id}`. An omitted field does not change. */
export const updateStreamSchema = z
  .object({
    webhookUrl: named.webhookUrl.nullish(),
    description: named.description.nullish(),
    tag: named.tag.nullish(),
    chainIds: named.chainIds.nullish(),
    ...sent,
    ...optionalDefinition,
    fromBlocks: fromBlocks
      .nullish()
      .describe(
        'First block to match, as in a new stream, by chain: of chains that this update adds, and that the stream never had.',
      ),
  })
  .meta({
    id: 'UpdateStream',
    description: 'Changes of a stream. A field that is omitted stays as it is.',
    examples: [{ tag: 'shop' }],
  })

export type CreateStream = z.output<typeof createStreamSchema>
export type UpdateStream = z.output<typeof updateStreamSchema>

export const streamStatuses = ['active', 'paused', 'error', 'terminated'] as const
export type StreamStatus = (typeof streamStatuses)[number]

/** Where a paused stream continues: at its first unmatched block, at the next block, or at these blocks by chain. */
export type ResumeFrom = 'pause' | 'now' | FromBlocks

/** Body of `POST /streams/evm/{id}/status`. */
export const streamStatusSchema = z
  .object({
    status: z.enum(['active', 'paused']).describe('The new status.'),
    resumeFrom: z
      .enum(['pause', 'now'])
      .nullish()
      .describe(
        'With active: pause (default) sends the blocks since the stream was paused; now skips them and starts at the next block.',
      ),
    fromBlocks: fromBlocks
      .nullish()
      .describe(
        'With active: the block to resume at, by chain, instead of resumeFrom: not before the first block that was not matched for the paused stream, nor after the next block.',
      ),
  })
  .refine(({ status, resumeFrom }) => status === 'active' || !resumeFrom, {
    path: ['resumeFrom'],
    error: 'is only for status active; allowed: omitting it, or status active',
  })
  .refine(({ status, fromBlocks }) => status === 'active' || !fromBlocks, {
    path: ['fromBlocks'],
    error: 'is only for status active; allowed: omitting it, or status active',
  })
  .refine(({ resumeFrom, fromBlocks }) => resumeFrom !== 'now' || !fromBlocks, {
    path: ['fromBlocks'],
    error: 'and resumeFrom now exclude each other; allowed: one of them',
  })
  .meta({
    id: 'StreamStatus',
    description: 'The new status of a stream, and where it resumes.',
    examples: [{ status: 'paused' }],
  })

/** A stream in answers. */
export const streamSchema = z
  .object({
    id: z.uuid().describe('The stream.'),
    webhookUrl: z.string().meta({ description: 'Webhook endpoint.', examples: ['https://shop.example/hooks'] }),
    description: z.string().describe('Description by the client.'),
    tag: z.string().describe('Part of every webhook, as the client chose it.'),
    chainIds: z
      .array(z.string())
      .meta({ description: 'Ids of the chains that the stream watches, in hex.', examples: [['0x1']] }),
    ...definitionSchema.shape,
    status: z
      .enum(streamStatuses)
      .describe(
        'active: webhooks are sent; paused: a client or the server paused it; error: its receiver fails; terminated: it was in error for days.',
      ),
    statusMessage: z
      .string()
      .describe('Why the stream is not active, or what an active one waits for; empty otherwise.'),
    webhookSecret: z.string().describe('Key of the Standard Webhooks signature, whsec_….'),
    headers: z
      .record(z.string(), z.null())
      .describe('Names of the headers that are sent with its webhooks. Their values are never shown.'),
    delivery: z
      .enum(deliveryModes)
      .describe('ordered: one after the other on each chain, by block; unordered: many at once, in any order.'),
    gzip: z.boolean().describe('Whether webhooks are sent compressed.'),
    amountOfAddresses: z.int().min(0).describe('How many addresses the stream watches.'),
    createdAt: z.iso.datetime().describe('When the stream was created.'),
    updatedAt: z.iso.datetime().describe('When the stream was last changed.'),
  })
  .meta({ id: 'Stream', description: 'A stream.' })

export type StreamRecord = z.output<typeof streamSchema>

/** First block of a change, decimal, by chain id in hex. */
export type EffectiveBlocks = Record<string, string>

/** The stream before a page. `at` is microseconds since 1970. */
export type StreamPlace = { at: string; id: string }

/** Creates and changes streams. Throws BadRequestError for an invalid request, NotFoundError for an unknown id. */
export type StreamDemand = {
  create(body: CreateStream): Promise<StreamRecord & { effectiveBlocks: EffectiveBlocks }>
  update(id: string, body: UpdateStream): Promise<StreamRecord & { effectiveBlocks: EffectiveBlocks }>
  /**
   * `active` resumes a stream and resets the success rate of its address to 100. The answer has the blocks at which the
   * stream continues, now or once it is resumed.
   */
  setStatus(
    id: string,
    status: 'active' | 'paused',
    resumeFrom?: ResumeFrom,
  ): Promise<StreamRecord & { effectiveBlocks: EffectiveBlocks }>
  /** Returns the deleted stream. */
  remove(id: string): Promise<StreamRecord>
  get(id: string): Promise<StreamRecord>
  /** Streams in the order in which they were created. */
  list(options: { after: StreamPlace | null; limit: number }): Promise<{
    streams: StreamRecord[]
    total: number
    next: StreamPlace | null
  }>
  addAddresses(
    id: string,
    addresses: readonly string[],
    fromBlocks?: FromBlocks,
  ): Promise<{ effectiveBlocks: EffectiveBlocks }>
  removeAddresses(id: string, addresses: readonly string[]): Promise<{ effectiveBlocks: EffectiveBlocks }>
  /** Addresses in byte order. */
  listAddresses(
    id: string,
    options: { after: string | null; limit: number },
  ): Promise<{ addresses: string[]; total: number; next: string | null }>
}
