import type { NftRecord, RecordMedia } from '../../nft/nftRecord.ts'
import type { Deployment, OriginBlock, TokenOrigin } from '../../nft/originQuery.ts'
import type { CollectionState } from '../../nft/query.ts'
import type { Address } from '../../util/hex.ts'
import { type ContractShape, contractShape } from './contractShape.ts'

/** A token in this dialect: each field is there, null where this server does not know it. */
export type NftShape = {
  contract: ContractShape
  tokenId: string
  tokenType: string | null
  name: string | null
  description: string | null
  tokenUri: string | null
  image: ImageShape
  animation: ImageShape
  raw: { tokenUri: string | null; metadata: unknown; error: string | null }
  collection: { name: string; slug: null; externalUrl: null; bannerImageUrl: null } | null
  mint: {
    mintAddress: Address | null
    blockNumber: number | null
    timestamp: string | null
    transactionHash: string | null
  }
  owners: null
  timeLastUpdated: string | null
}

type ImageShape = {
  cachedUrl: string | null
  thumbnailUrl: string | null
  pngUrl: string | null
  contentType: string | null
  size: number | null
  originalUrl: string | null
}

const noOrigin: TokenOrigin = { mint: null, acquired: null }

/** `origin` undefined: it was not read. */
export function nftShape(
  record: NftRecord,
  state: CollectionState | undefined,
  {
    origin = noOrigin,
    deployment = null,
  }: { origin?: TokenOrigin | undefined; deployment?: Deployment | null | undefined },
): NftShape {
  const { normalized_metadata: normalized, media } = record
  const contract = contractOf(record, state, deployment)
  return {
    contract,
    tokenId: record.token_id,
    tokenType: record.contract_type,
    name: normalized?.name ?? null,
    description: normalized?.description ?? null,
    tokenUri: record.token_uri,
    image: imageOf(media, normalized?.image ?? null),
    animation: { ...noImage, originalUrl: normalized?.animation_url ?? null },
    raw: {
      tokenUri: record.token_uri,
      metadata: record.metadata === null ? {} : JSON.parse(record.metadata),
      error: null,
    },
    collection: contract.name === null ? null : collectionOf(contract.name),
    mint: mintOf(record, origin),
    owners: null,
    timeLastUpdated: record.last_metadata_sync,
  }
}

/** A token of which nothing is known. `error`: why. */
export function unknownNft(
  { address, tokenId }: { address: Address; tokenId: bigint },
  state: CollectionState | undefined,
  { error, deployment }: { error: string; deployment: Deployment | null | undefined },
): NftShape {
  const contract = contractShape(address, state, deployment)
  return {
    contract,
    tokenId: String(tokenId),
    tokenType: contract.tokenType,
    name: null,
    description: null,
    tokenUri: null,
    image: noImage,
    animation: noImage,
    raw: { tokenUri: null, metadata: {}, error },
    collection: contract.name === null ? null : collectionOf(contract.name),
    mint: { mintAddress: null, blockNumber: null, timestamp: null, transactionHash: null },
    owners: null,
    timeLastUpdated: null,
  }
}

/** When a wallet got a token. */
export function acquiredAt(acquired: OriginBlock | null) {
  return {
    blockTimestamp: acquired?.time?.toISOString() ?? null,
    blockNumber: acquired ? Number(acquired.block) : null,
  }
}

/** Of a token of a wallet the record is all that is surely known of the contract. */
function contractOf(
  record: NftRecord,
  state: CollectionState | undefined,
  deployment: Deployment | null,
): ContractShape {
  const { token_address, name, symbol, contract_type, possible_spam } = record
  const shape = contractShape(token_address, state, deployment)
  return { ...shape, name, symbol, tokenType: shape.tokenType ?? contract_type, isSpam: possible_spam }
}

const collectionOf = (name: string) => ({ name, slug: null, externalUrl: null, bannerImageUrl: null })

const noImage: ImageShape = {
  cachedUrl: null,
  thumbnailUrl: null,
  pngUrl: null,
  contentType: null,
  size: null,
  originalUrl: null,
}

/** The thumbnails are WebP, so there is no PNG. */
export function imageOf(media: RecordMedia | null, original: string | null): ImageShape {
  return {
    cachedUrl: media?.media_collection?.high.url ?? null,
    thumbnailUrl: media?.media_collection?.medium.url ?? null,
    pngUrl: null,
    contentType: media?.mimetype ?? null,
    size: null,
    originalUrl: media?.original_media_url ?? original,
  }
}

function mintOf(record: NftRecord, { mint }: TokenOrigin): NftShape['mint'] {
  return {
    mintAddress: record.minter_address,
    blockNumber: record.minter_address === null ? null : Number(record.block_number_minted),
    timestamp: mint?.time?.toISOString() ?? null,
    transactionHash: mint?.transactionHash ?? null,
  }
}
