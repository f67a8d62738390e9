import type { ContractIdentity } from './contract.ts'

/** What the last argument of a Transfer or Approval means where it is not indexed. */
export type UnindexedMeaning = 'tokenId' | 'amount'

/**
 * What that argument means by a contract's identity; undefined where only its tokens can tell (`ContractReader.hasToken`). Decimals
 * above zero are those of a coin, also where the contract lists tokens too (ERC-404), as its token ids are indexed. A contract
 * without code cannot be asked, and most logs of this shape are of coins.
 */
export function unindexedMeaning({
  hasCode,
  standard,
  decimals = 0,
}: Pick<ContractIdentity, 'hasCode' | 'standard' | 'decimals'>): UnindexedMeaning | undefined {
  if (!hasCode || standard === 'ERC1155' || decimals > 0) return 'amount'
  return standard === 'ERC721' ? 'tokenId' : undefined
}
