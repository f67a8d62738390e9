import { z } from 'zod'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const hexOrNull = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .nullable()

/** One coin as clients see it. */
export const coinSchema = z
  .object({
    coin_type: z.string().describe('As the chain prints it.'),
    coin_type_hash: hash.describe('SHA-256 of coin_type.'),
    creator_address: z.string().regex(/^0x[0-9a-f]{64}$/),
    decimals: z.int().min(0).max(255),
    name: z.string(),
    supply_aggregator_table_handle: hexOrNull,
    supply_aggregator_table_key: hexOrNull,
    symbol: z.string(),
    transaction_created_timestamp: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    transaction_version_created: z.string().regex(/^\d+$/),
  })
  .meta({ id: 'Coin' })

export const coinPageSchema = z
  .object({
    cursor: z.string().nullable().describe('Gives the next page; null exactly when there is none.'),
    hasNextPage: z.boolean(),
    result: z.array(coinSchema),
  })
  .meta({ id: 'CoinPage' })

export const coinsSchema = z.array(coinSchema)

const header = (description: string) => z.string().optional().describe(description)

/** What the body has no place for. */
export const networkHeaderSchema = z.object({
  etag: header('Names this version of the answer, for If-None-Match.'),
  'x-index-status': z.enum(['unconfigured', 'queued', 'syncing', 'synced', 'failed']),
  'x-index-progress': z.string().describe('Covered part of the chain, from 0 to 1.'),
  'x-index-from-version': header('First version that is read.'),
  'x-index-to-version': header('Last version covered without a gap; newer coins are not shown yet.'),
  'x-index-head-version': header('Head of the chain last seen.'),
  'x-index-lag-versions': header('Versions between the two.'),
  'x-index-head-age': header('Whole seconds since a source last confirmed the head, at the moment of the answer.'),
  'x-index-imported': header('Coins that came from a file and that the chain has not confirmed yet.'),
  'x-index-failure': header('Why the chain cannot be read at the moment, or why its head is in doubt.'),
})
