import { type CollectionState, unconfirmed } from '../../nft/query.ts'
import { headersNow } from '../pageTarget.ts'
import { indexHeaders } from './indexHeaders.ts'

/** How a collection is told of at one moment. */
export type Told = {
  status: 'SYNCED' | 'SYNCING'
  /** The x-index-… headers but the age of the head, which is of the answer's own moment. */
  headers: readonly string[]
}

/**
 * What is told of a collection as time goes by: SYNCED is withdrawn when the head is not confirmed for too long, without anything
 * being read or written. Times are of performance.now().
 */
export type TellCollection = {
  at(now: number): Told
  /** When a node last confirmed the head of the chain; undefined where none did. */
  confirmedAt: number | undefined
}

/** The x-index-… headers of an answer that is given now. */
export function toldNow(tell: TellCollection): readonly string[] {
  return headersNow({ headers: tell.at(performance.now()).headers, confirmedAt: tell.confirmedAt })
}

/** `readAt`: before the state was read, so that the head is never younger than it is told. */
export function tellCollection(state: CollectionState | undefined, readAt: number): TellCollection {
  const head = state?.head
  const confirmedAt = head ? readAt - head.ageMs : undefined
  const isSynced = state?.synced === true
  const told: Told = { status: isSynced ? 'SYNCED' : 'SYNCING', headers: indexHeaders(state) }
  if (!isSynced || state.status === 'none' || confirmedAt === undefined || head?.maxAgeMs == null)
    return { confirmedAt, at: () => told }
  const until = confirmedAt + head.maxAgeMs
  let withdrawn: Told | undefined
  return {
    confirmedAt,
    at(now) {
      if (now <= until) return told
      const reason = state.reason ?? unconfirmed(head.maxAgeMs)
      withdrawn ??= { status: 'SYNCING', headers: indexHeaders({ ...state, synced: false, progress: 0.999, reason }) }
      return withdrawn
    },
  }
}
