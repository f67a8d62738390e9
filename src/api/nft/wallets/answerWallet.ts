import type { WalletDemand } from '../../../nft/demand.ts'
import type { WholeState, WholeWalletQuery } from '../../../nft/walletQuery.ts'
import { rejectBurnAddress } from '../../../util/burnAddresses.ts'
import type { Address } from '../../../util/hex.ts'
import type { Exchange } from '../../http/route.ts'
import type { ApiChain } from '../chains.ts'
import { type AnswerCoverage, type AnswerCoverageOptions, answerCovered, whileFollowed } from './answerCoverage.ts'
import { reportWhole, withScope } from './reportWhole.ts'

export type AnswerWalletOptions = AnswerCoverageOptions & { whole: WholeWalletQuery; walletDemand: WalletDemand }

/**
 * Coverage of an answer about a wallet. `whole`: the wallet over all contracts of the chain; undefined: nothing is
 * known of it yet.
 */
export type WalletCoverage =
  | (AnswerCoverage & { scope: 'indexed' })
  | (Pick<AnswerCoverage, 'report'> & { scope: 'chain'; whole: WholeState | undefined })

/** Coverage of a wallet over all contracts. `readAt`: a time before the state was read. */
export function wholeCoverage(state: WholeState | undefined, readAt: number): WholeCoverage {
  return { report: reportWhole(state, readAt), scope: 'chain', whole: state }
}

type WholeCoverage = Extract<WalletCoverage, { scope: 'chain' }>

/** Whether a wallet is queued or followed, and was requested lately. If not, it has to be requested. */
const isRequested = (state: WholeState | undefined): state is WholeState =>
  state !== undefined && state.status !== 'idle' && !state.isRequestedLongAgo

/**
 * Calls `answer` for a wallet: over all contracts if the chain's scope is `chain`, else as `answerCovered`. The first
 * request queues the wallet, also after a long time. Throws TooManyRequestsError if too many wallets are queued.
 */
export async function answerWallet<T>(
  options: AnswerWalletOptions,
  requested: {
    chain: ApiChain
    wallet: Address
    /** The parameter with the address; default: wallet. */
    name?: string
    addresses: readonly Address[] | null
    exchange: Exchange
    /** `answer` reads a page that brings the coverage (`readTokens`, `readCollections`). Then an earlier state of the wallet is enough before. */
    coveredByPage?: boolean
    /** `answer` reads facts of blocks besides this page. So it is repeated if a reorg removed the block of the coverage meanwhile. */
    readsMore?: boolean
  },
  answer: (coverage: WalletCoverage) => Promise<T>,
): Promise<T> {
  const { chain, wallet, addresses, exchange } = requested
  const chainId = chain.id
  if (chain.wallets !== 'chain')
    return answerCovered(options, { chainId, addresses, exchange }, (coverage) =>
      answer({ ...coverage, report: withScope(coverage.report), scope: 'indexed' }),
    )
  rejectBurnAddress(wallet, requested.name)
  const { whole } = options
  const last = requested.coveredByPage ? whole.lastState(chainId, wallet) : undefined
  if (isRequested(last)) {
    const coverage: WholeCoverage = wholeCoverage(last, performance.now())
    const answered = await answer(coverage)
    const { block } = coverage.report
    const isChecked = requested.readsMore && block !== null
    const isFollowed = !isChecked || (await options.wallets.isFollowed(chainId, block))
    if (isFollowed && isRequested(coverage.whole)) return answered
  }
  return whileFollowed({
    wallets: options.wallets,
    chainId,
    async read() {
      const { state, readAt } = await readState(options, { chainId, wallet, exchange })
      return wholeCoverage(state, readAt)
    },
    answer,
  })
}

/** The state of a wallet. The first request queues the wallet, also after a long time. */
async function readState(
  { whole, walletDemand }: AnswerWalletOptions,
  { chainId, wallet, exchange }: { chainId: bigint; wallet: Address; exchange: Exchange },
) {
  const readAt = performance.now()
  const known = await whole.state(chainId, wallet)
  if (isRequested(known)) return { state: known, readAt }
  await walletDemand.request(chainId, wallet, exchange.key?.id ?? 0n)
  return { readAt: performance.now(), state: await whole.state(chainId, wallet) }
}
