import type { CollectionState } from '../../nft/query.ts'

/** The x-index-… headers of a collection; a block that is not known yet has none. */
export function indexHeaders(state: CollectionState | undefined): string[] {
  const headers = ['x-index-status', statusOf(state), 'x-index-progress', progressText(state)]
  // Token metadata is not read yet, so none of it is missing.
  headers.push('x-index-metadata-progress', '1')
  if (!state) return headers
  const { fromBlock, toBlock, headBlock } = state
  if (fromBlock !== null) headers.push('x-index-from-block', String(fromBlock))
  if (toBlock !== null) headers.push('x-index-to-block', String(toBlock))
  if (headBlock !== null) headers.push('x-index-head-block', String(headBlock))
  if (toBlock !== null && headBlock !== null)
    headers.push('x-index-lag-blocks', String(headBlock > toBlock ? headBlock - toBlock : 0n))
  if (state.status === 'failed') headers.push('x-index-failure', headerSafe(state.reason ?? 'not known'))
  return headers
}

function statusOf(state: CollectionState | undefined): string {
  if (!state) return 'queued'
  if (state.status === 'live') return state.synced ? 'synced' : 'syncing'
  if (state.status === 'none' || state.status === 'nocode') return 'synced'
  return state.status
}

function progressText(state: CollectionState | undefined): string {
  if (!state) return '0'
  if (state.status === 'none' || state.status === 'nocode') return '1'
  return String(Math.min(1, Math.max(0, Math.floor(state.progress * 10_000) / 10_000)))
}

/** Nothing but printable ASCII may stand in a header. */
function headerSafe(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, '?').slice(0, 300)
}
