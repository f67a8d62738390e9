import { type CollectionState, describeSkipped } from '../../../nft/query.ts'
import { headerSafe } from '../../http/answer.ts'

/** The x-index-… headers of a collection, except the age of the head. A block that is not known yet has no header. */
export function indexHeaders(state: CollectionState | undefined): string[] {
  const metadataProgress = state?.status === 'none' && state.synced ? '1' : String(state?.metadataProgress ?? 0)
  const headers = [
    ...['x-index-status', statusOf(state), 'x-index-progress', progressText(state)],
    ...['x-index-metadata-progress', metadataProgress, ...(state ? blockHeaders(state) : [])],
  ]
  if (!state) return headers
  const hasReason = (state.status === 'live' || state.status === 'syncing') && state.reason !== null
  if (state.status === 'failed' || hasReason) headers.push('x-index-failure', headerSafe(state.reason ?? 'not known'))
  const incomplete = describeSkipped(state.skipped)
  if (incomplete !== null) headers.push('x-index-incomplete', incomplete)
  return headers
}

/** The headers of the blocks that an answer covers. */
export function blockHeaders({
  fromBlock,
  toBlock,
  headBlock,
}: Pick<CollectionState, 'fromBlock' | 'toBlock' | 'headBlock'>): string[] {
  const headers: string[] = []
  if (fromBlock !== null) headers.push('x-index-from-block', String(fromBlock))
  if (toBlock !== null) headers.push('x-index-to-block', String(toBlock))
  if (headBlock !== null) headers.push('x-index-head-block', String(headBlock))
  if (toBlock !== null && headBlock !== null)
    headers.push('x-index-lag-blocks', String(headBlock > toBlock ? headBlock - toBlock : 0n))
  return headers
}

function statusOf(state: CollectionState | undefined): string {
  if (!state) return 'queued'
  if (state.status === 'live' || state.status === 'none') return state.synced ? 'synced' : 'syncing'
  if (state.status === 'nocode') return 'synced'
  return state.status
}

function progressText(state: CollectionState | undefined): string {
  if (!state) return '0'
  if (state.status === 'nocode') return '1'
  return String(Math.min(1, Math.max(0, Math.floor(state.progress * 10_000) / 10_000)))
}
