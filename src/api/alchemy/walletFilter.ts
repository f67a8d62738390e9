import type { OriginQuery, TokenOrigin } from '../../nft/originQuery.ts'
import type { HeldTokens } from '../../nft/query.ts'
import type { WholeFilter } from '../../nft/walletQuery.ts'
import { fault } from '../http/parseQuery.ts'
import type { WalletCoverage } from '../nft/wallets/answerWallet.ts'
import type { FoundTokens } from '../nft/wallets/walletSource.ts'
import type { filterNames } from './parameters.ts'

type Filters = readonly (typeof filterNames)[number][] | undefined

/** The selection of a request by spam and airdrops. */
export type WalletChoice = {
  /** Filter of queries. */
  spam: Pick<WholeFilter, 'excludeSpam' | 'onlySpam' | 'bySpam'>
  /** Whether a token is wanted; `isAirdrop` null: unknown. null: the selection does not depend on airdrops. */
  keeps: ((token: { isSpam: boolean; isAirdrop: boolean | null }) => boolean) | null
  /** The same text for requests with the same meaning. */
  name: string
}

/** A token is wanted if it is in no filter of `excludeFilters`, and in one of `includeFilters` where there are any. Throws BadRequestError. */
export function walletChoice(query: { excludeFilters?: Filters; includeFilters?: Filters }): WalletChoice {
  const exclude = new Set(query.excludeFilters)
  const include = new Set(query.includeFilters)
  for (const filter of include)
    if (exclude.has(filter))
      throw fault('includeFilters', `is ${filter}, and so is excludeFilters; allowed: one of the two`)
  const onlySpam = include.has('SPAM') && !include.has('AIRDROPS')
  const name = JSON.stringify([[...exclude].toSorted(), [...include].toSorted()])
  const spam = { excludeSpam: exclude.has('SPAM'), onlySpam, bySpam: include.has('SPAM') }
  if (exclude.has('AIRDROPS')) return { spam, name, keeps: ({ isAirdrop }) => isAirdrop !== true }
  if (!include.has('AIRDROPS')) return { spam, name, keeps: null }
  const orSpam = include.has('SPAM')
  return { spam, name, keeps: ({ isSpam, isAirdrop }) => isAirdrop === true || (orSpam && isSpam) }
}

/** Throws BadRequestError if an answer over indexed collections only is requested in transfer order. */
export function rejectOrderOf({ scope }: WalletCoverage): void {
  if (scope === 'indexed') throw fault('orderBy', 'is transferTime; allowed: only where x-index-scope is chain')
}

/** Origins of the tokens of a wallet's page, in their order. */
export function originsOf(
  origins: OriginQuery,
  coverage: WalletCoverage,
  { chainId, held }: { chainId: bigint; held: FoundTokens['held'] },
): Promise<TokenOrigin[]> {
  if (coverage.scope === 'indexed' || !coverage.whole) return origins.held(chainId, held)
  return origins.ofWhole(chainId, coverage.whole, held)
}

/** Whether each of these tokens is wanted. `from`: their origins. */
export async function filterTokens(
  origins: OriginQuery,
  chainId: bigint,
  {
    held,
    from,
    keeps,
  }: { held: readonly HeldTokens[]; from: readonly TokenOrigin[]; keeps: NonNullable<WalletChoice['keeps']> },
): Promise<boolean[]> {
  const states = held.flatMap(({ state, hashes }) => hashes.map(() => state))
  const airdrops = await origins.airdrops(
    chainId,
    states.map((state, i) => ({ state, mint: from[i]!.mint })),
  )
  return airdrops.map((isAirdrop, i) => keeps({ isSpam: states[i]!.possibleSpam, isAirdrop }))
}
