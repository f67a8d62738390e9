import { z } from 'zod'
import { deliveryModes, fromBlocks, streamStatuses } from '../../stream/demand.ts'
import { definitionSchema } from '../../stream/streamDefinition.ts'
import { allowing } from '../../util/allowed.ts'

const digits = z.string().regex(/^\d+$/)

export const effectiveBlocks = z
  .record(z.string(), digits)
  .describe('First block of each chain, by its id in hex, that the change holds for.')

export const streamSchema = z
  .object({
    id: z.uuid(),
    webhookUrl: z.string(),
    description: z.string(),
    tag: z.string(),
    chainIds: z.array(z.string()),
    ...definitionSchema.shape,
    status: z.enum(streamStatuses),
    statusMessage: z.string().describe('Why it is not active; empty otherwise.'),
    webhookSecret: z.string().describe('Key of the Standard Webhooks signature, whsec_….'),
    headers: z
      .record(z.string(), z.null())
      .describe('Names of the headers that are sent with its webhooks. Their values are never shown.'),
    delivery: z.enum(deliveryModes),
    gzip: z.boolean(),
    amountOfAddresses: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Stream' })

export const changedStreamSchema = streamSchema.extend({ effectiveBlocks }).meta({ id: 'ChangedStream' })

export function listSchema(item: z.ZodType) {
  return z.object({
    result: z.array(item),
    total: z.int(),
    cursor: z.string().nullable().describe('Gives the next page; null on the last one.'),
    page: z.int().min(0),
    page_size: z.int(),
  })
}

/** More than 100,000 addresses in one request. */
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
    .describe('First block of the history of these addresses, by chain: what they add to what the stream has had.'),
})

export const addressAnswer = z.object({
  streamId: z.uuid(),
  address: z.union([z.string(), z.array(z.string())]),
  effectiveBlocks,
})
