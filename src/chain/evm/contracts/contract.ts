import type { Address } from '../../../util/hex.ts'

/** Properties of a contract. Texts are bounded, without NUL and lone surrogates, but may otherwise be hostile. */
export type ContractIdentity = {
  /** False: no code. */
  hasCode: boolean
  /** By ERC-165; undefined if the contract reports neither, ERC1155 if it reports both. */
  standard: 'ERC721' | 'ERC1155' | undefined
  /** Result of decimals() as in ERC-20; omitted if it is not a one-byte number. */
  decimals?: number
  name: string | null
  symbol: string | null
}

/**
 * The state that is queried: of the node's head, or of `block`. `since`: a block with logs of the contract. A node that lags behind it knows neither a
 * contract deployed there nor its tokens.
 */
export type StateOptions = { block?: bigint; since?: bigint; signal?: AbortSignal | undefined }

/** Reads contracts: by multicall if it is deployed, otherwise by batched eth_call, each call with a gas limit. */
export type ContractReader = {
  identify(address: Address, options?: StateOptions): Promise<ContractIdentity>
  /**
   * The block in which the code appeared, by bisection of eth_getCode; undefined if the node keeps no old state. Only for a contract with code at the
   * head. `within`: an earlier block is accepted if the code appeared within this many blocks from it, by the number of blocks above it. `newer`: a later
   * head, for a contract without code at `head`. `onFound` gets the block before it is certain that earlier blocks have no logs of the address.
   */
  deploymentBlock(
    address: Address,
    head: bigint,
    options?: {
      newer?: Promise<bigint>
      within?: (above: bigint) => bigint
      onFound?: (block: bigint) => void
      signal?: AbortSignal
    },
  ): Promise<bigint | undefined>
  /** Whether an address without code at the head ever was a contract with logs, as far as the node can show at a limited cost. */
  wasContract(address: Address, head: bigint, signal?: AbortSignal): Promise<boolean>
  /**
   * Whether one of these is a token id: `ownerOf` returns an owner for it, but none for a random id. A contract that answers every call fails the
   * second test. At most 100 ids are queried.
   */
  hasToken(address: Address, ids: readonly bigint[], options?: StateOptions): Promise<boolean>
  /**
   * tokenURI or uri of each id, in order. `since`: a block that has the tokens; answers of a node that lags behind it are ignored. `answerBudget`: bytes of
   * answers after which no more ids are queried; then only the first ids are answered, at least one.
   */
  tokenUris(
    address: Address,
    standard: 'ERC721' | 'ERC1155',
    ids: readonly bigint[],
    options?: { since?: bigint | undefined; answerBudget?: number; signal?: AbortSignal },
  ): Promise<(string | NoUri)[]>
  /** contractURI() of ERC-7572; `since` as in `tokenUris`. */
  contractUri(address: Address, options?: { since?: bigint | undefined; signal?: AbortSignal }): Promise<string | NoUri>
}

/** A token or a contract without a URI. `lasting`: answers agree that it has none; otherwise a later call may return one. */
export type NoUri = { lasting: boolean; reason: string }

/** The meaning of the last argument of a Transfer or Approval if it is not indexed. */
export type UnindexedMeaning = 'tokenId' | 'amount'

/**
 * The meaning of that argument by a contract's identity; undefined if only its tokens can decide (`ContractReader.hasToken`). A contract with
 * decimals above zero is a coin, even if it lists tokens (ERC-404), as its token ids are indexed. A contract without code cannot be queried, and most
 * logs of this shape are of coins.
 */
export function unindexedMeaning({
  hasCode,
  standard,
  decimals = 0,
}: Pick<ContractIdentity, 'hasCode' | 'standard' | 'decimals'>): UnindexedMeaning | undefined {
  if (!hasCode || standard === 'ERC1155' || decimals > 0) return 'amount'
  return standard === 'ERC721' ? 'tokenId' : undefined
}
