import { z } from 'zod'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const hexOrNull = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .nullable()

const digitsOrNull = z.string().regex(/^\d+$/).nullable().optional()
const textOrNull = z.string().nullable().optional()

/** Additional fields of a coin if `standard` is requested. */
const furtherFields = {
  token_standard: z
    .enum(['v1', 'v2'])
    .optional()
    .describe('v2: a fungible asset. Only with standard, as all fields below.'),
  asset_type: z.string().optional().describe('The same as coin_type.'),
  icon_uri: textOrNull.describe('Untrusted text.'),
  project_uri: textOrNull.describe('Untrusted text.'),
  paired_coin_type: textOrNull.describe('The coin that an asset represents.'),
  paired_asset_type: textOrNull.describe('The asset that represents a coin.'),
  supply: digitsOrNull.describe('Null: not counted, or not known.'),
  maximum_supply: digitsOrNull.describe('Bound of the supply.'),
  deleted: z.boolean().optional().describe('The object of the asset is deleted.'),
}

/** One coin as clients see it. */
export const coinSchema = z
  .object({
    coin_type: z.string().meta({
      description: 'Type of the coin, as the chain prints it; of an asset its address.',
      examples: ['0x1::aptos_coin::AptosCoin'],
    }),
    coin_type_hash: hash.describe('SHA-256 of coin_type.'),
    creator_address: z
      .string()
      .regex(/^0x[0-9a-f]{64}$/)
      .describe('Account that published the coin; of an asset its first owner.'),
    decimals: z.int().min(0).max(255).describe('Decimal places of an amount.'),
    name: z.string().describe('Name of the coin.'),
    supply_aggregator_table_handle: hexOrNull.describe(
      'Table in which the chain counts the supply in parallel; null for nearly every coin.',
    ),
    supply_aggregator_table_key: hexOrNull.describe('Key of the supply in that table.'),
    symbol: z.string().describe('Symbol of the coin.'),
    transaction_created_timestamp: z
      .string()
      .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      .meta({ description: 'When the coin was created, in UTC.', examples: ['2022-10-12T00:00:00.000000Z'] }),
    transaction_version_created: z
      .string()
      .regex(/^\d+$/)
      .meta({ description: 'Version of the transaction that created the coin.', examples: ['104'] }),
    ...furtherFields,
  })
  .meta({ id: 'Coin', description: 'One coin.' })

export const coinPageSchema = z
  .object({
    cursor: z.string().nullable().describe('Cursor of the next page; null on the last one.'),
    hasNextPage: z.boolean().describe('Whether there is another page.'),
    result: z.array(coinSchema).describe('The coins.'),
  })
  .meta({ id: 'CoinPage', description: 'A page of coins.' })

export const coinSupplySchema = z
  .object({
    coin_type_hash: hash.describe('SHA-256 of coin_type.'),
    transaction_version: z.string().regex(/^\d+$/).describe('The supply is that at the end of this version.'),
    supply: z.string().regex(/^\d+$/).nullable().describe('Null: not counted, or not known.'),
  })
  .meta({ id: 'CoinSupply', description: 'The supply of a coin at a version.' })

export const coinsSchema = z.array(coinSchema)

const header = (description: string) => z.string().optional().describe(description)

/** Headers for facts that the body has no field for. */
export const networkHeaderSchema = z.object({
  etag: header('Version of the response. Send it back as If-None-Match.'),
  'x-index-status': z
    .enum(['unconfigured', 'queued', 'syncing', 'synced', 'failed'])
    .describe('State of reading the chain.'),
  'x-index-progress': z.string().describe('Part of the chain that is covered, from 0 to 1.'),
  'x-index-from-version': header('First version that is read.'),
  'x-index-to-version': header('Last version covered without a gap; newer coins are not shown yet.'),
  'x-index-head-version': header('Head of the chain last seen.'),
  'x-index-lag-versions': header('Versions from x-index-to-version to x-index-head-version.'),
  'x-index-head-age': header('Whole seconds since a source last confirmed the head, at the time of the response.'),
  'x-index-imported': header('Coins that came from a file and that the chain has not confirmed yet.'),
  'x-index-failure': header('Why the chain cannot be read now, or its head is unconfirmed.'),
})
