import { z } from 'zod'

const lowerAddress = z.string().regex(/^0x[0-9a-f]{40}$/)
const digits = z.string().regex(/^\d+$/)
const timestamp = z.iso.datetime().nullable()

const normalizedMetadata = z.object({
  name: z.string().nullable(),
  description: z.string().nullable(),
  image: z.string().nullable(),
  external_link: z.string().nullable(),
  external_url: z.string().nullable(),
  animation_url: z.string().nullable(),
  attributes: z.array(
    z.object({
      trait_type: z.string().nullable(),
      value: z.unknown(),
      display_type: z.string().nullable(),
      max_value: z.unknown(),
      trait_count: z.unknown(),
      order: z.unknown(),
    }),
  ),
})

const mediaSize = z.object({ width: z.int(), height: z.int(), url: z.string() })

const media = z.object({
  status: z.enum([
    'success',
    'processing',
    'unsupported_media',
    'invalid_url',
    'host_unavailable',
    'temporarily_unavailable',
  ]),
  original_media_url: z
    .string()
    .describe('The address; of a data: URI above 100,000 characters the header alone, as metadata has the whole.'),
  mimetype: z.string().optional(),
  category: z.string().optional(),
  parent_hash: z.string().optional(),
  updatedAt: z.iso.datetime().optional(),
  media_collection: z.object({ low: mediaSize, medium: mediaSize, high: mediaSize }).optional(),
})

/** One NFT as clients see it. */
export const nftSchema = z
  .object({
    token_address: lowerAddress,
    token_id: z.string().regex(/^(\d+|0x[0-9a-f]+)$/),
    token_hash: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .describe('MD5 of the lower-case token_address and the decimal token_id.'),
    owner_of: lowerAddress.nullable().describe('null for a token with several holders (ERC-1155).'),
    minter_address: lowerAddress.nullable(),
    block_number: digits.describe('Block of the last transfer.'),
    block_number_minted: digits,
    amount: digits.describe('1 for ERC721, the amount in existence for ERC1155.'),
    contract_type: z.enum(['ERC721', 'ERC1155']).nullable(),
    name: z.string().nullable(),
    symbol: z.string().nullable(),
    token_uri: z.string().nullable(),
    metadata: z.string().nullable().describe('The metadata document as JSON text.'),
    normalized_metadata: normalizedMetadata.nullable(),
    media: media.nullable(),
    last_token_uri_sync: timestamp,
    last_metadata_sync: timestamp,
    possible_spam: z.boolean(),
    verified_collection: z.boolean(),
  })
  .meta({ id: 'Nft' })

export const nftPageSchema = z
  .object({
    total: z
      .int()
      .nullable()
      .describe('Records of the collection, or of the part asked for; null unless disable_total is false.'),
    page: z.int().min(0),
    page_size: z.int().min(1).max(100),
    cursor: z.string().nullable().describe('Gives the next page; null on the last one.'),
    result: z.array(nftSchema),
    status: z.enum(['SYNCED', 'SYNCING']).describe('SYNCED: ownership covers every block up to the head last seen.'),
  })
  .meta({ id: 'NftPage' })

const header = (description: string) => z.string().optional().describe(description)

/** What the body has no place for. */
export const indexHeaderSchema = z.object({
  etag: header('Names this version of the page, for If-None-Match.'),
  'x-index-status': z.enum(['queued', 'syncing', 'synced', 'failed']),
  'x-index-progress': z.string().describe('Covered part of the history, from 0 to 1.'),
  'x-index-metadata-progress': z.string().describe('Read part of the metadata, from 0 to 1.'),
  'x-index-from-block': header('First block with anything to read.'),
  'x-index-to-block': header('Last block covered without a gap.'),
  'x-index-head-block': header('Head of the chain last seen.'),
  'x-index-lag-blocks': header('Blocks between the two.'),
  'x-index-head-age': header('Whole seconds since a node last confirmed the head, at the moment of the answer.'),
  'x-index-failure': header('Why the indexing failed.'),
  'x-index-incomplete': header('What had to be left out and why, where something had to be.'),
})
