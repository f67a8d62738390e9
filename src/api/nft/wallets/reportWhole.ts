import type { WholeState } from '../../../nft/walletQuery.ts'
import { headerSafe } from '../../http/answer.ts'
import { reportHead } from '../../pages/reportHead.ts'
import { blockHeaders } from '../collections/indexHeaders.ts'
import { type ReportedStatus, withdrawn } from '../collections/reportCollection.ts'
import type { WalletReport } from './reportWallets.ts'

/** The report of an answer over collections, with its scope. */
export function withScope(report: WalletReport): WalletReport {
  return {
    ...report,
    at(now) {
      const { status, headers } = report.at(now)
      return { status, headers: [...headers, 'x-index-scope', 'indexed'] }
    },
  }
}

/**
 * Headers of an answer about a wallet over all contracts; undefined: the wallet was just queued. `readAt`: a time
 * before the state was read.
 */
export function reportWhole(state: WholeState | undefined, readAt: number): WalletReport {
  const reported = (shown: WholeState | undefined): ReportedStatus => ({
    status: shown?.synced ? 'SYNCED' : 'SYNCING',
    headers: ['x-index-scope', 'chain', ...headersOf(shown)],
  })
  const report = reportHead({
    ...{ head: state?.head, readAt, reported: reported(state) },
    withdraw: state?.synced ? (maxAgeMs) => reported(withdrawn(state, maxAgeMs)) : undefined,
  })
  return { ...report, block: state?.block ?? null }
}

function headersOf(state: WholeState | undefined): string[] {
  if (!state) return ['x-index-status', 'queued', 'x-index-progress', '0']
  const { reason } = state
  const headers = [
    ...['x-index-status', statusOf(state), 'x-index-progress', String(state.progress)],
    ...blockHeaders(state),
  ]
  if (reason !== null) headers.push('x-index-failure', headerSafe(reason))
  const incomplete = describeIncomplete(state)
  if (incomplete !== null) headers.push('x-index-incomplete', incomplete)
  return headers
}

function statusOf({ status, synced }: WholeState): string {
  if (synced) return 'synced'
  if (status === 'queued' || status === 'idle') return 'queued'
  return status === 'failed' || status === 'full' ? 'failed' : 'syncing'
}

/** Omissions of a wallet with reasons, as one line of ASCII; null: none. */
function describeIncomplete({ status, oversizedLogs }: WholeState): string | null {
  const parts = []
  if (oversizedLogs > 0n) parts.push(`${oversizedLogs} logs with more than 100000 tokens each`)
  if (status === 'full')
    parts.push('all blocks after x-index-to-block, as the wallet has more transfers than wallets.maxTransfers')
  return parts.length === 0 ? null : `omitted: ${parts.join(', ')}`
}
