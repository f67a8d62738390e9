import { mostUnsynced, type NetworkState } from '../../coin/query.ts'
import { networkHeaders } from './networkHeaders.ts'

/**
 * What is told of a network as time goes by: that it is synced is withdrawn when its head is not confirmed for too long, without
 * anything being read or written. Times are of performance.now().
 */
export type TellNetwork = {
  /** The x-index-… headers but the age of the head. */
  at(now: number): readonly string[]
  /** When a source last confirmed the head; undefined where none did. */
  confirmedAt: number | undefined
}

/** `readAt`: before the state was read, so that the head is never younger than it is told. */
export function tellNetwork(state: NetworkState | undefined, configured: boolean, readAt: number): TellNetwork {
  const head = state?.head
  const confirmedAt = head ? readAt - head.ageMs : undefined
  const headers = networkHeaders(state, configured)
  if (!state?.synced || confirmedAt === undefined || head?.maxAgeMs == null) return { confirmedAt, at: () => headers }
  const { maxAgeMs } = head
  let withdrawn: readonly string[] | undefined
  return {
    confirmedAt,
    at(now) {
      if (now <= confirmedAt + maxAgeMs) return headers
      const old = { ...state, synced: false, progress: mostUnsynced, head: { ageMs: maxAgeMs + 1, maxAgeMs } }
      withdrawn ??= networkHeaders(old, configured)
      return withdrawn
    },
  }
}
