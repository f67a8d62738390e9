import { MintmarkError } from '../../../util/errors.ts'
import type { Address, Hex } from '../../../util/hex.ts'

/** State of one contract at one block from one node. null: the call reverts, or its result does not follow the standard. */
export type StateReader = {
  /** Host of the node. */
  node: string
  /**
   * The hash of the block, and whether the contract has code in its state. Throws StateUnavailableError if the node does not have the block or its
   * state.
   */
  anchor(signal?: AbortSignal): Promise<{ hash: Hex; hasCode: boolean }>
  /** The hash of block 0. */
  genesis(signal?: AbortSignal): Promise<Hex>
  /** ownerOf of each id; the zero address is null too. */
  owners(ids: readonly bigint[], signal?: AbortSignal): Promise<(Address | null)[]>
  /** balanceOf(holder, id) of ERC-1155. */
  balances(holdings: readonly Holding[], signal?: AbortSignal): Promise<(bigint | null)[]>
  /** totalSupply() of an ERC-721 contract that reports Enumerable by ERC-165; null for others. */
  supply(signal?: AbortSignal): Promise<bigint | null>
  /** totalSupply(id) of ERC1155Supply. */
  supplies(ids: readonly bigint[], signal?: AbortSignal): Promise<(bigint | null)[]>
  /** tokenByIndex of ERC721Enumerable. */
  tokensByIndex(indices: readonly bigint[], signal?: AbortSignal): Promise<(bigint | null)[]>
  /** tokenURI or uri as it is stored: bounded, without NUL. */
  tokenUris(standard: 'ERC721' | 'ERC1155', ids: readonly bigint[], signal?: AbortSignal): Promise<(string | null)[]>
}

export type Holding = { holder: Address; tokenId: bigint }

/** A node does not have a block, or its state. */
export class StateUnavailableError extends MintmarkError {
  readonly code = 'STATE_UNAVAILABLE'
}
