import { z } from 'zod'
import { deliveryModes, fromBlocks, streamStatuses } from '../../stream/demand.ts'
import { definitionSchema } from '../../stream/streamDefinition.ts'
import { allowing } from '../../util/allowed.ts'

const digits = z.string().regex(/^\d+$/)
const time = z.iso.datetime()

export const effectiveBlocks = z
  .record(z.string(), digits)
  .describe('First block to which the change applies, by chain id in hex.')

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
    createdAt: time.describe('When the stream was created.'),
    updatedAt: time.describe('When the stream was last changed.'),
  })
  .meta({ id: 'Stream', description: 'A stream.' })

export const changedStreamSchema = streamSchema
  .and(z.object({ effectiveBlocks }))
  .meta({ id: 'ChangedStream', description: 'A created or changed stream.' })

/** Longest body with addresses, in bytes: enough for more than 100,000 addresses. */
export const addressBodyBytes = 8_388_608

export const addressBody = z.object({
  address: allowing(
    'an address, 0x and 40 hex digits, or a list of them',
    z.union([z.string(), z.array(z.string())]).describe('One address or several.'),
  ),
})

export const addedAddressBody = addressBody.extend({
  fromBlocks: fromBlocks
    .nullish()
    .describe(
      'First block of the history of these addresses, by the chain id in hex; only records that earlier webhooks do not contain are sent.',
    ),
})

export const streamAddress = z.object({ address: z.string().describe('An address that the stream watches.') })

export const addressAnswer = z.object({
  streamId: z.uuid().describe('The stream.'),
  address: z.union([z.string(), z.array(z.string())]).describe('The addresses as they were given.'),
  effectiveBlocks,
})
