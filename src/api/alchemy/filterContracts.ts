import type { OriginQuery } from '../../nft/originQuery.ts'
import type { CollectionState } from '../../nft/query.ts'
import type { WalletQuery, WholeWalletQuery } from '../../nft/walletQuery.ts'
import type { Address } from '../../util/hex.ts'
import type { WalletCoverage } from '../nft/wallets/answerWallet.ts'
import { readTokens, type TokenPlace } from '../nft/wallets/walletSource.ts'
import { filterTokens, originsOf, type WalletChoice } from './walletFilter.ts'

type WalletContract = { address: Address; state: CollectionState | undefined }

/** Most tokens that one page of a wallet's contracts reads. */
const mostLookedAt = 1_000

/** Above the hash of every token. */
const topHash = 'f'.repeat(32)

/** Position of a contract in the order of a wallet's contracts; null: it was removed meanwhile. */
export function placeOf({ scope }: WalletCoverage, { address, state }: WalletContract): string | null {
  if (scope === 'chain') return address
  return state ? String(state.id) : null
}

/**
 * The contracts of a page that have a wanted token. `looked`: the number of contracts whose tokens were read, at least
 * one.
 */
export async function filterContracts(options: {
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
  // A copy, as the answer is of the moment of its contracts.
  const ofContracts = coverage.scope === 'indexed' ? { ...coverage, only: known } : { ...coverage }
  const { found } = await readTokens(options, ofContracts, {
    ...{ chainId, wallet, addresses: contracts.map(({ address }) => address), excludeSpam: false, asOf: null },
    ...{ after, limit: mostLookedAt, metadata: null, order: 'contract', acquired: false },
  })
  const { held, next } = found
  const from = await originsOf(origins, coverage, { chainId, held })
  const wanted = await filterTokens(origins, chainId, { held, from, keeps })
  const kept = new Set(held.flatMap(({ address, hashes }) => hashes.map(() => address)).filter((_, i) => wanted[i]))
  if (next === null) return { kept, looked: contracts.length }
  // The last contract may have further tokens. So it begins the next page, unless it is the only one of this page.
  const last = held.at(-1)?.address ?? first.address
  const whole = contracts.findIndex(({ address }) => address === last)
  if (whole > 0) return { kept, looked: whole }
  if (keeps({ isSpam: first.state?.possibleSpam ?? false, isAirdrop: null })) kept.add(first.address)
  return { kept, looked: 1 }
}
