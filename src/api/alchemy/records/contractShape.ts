import type { CollectionState } from '../../../nft/query.ts'
import type { Address } from '../../../util/hex.ts'
import { isCodeless } from '../../nft/collections/collections.ts'
import type { ContractFacts } from './readContractFacts.ts'

/**
 * OpenSea's fields of a contract, filled from `contractURI`, as OpenSea does; the other fields are null. OpenSea is not
 * queried.
 */
function openSeaMetadata(state: CollectionState | undefined, metadata: ContractFacts['metadata']) {
  return {
    floorPrice: null,
    collectionName: metadata?.name ?? null,
    collectionSlug: null,
    safelistRequestStatus: null,
    imageUrl: metadata?.image ?? null,
    description: metadata?.description ?? null,
    externalUrl: metadata?.externalLink ?? null,
    twitterUsername: null,
    discordUrl: null,
    imageBannerUrl: metadata?.bannerImage ?? null,
    bannerImageUrl: metadata?.bannerImage ?? null,
    lastIngestedAt: isoOf(state?.checkedAt ?? null),
  }
}

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

/** A contract in this dialect. `state` undefined: nothing is known of it yet; `facts` undefined: not read. */
export function contractShape(address: Address, state: CollectionState | undefined, facts?: ContractFacts) {
  const { deployment = null, metadata = null } = facts ?? {}
  return {
    address,
    name: state?.name ?? null,
    symbol: state?.symbol ?? null,
    totalSupply: supplyOf(state),
    tokenType: tokenTypeOf(state),
    contractDeployer: deployment?.deployer ?? null,
    deployedBlockNumber: deployment?.block == null ? null : Number(deployment.block),
    openSeaMetadata: openSeaMetadata(state, metadata),
    isSpam: state ? state.possibleSpam : null,
    spamClassifications: [] as string[],
  }
}

/** Number of existing tokens, if the contract is synced and only has ERC-721 tokens. */
function supplyOf(state: CollectionState | undefined): string | null {
  return state?.synced && state.standard === 'ERC721' && !state.mixed ? String(state.tokens) : null
}

function tokenTypeOf(state: CollectionState | undefined): string | null {
  if (!state) return null
  if (isCodeless(state)) return 'NOT_A_CONTRACT'
  if (state.status === 'none' && state.reason === null) return 'NO_SUPPORTED_NFT_STANDARD'
  // A contract without a known standard is still followed, as a later log may show one.
  return state.standard ?? (state.synced ? 'NO_SUPPORTED_NFT_STANDARD' : null)
}
