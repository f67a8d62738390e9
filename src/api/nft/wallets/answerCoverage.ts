import type { CoveredCollection, WalletQuery } from '../../../nft/walletQuery.ts'
import type { Address } from '../../../util/hex.ts'
import type { Exchange } from '../../http/route.ts'
import type { Collections } from '../collections/collections.ts'
import { collectionSnapshots } from '../pages.ts'
import { reportNamed, type WalletReport, type WalletReports } from './reportWallets.ts'

/** Coverage of an answer about a wallet. */
export type AnswerCoverage = {
  report: WalletReport
  /** The covered collections; null: all of the chain. */
  only: CoveredCollection[] | null
}

export type AnswerCoverageOptions = { wallets: WalletQuery; reports: WalletReports; collections: Collections }

/** Most attempts while a chain keeps reorganising; then headers may report blocks that the records no longer have. */
const mostReads = 4

/**
 * Calls `answer` with its coverage: all collections of the chain, or those of the given contracts. Starts indexing
 * unindexed contracts. Reads the coverage before `answer`, and repeats both if a reorg undid blocks meanwhile. Throws
 * TooManyRequestsError if too many contracts are queued.
 */
export async function answerCovered<T>(
  { wallets, reports, collections }: AnswerCoverageOptions,
  requested: { chainId: bigint; addresses: readonly Address[] | null; exchange: Exchange },
  answer: (coverage: AnswerCoverage) => Promise<T>,
): Promise<T> {
  const { chainId, addresses, exchange } = requested
  async function read(): Promise<AnswerCoverage> {
    if (!addresses) return { report: await reports.read(chainId), only: null }
    const snapshots = await collectionSnapshots({ collections, chainId, addresses, exchange })
    return { report: await reportNamed(wallets, snapshots), only: snapshots.flatMap(({ state }) => state ?? []) }
  }
  return whileFollowed({ wallets, chainId, read, answer }, () => {
    reports.forget(chainId)
    for (const address of addresses ?? []) collections.get(chainId, address).recent.forget()
  })
}

/** Calls `answer` with the result of `read`; calls `forget` and repeats both if a reorg undid blocks meanwhile. */
export async function whileFollowed<C extends { report: WalletReport }, T>(
  options: {
    wallets: Pick<WalletQuery, 'isFollowed'>
    chainId: bigint
    read: () => Promise<C>
    answer: (coverage: C) => Promise<T>
  },
  forget: () => void = () => undefined,
): Promise<T> {
  const { wallets, chainId, read, answer } = options
  for (let attempt = 1; ; attempt++) {
    const coverage = await read()
    const given = await answer(coverage)
    const { block } = coverage.report
    if (block === null || attempt === mostReads || (await wallets.isFollowed(chainId, block))) return given
    forget()
  }
}
