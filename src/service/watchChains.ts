import type { EvmChain } from '../chain/evm/chains.ts'
import type { Database } from '../db/database.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { run } from '../sync/run.ts'
import { quantity } from '../util/hex.ts'
import type { Log } from '../util/log.ts'
import { type ChainOverview, readChainOverview } from './chainOverview.ts'

/** Interval of reading the chains. */
const watchMs = 10_000

/**
 * Publishes the age of the chains' heads, and chains without a process, from the database. Processes of every role do so, as the one that should
 * follow a chain may be missing. Ends with the signal.
 */
export async function watchChains(options: {
  db: Database
  chains: readonly EvmChain[]
  metrics: Metrics
  log: Log
  signal: AbortSignal
}): Promise<void> {
  const { db, chains, metrics, log, signal } = options
  const configured = chains.filter((chain) => chain.configured).map((chain) => chain.id)
  const names = new Map(chains.map((chain) => [chain.id, chain.name]))

  /** Since when chains whose nodes never answered have been needed, by performance.now(). */
  const unanswered = new Map<bigint, number>()

  /** The age of a chain's head in milliseconds; undefined: not a reason for an alert, for example while an operator has the chain paused. */
  function ageOf({ id, wanted, followed, headAgeMs, pausedAt }: ChainOverview): number | undefined {
    if (pausedAt !== null) {
      unanswered.delete(id)
      return undefined
    }
    if (headAgeMs !== null || !wanted) {
      unanswered.delete(id)
      return followed && headAgeMs !== null ? headAgeMs : undefined
    }
    const now = performance.now()
    const since = unanswered.get(id) ?? now
    unanswered.set(id, since)
    return now - since
  }

  async function look(): Promise<'idle'> {
    for (const overview of await readChainOverview(db, configured)) {
      const { id, wanted, held } = overview
      const chain = names.get(id) ?? quantity(id)
      const ageMs = ageOf(overview)
      if (ageMs === undefined) metrics.headAge.remove({ chain })
      else metrics.headAge.set({ chain }, Math.floor(ageMs / 1_000))
      metrics.chainUnheld.set({ chain }, wanted && !held ? 1 : 0)
    }
    return 'idle'
  }

  await run({ name: 'watch chains', step: look, idleMs: watchMs, signal, log })
}
