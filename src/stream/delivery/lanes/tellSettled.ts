import type { Attempt } from '../../ledger/attempt.ts'
import type { Claims } from './claims.ts'
import type { Lane, StreamState } from './lane.ts'

/** An attempt is in the ledger now. `stream`: what of its stream is in memory, if anything is. */
export function tellSettled(attempt: Attempt, stream: StreamState | undefined, claims: Claims<Lane>): void {
  const { chainId, position, replay, number, outcome, probe } = attempt
  claims.move({ position, replay, failures: number - 1 }, 'settle')
  if (!stream) return
  if (probe) {
    // A probe is not of the lane, which passed its webhook by meanwhile, if the stream was resumed.
    const lane = replay > 0 ? stream.replays : stream.firsts.get(chainId)
    lane?.change({ type: 'look again', position })
    stream.retries.change({ type: 'told' })
  }
  if (outcome.status === 'failed' && outcome.retryAt)
    stream.retries.change({ type: 'due', at: outcome.retryAt.getTime() })
}
