import type { OriginQuery, TokenOrigin } from '../../../nft/originQuery.ts'
import { type CollectionState, mostPageBytes, type NftQuery, type RecordParts } from '../../../nft/query.ts'
import type { Address } from '../../../util/hex.ts'
import { fault } from '../../http/parseQuery.ts'
import type { Snapshot } from '../../nft/collections/collections.ts'
import type { ByteText } from './byteText.ts'
import { createNftWriter } from './nftText.ts'
import { readContractFacts } from './readContractFacts.ts'

/** Record options of this dialect: normalized metadata and thumbnails. */
export const withMetadata = {
  hex: false,
  normalized: true,
  media: true,
  details: 'kept',
  failures: true,
  counted: false,
} as const
export const withoutMetadata = { hex: false, normalized: false, media: false }

/** A token that a request specifies. */
export type NamedToken = { address: Address; tokenId: bigint }

/** Origins of all records, by one statement. */
export function readOrigins(
  { origins, chainId }: { origins: OriginQuery; chainId: bigint },
  records: readonly RecordParts[],
): Promise<TokenOrigin[]> {
  const requested = records.map(({ state, token }) => ({ state, hash: token.token_hash, holder: null }))
  return origins.tokens(chainId, requested)
}

/** The tokens that a request specifies, in its order, also unknown ones. */
export async function readNamed(options: {
  nft: NftQuery
  origins: OriginQuery
  chainId: bigint
  tokens: readonly NamedToken[]
  /** By contract. */
  snapshots: ReadonlyMap<Address, Snapshot>
  states: ReadonlyMap<Address, CollectionState | undefined>
}): Promise<ByteText[]> {
  const { nft, origins, chainId, tokens, snapshots, states } = options
  const requested = tokens.flatMap(({ address, tokenId }) => {
    const state = states.get(address)
    return state ? [{ state, address, tokenId }] : []
  })
  // In parallel: the statements are independent.
  const [found, from, facts] = await Promise.all([
    requested.length > 0 ? nft.tokens(requested, withMetadata) : undefined,
    origins.named(chainId, requested),
    readContractFacts({ origins, chainId }, states, { isNamed: true }),
  ])
  if (requested.length > 0 && !found) throw tooLong()
  const originOf = new Map(requested.map((token, i) => [nameOf(token.address, String(token.tokenId)), from[i]]))
  const writer = createNftWriter({ states, facts })
  const written = new Map(
    (found?.parts() ?? []).map((one) => {
      const name = nameOf(one.address, one.token.token_id)
      return [name, writer.nft(one, { origin: originOf.get(name) })]
    }),
  )
  const texts = tokens.map(
    (token) =>
      written.get(nameOf(token.address, String(token.tokenId))) ??
      writer.unknown(token, reasonOf(snapshots.get(token.address))),
  )
  // A token that is requested several times counts each time.
  if (written.size < texts.length && texts.reduce((sum, { length }) => sum + length, 0) > mostPageBytes) throw tooLong()
  return texts
}

const tooLong = () =>
  fault(
    'tokens',
    `contains tokens with more than ${mostPageBytes} bytes of metadata together; allowed: fewer tokens at once`,
  )

const nameOf = (address: Address, tokenId: string) => `${address} ${tokenId}`

/** Why nothing is known of a token. */
function reasonOf(snapshot: Snapshot | undefined): string {
  if (snapshot?.kind === 'nocode') return 'there is no contract at this address'
  if (snapshot?.state?.status === 'none') return 'the contract has no NFTs'
  const isSynced = snapshot?.report.at(performance.now()).status === 'SYNCED'
  return isSynced ? 'the token does not exist' : 'the contract is being indexed; retry later'
}
