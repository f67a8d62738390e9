import type { TokenOrigin } from '../../../nft/originQuery.ts'
import type { CollectionState, OriginBlock, RecordParts } from '../../../nft/query.ts'
import type { Address } from '../../../util/hex.ts'
import { type ByteText, byteText } from './byteText.ts'
import { contractShape } from './contractShape.ts'
import { imageTexts, namedTexts, noImage } from './images.ts'
import type { ContractFacts } from './readContractFacts.ts'

/** Known facts of the contracts of the tokens that an answer shows. */
export type KnownContracts = {
  states: ReadonlyMap<Address, CollectionState | undefined>
  facts: ReadonlyMap<Address, ContractFacts>
}

/** Writes tokens in this dialect, with null for unknown fields. Parts of records are copied unchanged. */
export type NftWriter = {
  /** `origin` undefined: not read. `ofHolder`: with balance and acquiredAt. */
  nft(parts: RecordParts, options: { origin: TokenOrigin | undefined; ofHolder?: boolean }): ByteText
  /** A token without known facts, with the reason in `error`. */
  unknown(token: { address: Address; tokenId: bigint }, error: string): ByteText
}

const noOrigin: TokenOrigin = { mint: null, acquired: null }

export function createNftWriter({ states, facts }: KnownContracts): NftWriter {
  type Texts = { contract: ByteText; collection: ByteText }
  const known = new Map<string, Texts>()
  /** Texts of the previous record's contract: consecutive records mostly share a contract. */
  let last: { state: RecordParts['state']; type: string; texts: Texts } | undefined

  /** A wallet's record may be the only source of facts about its contract. */
  function contractOf({ address, state, token }: RecordParts) {
    const { contract_type: type } = token
    if (last?.state === state && last.type === type) return last.texts
    const key = `${address} ${type}`
    let texts = known.get(key)
    if (!texts) {
      const { name, symbol, possibleSpam: isSpam } = state
      const shape = contractShape(address, states.get(address), facts.get(address))
      texts = {
        contract: byteText({ ...shape, name, symbol, tokenType: shape.tokenType ?? type, isSpam }),
        collection: byteText(collectionOf(name, facts.get(address))),
      }
      known.set(key, texts)
    }
    last = { state, type, texts }
    return texts
  }

  return {
    nft(parts, { origin = noOrigin, ofHolder = false }) {
      const { contract, collection } = contractOf(parts)
      const { token, metadataMembers, failure, normalized, media } = parts
      const { uri, metadata, readAt } = metadataTexts(metadataMembers)
      const named = namedTexts(normalized)
      const { image, animation } = imageTexts(media, named)
      const held = ofHolder ? `,"balance":"${token.amount}","acquiredAt":${acquiredText(origin.acquired)}` : ''
      return `{"contract":${contract},"tokenId":"${token.token_id}","tokenType":"${token.contract_type}",${named.members},"tokenUri":${uri},"image":${image},"animation":${animation},"raw":{"tokenUri":${uri},"metadata":${
        // The metadata in the record is itself JSON text.
        metadata === 'null' ? '{}' : (JSON.parse(metadata) as ByteText)
      },"error":${failure}},"collection":${collection},"mint":${mintText(token, origin.mint)},"owners":null,"timeLastUpdated":${readAt}${held}}`
    },
    unknown({ address, tokenId }, error) {
      const contract = contractShape(address, states.get(address), facts.get(address))
      const before = byteText({
        contract,
        tokenId: String(tokenId),
        tokenType: contract.tokenType,
        ...{ name: null, description: null, tokenUri: null },
      })
      const after = byteText({
        raw: { tokenUri: null, metadata: {}, error },
        collection: collectionOf(contract.name, facts.get(address)),
        mint: { mintAddress: null, blockNumber: null, timestamp: null, transactionHash: null },
        ...{ owners: null, timeLastUpdated: null },
      })
      return `${before.slice(0, -1)},"image":${noImage},"animation":${noImage},${after.slice(1)}`
    },
  }
}

/** Extracts single members of metadata. The text is long, so each name is searched from the nearer end. */
function metadataTexts(members: ByteText): { uri: ByteText; metadata: ByteText; readAt: ByteText } {
  const metadataAt = members.indexOf(metadataMember)
  const readAt = members.lastIndexOf(readMember)
  const uriReadAt = members.lastIndexOf(uriReadMember, readAt)
  return {
    uri: members.slice(members.indexOf(uriMember) + uriMember.length, metadataAt),
    metadata: members.slice(metadataAt + metadataMember.length, uriReadAt),
    readAt: members.slice(readAt + readMember.length),
  }
}

const [uriMember, metadataMember] = ['"token_uri":', ',"metadata":']
const [uriReadMember, readMember] = [',"last_token_uri_sync":', ',"last_metadata_sync":']

/** null if the contract has no name. */
function collectionOf(name: string | null, facts: ContractFacts | undefined) {
  const { externalLink = null, bannerImage = null } = facts?.metadata ?? {}
  return name === null ? null : { name, slug: null, externalUrl: externalLink, bannerImageUrl: bannerImage }
}

/** When a wallet got a token. */
const acquiredText = (acquired: OriginBlock | null) =>
  `{"blockTimestamp":${timeText(acquired)},"blockNumber":${acquired?.block ?? null}}`

const timeText = (block: OriginBlock | null) => (block?.time ? `"${block.time}"` : 'null')

function mintText({ minter_address, block_number_minted }: RecordParts['token'], mint: TokenOrigin['mint']): ByteText {
  const isKnown = minter_address !== null
  return `{"mintAddress":${isKnown ? `"${minter_address}"` : 'null'},"blockNumber":${isKnown ? block_number_minted : 'null'},"timestamp":${timeText(
    mint,
  )},"transactionHash":${mint ? `"${mint.transactionHash}"` : 'null'}}`
}
