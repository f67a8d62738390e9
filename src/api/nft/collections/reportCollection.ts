import { type CollectionState, unconfirmed } from '../../../nft/query.ts'
import { headersNow } from '../../http/pageTarget.ts'
import { reportHead, type StatusReport } from '../../pages/reportHead.ts'
import { indexHeaders } from './indexHeaders.ts'

/** Sync status in an answer. */
export type ReportedStatus = {
  status: 'SYNCED' | 'SYNCING'
  /** The x-index-… headers, except the age of the head, which is computed for each answer. */
  headers: readonly string[]
}

/** SYNCED is withdrawn when the head was not confirmed recently. */
export type CollectionReport = StatusReport<ReportedStatus>

/** The x-index-… headers at this moment. */
export function reportedNow(report: CollectionReport): readonly string[] {
  return headersNow({ headers: report.at(performance.now()).headers, confirmedAt: report.confirmedAt })
}

/** A synced state whose head was not confirmed recently. */
export function withdrawn<S extends { reason: string | null }>(state: S, maxAgeMs: number) {
  return { ...state, synced: false, progress: 0.999, reason: state.reason ?? unconfirmed(maxAgeMs) }
}

/** `readAt`: a time before the state was read. */
export function reportCollection(state: CollectionState | undefined, readAt: number): CollectionReport {
  const isSynced = state?.synced === true
  const reported: ReportedStatus = { status: isSynced ? 'SYNCED' : 'SYNCING', headers: indexHeaders(state) }
  const withdraw = (maxAgeMs: number): ReportedStatus => ({
    status: 'SYNCING',
    headers: indexHeaders(state && withdrawn(state, maxAgeMs)),
  })
  // `none` does not depend on the head's age.
  const hangsOnHead = isSynced && state.status !== 'none'
  return reportHead({ head: state?.head, readAt, reported, withdraw: hangsOnHead ? withdraw : undefined })
}
