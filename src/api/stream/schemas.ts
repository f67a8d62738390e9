import { z } from 'zod'
import { fromBlocks, streamSchema } from '../../stream/demand.ts'
import { allowing } from '../../util/allowed.ts'

export const effectiveBlocks = z
  .record(z.string(), z.string().regex(/^\d+$/))
  .describe('First block to which the change applies, by chain id in hex.')

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
