import type { Address } from '../util/hex.ts'
import type { Records } from './query.ts'

/** The metadata of a token by the usual names, as a record holds it. */
export type RecordMetadata = {
  name: string | null
  description: string | null
  image: string | null
  external_url: string | null
  animation_url: string | null
  attributes: { trait_type: string | null; value: unknown; trait_count: unknown }[]
}

/** The thumbnails of a token, as a record holds them. */
export type RecordMedia = {
  status: string
  original_media_url: string
  mimetype?: string
  category?: string
  /** Bytes of the file, where they are known. */
  size?: number | null
  media_collection?: Record<'low' | 'medium' | 'high', { url: string }>
}

/** What a record of `Records` says of a token: for an API that shows it in another form. */
export type NftRecord = {
  token_address: Address
  /** Decimal, unless hex was requested. */
  token_id: string
  /** 32 hex digits. */
  token_hash: string
  /** null: it has several owners. */
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
