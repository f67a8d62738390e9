import { type NftRecord, readRecords } from '../../nft/nftRecord.ts'
import type { OriginQuery, TokenOrigin } from '../../nft/originQuery.ts'
import { type CollectionState, mostPageBytes, type NftQuery } from '../../nft/query.ts'
import type { Address } from '../../util/hex.ts'
import { fault } from '../http/parseQuery.ts'
import type { Snapshot } from '../nft/collections.ts'
import { type NftShape, nftShape, unknownNft } from './nftShape.ts'
import { readDeployments } from './readDeployments.ts'

/** How this dialect reads records: metadata by its usual names, and thumbnails. */
export const withMetadata = { hex: false, normalized: true, media: true }
export const withoutMetadata = { hex: false, normalized: false, media: false }

/** A token that a request names. */
export type NamedToken = { address: Address; tokenId: bigint }

/** Where each of the records comes from, by one statement. */
export function readOrigins(
  { origins, chainId }: { origins: OriginQuery; chainId: bigint },
  records: readonly NftRecord[],
  stateOf: (address: Address) => CollectionState | undefined,
): Promise<TokenOrigin[]> {
  const asked = records.map((record) => ({
    state: stateOf(record.token_address)!,
    hash: record.token_hash,
    holder: null,
  }))
  return origins.tokens(chainId, asked)
}

/** The tokens that a request names, in its order, also those of which nothing is known. */
export async function readNamed(options: {
  nft: NftQuery
  origins: OriginQuery
  chainId: bigint
  tokens: readonly NamedToken[]
  /** By contract. */
  snapshots: ReadonlyMap<Address, Snapshot>
  states: ReadonlyMap<Address, CollectionState | undefined>
}): Promise<NftShape[]> {
  const { nft, origins, chainId, tokens, snapshots, states } = options
  const asked = tokens.flatMap(({ address, tokenId }) => {
    const state = states.get(address)
    return state ? [{ state, address, tokenId }] : []
  })
  const found = asked.length > 0 ? await nft.tokens(asked, withMetadata) : undefined
  if (asked.length > 0 && !found)
    throw fault(
      'tokens',
      `names tokens with more than ${mostPageBytes} bytes of metadata together; allowed: fewer tokens at once`,
    )
  const records = found ? readRecords(found) : []
  const deployments = await readDeployments({ origins, chainId }, states, { isNamed: true })
  const from = await readOrigins({ origins, chainId }, records, (address) => states.get(address))
  const shapes = new Map(
    records.map((record, i) => [
      nameOf(record.token_address, record.token_id),
      nftShape(record, states.get(record.token_address), {
        origin: from[i],
        deployment: deployments.get(record.token_address),
      }),
    ]),
  )
  return tokens.map((token) => {
    const state = states.get(token.address)
    return (
      shapes.get(nameOf(token.address, String(token.tokenId))) ??
      unknownNft(token, state, {
        error: reasonOf(snapshots.get(token.address)),
        deployment: deployments.get(token.address),
      })
    )
  })
}

const nameOf = (address: Address, tokenId: string) => `${address} ${tokenId}`

/** Why nothing is known of a token. */
function reasonOf(snapshot: Snapshot | undefined): string {
  if (snapshot?.kind === 'nocode') return 'there is no contract at this address'
  if (snapshot?.state?.status === 'none') return 'the contract has no NFTs'
  const isSynced = snapshot?.report.at(performance.now()).status === 'SYNCED'
  return isSynced ? 'the token does not exist' : 'the contract is being indexed; ask again later'
}
