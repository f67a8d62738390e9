import type { Address, Hex } from '../util/hex.ts'
import type { ContractDocument } from './metadata/document/contractDocument.ts'
import type { AskedToken, CollectionState, HeldTokens, OriginBlock } from './query.ts'
import type { FollowedBlock, WholeWallet } from './walletQuery.ts'

/** A token whose origin is requested; `holder`: the owner whose time of acquisition is requested; null: none. */
export type OriginAsked = {
  state: Pick<CollectionState, 'partition' | 'id'>
  /** The token hash, 32 hex digits. */
  hash: string
  holder: Address | null
}

/** The origin of a token. */
export type TokenOrigin = {
  /** The earliest mint that is known, and who got the token by it. */
  mint: (OriginBlock & { minter: Address; transactionHash: Hex }) | null
  /** The last transfer by which the holder got pieces of it from somebody else; the first one to itself where there is no such. */
  acquired: OriginBlock | null
}

/** By whom and when a contract was deployed. */
export type Deployment = {
  /** Who sent the transaction that made it; null: another contract made it. */
  deployer: Address | null
  /** null: no node shows. */
  block: bigint | null
}

export type DeploymentAsked = {
  address: Address
  state: Pick<CollectionState, 'epoch' | 'partition' | 'id' | 'fromBlock'>
}

/** Reads facts that records do not hold. */
export type OriginQuery = {
  /** In the order requested. Times that are not stored are read from the nodes, and kept. */
  tokens(chainId: bigint, asked: readonly OriginAsked[]): Promise<TokenOrigin[]>
  /** The same of tokens that a request names, of nobody. */
  named(chainId: bigint, tokens: readonly AskedToken[]): Promise<TokenOrigin[]>
  /** The same of tokens of a page of a wallet, of each since when the wallet has it. */
  held(chainId: bigint, tokens: readonly HeldTokens[]): Promise<TokenOrigin[]>
  /** The same of tokens of a wallet over all contracts, of which its own transfers know more than tables of collections: `acquired` as the tokens have it. */
  ofWhole(chainId: bigint, wallet: WholeWallet, tokens: readonly HeldTokens[]): Promise<TokenOrigin[]>
  /**
   * Whether tokens were minted to somebody who did not send the transaction, in the order requested; null: no mint is known, or no node gives its
   * transaction now. Senders are read from the nodes once, and kept.
   */
  airdrops(
    chainId: bigint,
    asked: readonly (Pick<OriginAsked, 'state'> & Pick<TokenOrigin, 'mint'>)[],
  ): Promise<(boolean | null)[]>
  /**
   * In the order requested; null: not known within `waitMs`, while it is read on. With 0 nothing is read that is not known. Read from the nodes once, and
   * kept.
   */
  deployments(chainId: bigint, asked: readonly DeploymentAsked[], waitMs: number): Promise<(Deployment | null)[]>
  /**
   * What contracts say of their collections (ERC-7572), in the order requested; null: none is known within `waitMs`. With 0 none is requested that is not
   * known.
   */
  documents(asked: readonly Pick<DeploymentAsked, 'state'>[], waitMs: number): Promise<(ContractDocument | null)[]>
  /** The head of a chain that was last seen, and its last final block; null: no node was queried yet. */
  blocks(chainId: bigint): Promise<{ head: bigint | null; finalized: bigint | null }>
  /** The time of a block that a chain is followed to; null: not known any more. */
  timeOf(chainId: bigint, block: FollowedBlock): Promise<Date | null>
}
