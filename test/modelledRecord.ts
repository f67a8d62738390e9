import type { RecordOptions } from '../src/nft/query.ts'
import { blockOfPosition } from '../src/nft/transfers/position.ts'
import type { Transfer } from '../src/nft/transfers/transfer.ts'
import type { Address } from '../src/util/hex.ts'
import { type Document, type ModelledCollection, type Token, textOf, urlsOf } from './modelledCollection.ts'

const blockOf = ({ position }: Transfer) => String(blockOfPosition(BigInt(position)))

/** The members of a record. */
export type Shown = Record<string, unknown>

/** The media of a record. `details` decides which known details of previews it shows. */
function mediaOf(
  document: Document,
  previews: ModelledCollection['previews'],
  details: RecordOptions['details'],
): unknown {
  const { media, animation } = urlsOf(document)
  if (media === null) return null
  const shape = (url: string, withDetails: boolean) => {
    const { status, details: known } = previews.get(url) ?? { status: 'processing', details: null }
    return { status, original_media_url: url, ...(withDetails && known) }
  }
  if (!details) return shape(media, false)
  const film = animation !== null && (details === true || previews.has(animation)) ? shape(animation, true) : undefined
  return { ...shape(media, true), ...(film && { animation: film }) }
}

/** The record of a token; with `holding`, for one of its holders. */
export function recordOf(
  collection: ModelledCollection,
  token: Token,
  options: RecordOptions,
  holding?: [holder: Address, amount: number],
): Shown {
  const { seeded, documents, failures, ranks, previews, spam } = collection
  const { tokenId, held } = token
  const document = documents.get(tokenId)
  const only = holding ?? (held.length === 1 ? held[0]! : [null, 0])
  const worn = [...documents.values()].filter(({ hat }) => hat === document?.hat).length
  return {
    ...{ token_address: seeded.address, token_hash: token.hash },
    token_id: options.hex ? `0x${tokenId.toString(16)}` : String(tokenId),
    owner_of: only[0],
    amount: String(holding ? holding[1] : held.reduce((sum, [, amount]) => sum + amount, 0)),
    ...{ minter_address: token.minter, block_number: blockOf(token.last), block_number_minted: blockOf(token.minted) },
    contract_type: token.isErc1155 ? 'ERC1155' : 'ERC721',
    token_uri: document
      ? 'https://example.org/\u{1f600}'
      : failures.has(tokenId)
        ? `https://host.example/${tokenId}`
        : null,
    metadata: document ? textOf(document) : null,
    normalized:
      document && options.normalized
        ? [document.name, [{ trait_type: 'Hat', value: document.hat, trait_count: worn }]]
        : null,
    media: document && options.media ? mediaOf(document, previews, options.details) : null,
    ...(options.rarity && {
      rarity_rank: ranks.get(tokenId) ?? null,
      rarity_percentage: ranks.has(tokenId) ? Math.round((1e8 * ranks.get(tokenId)!) / 7) / 1e6 : null,
    }),
    ...(options.spam && { spam_score: spam.score, spam_reasons: spam.reasons }),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: records as they come.
type Body = any

/** The same members of a record, read from a response. */
export function shownIn({ normalized_metadata: normalized, media, ...record }: Body): Shown {
  const mediaIn = ({ status, original_media_url, size, duration, animation }: Body): Shown => ({
    ...{ status, original_media_url },
    ...(size !== undefined && { size, duration }),
    ...(animation !== undefined && { animation: mediaIn(animation) }),
  })
  const {
    name: _,
    symbol: __,
    possible_spam,
    verified_collection,
    last_token_uri_sync,
    last_metadata_sync,
    ...rest
  } = record
  return {
    ...rest,
    normalized: normalized && [
      normalized.name,
      normalized.attributes.map(({ trait_type, value, trait_count }: Body) => ({ trait_type, value, trait_count })),
    ],
    media: media && mediaIn(media),
  }
}

/** The records of a page. */
export const recordsIn = (bytes: Buffer) => (JSON.parse(bytes.toString()) as Body[]).map(shownIn)
