import { z } from 'zod'

const lowerAddress = z.string().regex(/^0x[0-9a-f]{40}$/)
const digits = z.string().regex(/^\d+$/)
const timestamp = z.iso.datetime().nullable()
const textOrNull = z.string().nullable()

const normalizedMetadata = z.object({
  name: textOrNull.describe('Name of the token.'),
  description: textOrNull.describe('Description of the token.'),
  image: textOrNull.describe('URL of the image, as in the metadata.'),
  external_link: textOrNull.describe('URL of a page about the token.'),
  external_url: textOrNull.describe('URL of a page about the token, by the other usual name.'),
  animation_url: textOrNull.describe('URL of a video, an audio file or a page that shows it.'),
  attributes: z
    .array(
      z.object({
        trait_type: textOrNull.describe('Kind of the trait, such as Eyes.'),
        value: z.unknown().describe('Value of the trait, as in the metadata.'),
        display_type: textOrNull.describe('Display type of the value in the metadata, such as number or date.'),
        max_value: z.unknown().describe('Largest value of that kind, if the metadata has one.'),
        trait_count: z.unknown().describe('Tokens of the collection that have this trait.'),
        order: z.unknown().describe('Place of the trait among the others, if the metadata has one.'),
      }),
    )
    .describe('Traits of the token.'),
})

const mediaSize = (pixels: number) =>
  z
    .object({
      width: z.int().min(1).max(pixels).describe('Width in pixels.'),
      height: z.int().min(1).max(pixels).describe('Height in pixels.'),
      url: z.string().describe('URL of the preview image on this server.'),
    })
    .describe(`A preview image that fits into ${pixels} pixels.`)

const mediaParts = z.object({
  status: z
    .enum(['success', 'processing', 'unsupported_media', 'invalid_url', 'host_unavailable', 'temporarily_unavailable'])
    .describe('success: the preview images exist; processing: they are being made; other values: why there are none.'),
  original_media_url: z
    .string()
    .describe(
      'URL of the media. Of a data: URI above 100,000 characters, only the header: metadata or token_uri has the whole URI.',
    ),
  mimetype: z.string().optional().describe('Type of the media, such as image/png.'),
  category: z.enum(['image', 'video', 'audio']).optional().describe('Missing for other media.'),
  parent_hash: z.string().optional().describe('SHA-256 of the media.'),
  updatedAt: z.iso.datetime().optional().describe('When the preview images were made.'),
  media_collection: z
    .object({ low: mediaSize(100), medium: mediaSize(250), high: mediaSize(500) })
    .optional()
    .describe('The preview images, if there are any.'),
  size: z
    .int()
    .min(0)
    .nullable()
    .optional()
    .describe('With include=media_details: bytes of the file; null if unknown.'),
  duration: z
    .number()
    .min(0)
    .nullable()
    .optional()
    .describe('With include=media_details: its length in seconds; null if unknown.'),
})

/** Preview images of a URL. */
export const mediaSchema = mediaParts
  .extend({
    url: z.string().optional().describe('Of a file: its URL on this server.'),
    reason: z.string().optional().describe('Of a file: why it is not kept.'),
  })
  .meta({
    id: 'Media',
    description: 'Preview images of a URL, or why there are none.',
  })

const media = mediaParts.extend({
  animation: mediaSchema
    .optional()
    .describe('With include=media_details: the same of animation_url, if that is another URL.'),
  file: mediaSchema
    .optional()
    .describe(
      'With include=media_file: a copy of the video, audio file or animation, of animation_url if there is one.',
    ),
})

/** One NFT in answers. */
export const nftSchema = z
  .object({
    token_address: lowerAddress.meta({
      description: 'The contract.',
      examples: ['0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d'],
    }),
    token_id: z
      .string()
      .regex(/^(\d+|0x[0-9a-f]+)$/)
      .meta({ description: 'The token, decimal or hex by format.', examples: ['1', '0x1'] }),
    token_hash: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .describe('MD5 of the lower-case token_address and the decimal token_id.'),
    owner_of: lowerAddress.nullable().describe('Owner of the token; null for a token with several holders (ERC-1155).'),
    minter_address: lowerAddress.nullable().describe('Address that minted the token; null if unknown.'),
    block_number: digits.meta({ description: 'Block of the last transfer.', examples: ['12287507'] }),
    block_number_minted: digits.describe(
      'Block of the mint; of the first known transfer while minter_address is null.',
    ),
    amount: digits.describe('1 for ERC721, the amount in existence for ERC1155.'),
    acquired_at: z.iso
      .datetime()
      .nullable()
      .optional()
      .describe('With include=acquired: time of acquired_block; null if unknown.'),
    acquired_block: digits
      .optional()
      .describe('With include=acquired: block at which the wallet last got some of the token from another address.'),
    rarity_rank: z
      .int()
      .min(1)
      .nullable()
      .optional()
      .describe('With include=rarity: the place by rarity, 1 for the rarest; null until the token is ranked.'),
    rarity_percentage: z
      .number()
      .min(0)
      .nullable()
      .optional()
      .describe(
        'With include=rarity: rarity_rank as a percentage of the tokens that were ranked; null until the token is.',
      ),
    spam_score: z.int().min(0).max(100).optional().describe('With include=spam: the sum of the rules that match.'),
    spam_reasons: z
      .array(z.string())
      .optional()
      .describe('With include=spam: the rules that match and the lists that have the contract.'),
    contract_type: z
      .enum(['ERC721', 'ERC1155'])
      .nullable()
      .describe('Standard that the token follows. A collection may hold tokens of both.'),
    name: textOrNull.describe('Name of the contract.'),
    symbol: textOrNull.describe('Symbol of the contract.'),
    token_uri: textOrNull.describe('URI of the metadata, as the contract returns it.'),
    metadata: z
      .string()
      .nullable()
      .describe('The metadata as JSON text; null: not fetched yet, or the token URI leads to media itself.'),
    normalized_metadata: normalizedMetadata
      .nullable()
      .describe('The metadata with the usual names; null unless normalizeMetadata is true.'),
    media: media.nullable().describe('Preview images; null unless media_items is true.'),
    last_token_uri_sync: timestamp.describe('When the contract was last queried for token_uri.'),
    last_metadata_sync: timestamp.describe('When the metadata was last read.'),
    possible_spam: z
      .boolean()
      .describe("Whether the contract counts as spam, by rules, a list or the operator's override."),
    verified_collection: z
      .boolean()
      .describe("Whether the contract counts as verified, by a list or the operator's override."),
  })
  .meta({ id: 'Nft', description: 'One NFT.' })

export const nftPageSchema = z
  .object({
    total: z
      .int()
      .min(0)
      .nullable()
      .describe('Records of the collection, or of the part requested; null unless disable_total is false.'),
    page: z.int().min(0).describe('Number of the page, the first one being 0.'),
    page_size: z.int().min(1).max(100).describe('Maximum records per page.'),
    cursor: z.string().nullable().describe('Cursor of the next page; null on the last one.'),
    result: z.array(nftSchema).describe('The records.'),
    status: z.enum(['SYNCED', 'SYNCING']).describe('SYNCED: ownership covers every block up to the head last seen.'),
  })
  .meta({ id: 'NftPage', description: 'A page of NFTs.' })

const header = (description: string) => z.string().optional().describe(description)

/** Headers for facts that the body has no field for. */
export const indexHeaderSchema = z.object({
  etag: header('Version of the response. Send it back as If-None-Match.'),
  'x-index-status': z.enum(['queued', 'syncing', 'synced', 'failed']).describe('State of the indexing.'),
  'x-index-progress': z.string().describe('Part of the history that is covered, from 0 to 1.'),
  'x-index-metadata-progress': z.string().describe('Part of the metadata that is read, from 0 to 1.'),
  'x-index-from-block': header('First block of the covered range.'),
  'x-index-to-block': header('Last block covered without a gap.'),
  'x-index-head-block': header('Head of the chain last seen.'),
  'x-index-lag-blocks': header('Blocks from x-index-to-block to x-index-head-block.'),
  'x-index-head-age': header('Whole seconds since a node last confirmed the head, at the time of the response.'),
  'x-index-failure': header('Why the indexing failed, or why the collection is not synced.'),
  'x-index-incomplete': header('Tokens and logs that Mintmark skipped, with the reason; missing if it skipped none.'),
})

/** The same headers if a block can be requested. */
export const asOfHeaderSchema = indexHeaderSchema.extend({
  'x-as-of-block-hash': header(
    'Hash of the block as_of_block on the chain now; missing if no block was requested. If it changes, a reorganisation replaced the block.',
  ),
})

/** The same headers without ETag, for a 404. */
export const indexOnlyHeaderSchema = indexHeaderSchema.omit({ etag: true })

/** The same headers if a block can be requested, without ETag. */
export const asOfOnlyHeaderSchema = asOfHeaderSchema.omit({ etag: true })
