import type { Deployment } from '../../nft/originQuery.ts'
import type { CollectionState } from '../../nft/query.ts'
import type { Address } from '../../util/hex.ts'

/** OpenSea's facts of a contract. Nobody asks OpenSea here, so all but the time are null. */
function openSeaMetadata(state: CollectionState | undefined) {
  return {
    floorPrice: null,
    collectionName: null,
    collectionSlug: null,
    safelistRequestStatus: null,
    imageUrl: null,
    description: null,
    externalUrl: null,
    twitterUsername: null,
    discordUrl: null,
    bannerImageUrl: null,
    lastIngestedAt: isoOf(state?.checkedAt ?? null),
  }
}

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

/** A contract in this dialect. `state` undefined: nothing is known of it yet; `deployment` null: it was not read. */
export function contractShape(
  address: Address,
  state: CollectionState | undefined,
  deployment: Deployment | null = null,
) {
  return {
    address,
    name: state?.name ?? null,
    symbol: state?.symbol ?? null,
    totalSupply: supplyOf(state),
    tokenType: tokenTypeOf(state),
    contractDeployer: deployment?.deployer ?? null,
    deployedBlockNumber: deployment?.block == null ? null : Number(deployment.block),
    openSeaMetadata: openSeaMetadata(state),
    isSpam: state ? state.possibleSpam : null,
    spamClassifications: [] as string[],
  }
}

/** Tokens in existence, of a contract of which all are known and counted one by one. */
function supplyOf(state: CollectionState | undefined): string | null {
  return state?.synced && state.standard === 'ERC721' && !state.mixed ? String(state.tokens) : null
}

function tokenTypeOf(state: CollectionState | undefined): string | null {
  if (!state) return null
  if (state.status === 'nocode') return 'NOT_A_CONTRACT'
  if (state.status === 'none' && state.reason === null) return 'NO_SUPPORTED_NFT_STANDARD'
  return state.standard
}
