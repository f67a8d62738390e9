import type { CoveredCollection, WalletQuery } from '../../nft/walletQuery.ts'
import type { Address } from '../../util/hex.ts'
import type { Exchange } from '../http/route.ts'
import type { Telling } from '../pages/tellHead.ts'
import type { Collections } from './collections.ts'
import { collectionSnapshots } from './pages.ts'
import type { Told } from './tellCollection.ts'
import { tellNamed, type WalletTellings } from './tellWallets.ts'

/** What an answer on a wallet covers. */
export type AnswerCoverage = {
  telling: Telling<Told>
  /** The collections that it is restricted to; null: all of the chain. */
  only: CoveredCollection[] | null
}

export type AnswerCoverageOptions = { wallets: WalletQuery; tellings: WalletTellings; collections: Collections }

/**
 * Reads what an answer on a wallet covers, before what is answered is read: all collections of the chain, or those of the contracts that are
 * named, of which those that are not indexed yet are indexed from then on. Throws TooManyRequestsError where too many of these are queued.
 */
export async function readAnswerCoverage(
  { wallets, tellings, collections }: AnswerCoverageOptions,
  asked: { chainId: bigint; addresses: readonly Address[] | null; exchange: Exchange },
): Promise<AnswerCoverage> {
  const { chainId, addresses, exchange } = asked
  if (!addresses) return { telling: await tellings.read(chainId), only: null }
  const snapshots = await collectionSnapshots({ collections, chainId, addresses, exchange })
  return { telling: await tellNamed(wallets, snapshots), only: snapshots.flatMap(({ state }) => state ?? []) }
}
