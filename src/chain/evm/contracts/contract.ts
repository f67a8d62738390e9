import type { Address } from '../../../util/hex.ts'

/** Properties of a contract at the head. Its texts are bounded and without NUL and lone surrogates; all else in them may be hostile. */
export type ContractIdentity = {
  /** False: no code at the head. */
  hasCode: boolean
  /** By ERC-165; undefined if the contract does not say, ERC1155 where it claims both. */
  standard: 'ERC721' | 'ERC1155' | undefined
  /** What decimals() gave, ERC-20 style; omitted if that is no number of one byte. */
  decimals?: number
  name: string | null
  symbol: string | null
}

/** Reads of contracts: multicall where it is deployed, batched eth_call where not, each call with a gas cap. */
export type ContractReader = {
  identify(address: Address, signal?: AbortSignal): Promise<ContractIdentity>
  /**
   * The block in which the code appeared, by bisection of eth_getCode; undefined if the node keeps no old state. Only for a contract that has
   * code at the head. `within`: a block before it is good enough, if the code appeared in one of so many blocks from there on.
   */
  deploymentBlock(
    address: Address,
    head: bigint,
    options?: { within?: bigint; signal?: AbortSignal },
  ): Promise<bigint | undefined>
  /** Whether an address without code at the head ever was a contract with logs, as well as the node can show at a bounded cost. */
  wasContract(address: Address, head: bigint, signal?: AbortSignal): Promise<boolean>
  /**
   * Whether one of these is the id of a token: `ownerOf` gives it an owner, and gives none to an id that nobody chose, as a
   * contract does that answers every call. At most 100 ids are queried. `block`: the block whose state is queried; the head if omitted.
   */
  hasToken(
    address: Address,
    ids: readonly bigint[],
    options?: { block?: bigint; signal?: AbortSignal | undefined },
  ): Promise<boolean>
  /**
   * tokenURI or uri of each id, in order. `since`: a block that has the tokens; answers of a node that lags behind it do not count.
   * `room`: bytes of answers after which no more ids are queried; then the first ids are answered, one at least.
   */
  tokenUris(
    address: Address,
    standard: 'ERC721' | 'ERC1155',
    ids: readonly bigint[],
    options?: { since?: bigint | undefined; room?: number; signal?: AbortSignal },
  ): Promise<(string | NoUri)[]>
  /** contractURI() of ERC-7572; `since` as in `tokenUris`. */
  contractUri(address: Address, options?: { since?: bigint | undefined; signal?: AbortSignal }): Promise<string | NoUri>
}

/** A token or a contract without a URI. `lasting`: answers agree that it has none; else a later call may give one. */
export type NoUri = { lasting: boolean; reason: string }

/** What the last argument of a Transfer or Approval means where it is not indexed. */
export type UnindexedMeaning = 'tokenId' | 'amount'

/**
 * The meaning of that argument by a contract's identity; undefined if only its tokens can decide (`ContractReader.hasToken`). A contract with
 * decimals above zero is a coin, also if it lists tokens (ERC-404), as its token ids are indexed. A contract without code cannot be queried, and
 * most logs of this shape are of coins.
 */
export function unindexedMeaning({
  hasCode,
  standard,
  decimals = 0,
}: Pick<ContractIdentity, 'hasCode' | 'standard' | 'decimals'>): UnindexedMeaning | undefined {
  if (!hasCode || standard === 'ERC1155' || decimals > 0) return 'amount'
  return standard === 'ERC721' ? 'tokenId' : undefined
}
