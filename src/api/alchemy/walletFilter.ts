import type { WalletFilter } from '../../nft/walletQuery.ts'
import { fault } from '../http/parseQuery.ts'
import type { filterNames } from './parameters.ts'

type Filters = readonly (typeof filterNames)[number][] | undefined

/** What a request about a wallet specifies about spam. Throws BadRequestError for what no list of this server distinguishes. */
export function spamFilter({
  excludeFilters,
  includeFilters,
}: {
  excludeFilters?: Filters
  includeFilters?: Filters
}): Pick<WalletFilter, 'excludeSpam' | 'onlySpam'> {
  for (const [name, filters] of [
    ['excludeFilters', excludeFilters] as const,
    ['includeFilters', includeFilters] as const,
  ])
    if (filters?.includes('AIRDROPS'))
      throw fault(
        name,
        'is AIRDROPS, which lists of this server do not know; allowed: SPAM, and isAirdropNFT for one token',
      )
  const onlySpam = includeFilters?.includes('SPAM') ?? false
  const excludeSpam = excludeFilters?.includes('SPAM') ?? false
  if (onlySpam && excludeSpam)
    throw fault('includeFilters', 'is SPAM, and so is excludeFilters; allowed: one of the two')
  return { excludeSpam, onlySpam }
}
