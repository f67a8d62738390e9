import { inconsistencyOf, type NetworkState } from '../../coin/query.ts'
import { headerSafe } from '../http/answer.ts'

/**
 * The x-index-… headers of a network. The age of its head is added to each answer. A version that is not known yet has
 * no header.
 */
export function networkHeaders(state: NetworkState | undefined, configured: boolean): string[] {
  const status = configured ? statusOf(state) : 'unconfigured'
  const headers = ['x-index-status', status, 'x-index-progress', String(state?.progress ?? 0)]
  if (!state) return headers
  const { fromVersion, toVersion, headVersion, imports, failure } = state
  headers.push('x-index-from-version', String(fromVersion))
  if (toVersion !== null) headers.push('x-index-to-version', String(toVersion))
  if (headVersion !== null) headers.push('x-index-head-version', String(headVersion))
  if (toVersion !== null && headVersion !== null)
    headers.push('x-index-lag-versions', String(headVersion > toVersion ? headVersion - toVersion : 0n))
  if (imports > 0n) headers.push('x-index-imported', String(imports))
  const reason = failure ?? inconsistencyOf(state)
  if (reason !== null) headers.push('x-index-failure', headerSafe(reason))
  return headers
}

function statusOf(state: NetworkState | undefined): string {
  if (state && state.failure !== null) return 'failed'
  if (!state || state.headVersion === null) return 'queued'
  return state.synced ? 'synced' : 'syncing'
}
