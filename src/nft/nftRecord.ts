import type { Address } from '../util/hex.ts'
import type { Records } from './query.ts'

/** Normalized metadata in a record. */
export type RecordMetadata = {
  name: string | null
  description: string | null
  image: string | null
  external_url: string | null
  animation_url: string | null
  attributes: { trait_type: string | null; value: unknown; trait_count: unknown }[]
}

/** Thumbnails in a record. */
export type RecordMedia = {
  status: string
  original_media_url: string
  mimetype?: string
  category?: string
  /** Size of the file in bytes, if known. */
  size?: number | null
  media_collection?: Record<'low' | 'medium' | 'high', { url: string }>
}

/** A record of `Records` as an object, for APIs with another format. */
export type NftRecord = {
  token_address: Address
  /** Decimal, or hex if requested. */
  token_id: string
  /** 32 hex digits. */
  token_hash: string
  /** null: several owners. */
  owner_of: Address | null
  minter_address: Address | null
  block_number: string
  block_number_minted: string
  amount: string
  contract_type: 'ERC721' | 'ERC1155'
  name: string | null
  symbol: string | null
  token_uri: string | null
  /** JSON text. */
  metadata: string | null
  normalized_metadata: RecordMetadata | null
  media: RecordMedia | null
  last_metadata_sync: string | null
  possible_spam: boolean
}

/** Records as objects. */
export function readRecords(records: Records): NftRecord[] {
  return JSON.parse(records.toBuffer('[', ']').toString()) as NftRecord[]
}
