import type { OriginQuery } from '../../nft/originQuery.ts'
import type { CollectionState } from '../../nft/query.ts'
import type { WalletQuery, WholeWalletQuery } from '../../nft/walletQuery.ts'
import type { Address } from '../../util/hex.ts'
import type { WalletCoverage } from '../nft/wallets/answerWallet.ts'
import { readTokens, type TokenPlace } from '../nft/wallets/walletSource.ts'
import { keptTokens, originsOf, type WalletChoice } from './walletFilter.ts'

type WalletContract = { address: Address; state: CollectionState | undefined }

/** Most tokens of a wallet that one page of its contracts looks at. */
const mostLookedAt = 1_000

/** Above the hash of every token. */
const topHash = 'f'.repeat(32)

/** Where a contract is in the order of a wallet's contracts; null: it was removed meanwhile. */
export function placeOf({ scope }: WalletCoverage, { address, state }: WalletContract): string | null {
  if (scope === 'chain') return address
  return state ? String(state.id) : null
}

/** What a page of a wallet's contracts keeps: those with a token that is wanted. `looked`: of how many contracts it looked at the tokens, at least one. */
export async function keptContracts(options: {
  wallets: WalletQuery
  whole: WholeWalletQuery
  origins: OriginQuery
  coverage: WalletCoverage
  chainId: bigint
  wallet: Address
  contracts: readonly WalletContract[]
  keeps: NonNullable<WalletChoice['keeps']>
}): Promise<{ kept: ReadonlySet<Address>; looked: number }> {
  const { origins, coverage, chainId, wallet, contracts, keeps } = options
  const [first] = contracts
  if (!first) return { kept: new Set(), looked: 0 }
  const known = contracts.flatMap(({ state }) => state ?? [])
  const begin = placeOf(coverage, first)
  const after =
    begin === null
      ? null
      : ({ [coverage.scope === 'chain' ? 'contract' : 'collection']: begin, hash: topHash } as TokenPlace)
  const { found } = await readTokens(options, coverage.scope === 'indexed' ? { ...coverage, only: known } : coverage, {
    ...{ chainId, wallet, addresses: contracts.map(({ address }) => address), excludeSpam: false, asOf: null },
    ...{ after, limit: mostLookedAt, documents: null, order: 'contract', acquired: false },
  })
  const { held, next } = found
  const from = await originsOf(origins, coverage, { chainId, held })
  const wanted = await keptTokens(origins, chainId, { held, from, keeps })
  const kept = new Set(held.flatMap(({ address, hashes }) => hashes.map(() => address)).filter((_, i) => wanted[i]))
  if (next === null) return { kept, looked: contracts.length }
  // Of the last one there may be further tokens: it begins the next page, unless it alone fills this one.
  const last = held.at(-1)?.address ?? first.address
  const whole = contracts.findIndex(({ address }) => address === last)
  if (whole > 0) return { kept, looked: whole }
  if (keeps({ isSpam: first.state?.possibleSpam ?? false, isAirdrop: null })) kept.add(first.address)
  return { kept, looked: 1 }
}
