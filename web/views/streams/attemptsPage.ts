import { get } from '../../api/apiCall.ts'

/** The latest attempts of a stream: the ledger and the chart of latencies share one request. */
export function attemptsPage(streamId: string, cursor?: string) {
  return get('/history/logs', { query: { streamId, limit: 100, cursor } })
}
