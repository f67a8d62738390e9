import type { Address, Hex } from '../util/hex.ts'
import type { ContractMetadataJson } from './metadata/parse/parseContractMetadata.ts'
import type { CollectionState, HeldTokens, OriginBlock, RequestedToken } from './query.ts'
import type { FollowedBlock, WholeWallet } from './walletQuery.ts'

/** A token with a requested origin; `holder`: the owner with a requested acquisition time; null: none. */
export type OriginRequest = {
  state: Pick<CollectionState, 'partition' | 'id'>
  /** The token hash, 32 hex digits. */
  hash: string
  holder: Address | null
}

/** The origin of a token. */
export type TokenOrigin = {
  /** The earliest known mint, and its recipient. */
  mint: (OriginBlock & { minter: Address; transactionHash: Hex }) | null
  /** The last transfer by which the holder got tokens from somebody else; without one, the first to itself. */
  acquired: OriginBlock | null
}

/** Deployer and block of a contract. */
export type Deployment = {
  /** Sender of the deploying transaction; null: another contract deployed it. */
  deployer: Address | null
  /** null: no node returns it. */
  block: bigint | null
}

export type DeploymentRequest = {
  address: Address
  state: Pick<CollectionState, 'epoch' | 'partition' | 'id' | 'fromBlock'>
}

/** `isNamed`: the request names the contracts, and waits for unknown facts, at most 2 s. Otherwise it only shows the contracts, and waits at most 200 ms. */
export type FactOptions = { isNamed: boolean }

/** Reads facts that are not in records. */
export type OriginQuery = {
  /** In the requested order. Missing times are read from nodes and stored. */
  tokens(chainId: bigint, requested: readonly OriginRequest[]): Promise<TokenOrigin[]>
  /** The same for tokens that a request specifies, without a holder. */
  named(chainId: bigint, tokens: readonly RequestedToken[]): Promise<TokenOrigin[]>
  /** The same for tokens of a wallet's page, with the time of acquisition. */
  held(chainId: bigint, tokens: readonly HeldTokens[]): Promise<TokenOrigin[]>
  /** The same for a wallet over all contracts, whose own transfers have more facts than tables of collections: `acquired` as in the tokens. */
  ofWhole(chainId: bigint, wallet: WholeWallet, tokens: readonly HeldTokens[]): Promise<TokenOrigin[]>
  /**
   * Whether tokens were minted to somebody other than the sender, in the requested order; null: no mint is known, or no node returns its transaction
   * now. Senders are read from nodes once and stored.
   */
  airdrops(
    chainId: bigint,
    requested: readonly (Pick<OriginRequest, 'state'> & Pick<TokenOrigin, 'mint'>)[],
  ): Promise<(boolean | null)[]>
  /** In the requested order; null: not known yet. Read from nodes once and stored. */
  deployments(
    chainId: bigint,
    requested: readonly DeploymentRequest[],
    options: FactOptions,
  ): Promise<(Deployment | null)[]>
  /** Metadata of contracts (ERC-7572), in the requested order; null: not known yet. */
  metadata(
    requested: readonly Pick<DeploymentRequest, 'state'>[],
    options: FactOptions,
  ): Promise<(ContractMetadataJson | null)[]>
  /** The last seen head of a chain, and its last final block; null: no node was queried yet. */
  blocks(chainId: bigint): Promise<{ head: bigint | null; finalized: bigint | null }>
  /** The time of a chain's followed block; null: not stored any more. */
  timeOf(chainId: bigint, block: FollowedBlock): Promise<Date | null>
}
