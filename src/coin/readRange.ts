import { AptosRateLimitedError } from '../chain/aptos/aptosError.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { BlockRange } from '../sync/blockRange.ts'
import { MintmarkError } from '../util/errors.ts'
import type { Log } from '../util/log.ts'
import { sleep } from '../util/wait.ts'
import { type CoinRun, createCoinRuns } from './coinRuns.ts'
import type { Network } from './createNetwork.ts'
import { type Coin, keepFirst } from './decode/coin.ts'
import { decodeCoins, type SkippedWrite } from './decode/decodeCoins.ts'

/** Consecutive restarts of a read without a further version. */
const maxAttempts = 8

export type ReadRangeOptions = { network: Network; metrics: Metrics; log: Log }

/** Reads coins of a range of history. A broken read continues at the same version. */
export async function readRange(
  { network, metrics, log }: ReadRangeOptions,
  range: BlockRange,
  signal: AbortSignal,
): Promise<{ coins: Coin[]; runs: CoinRun[]; head: bigint }> {
  const coins = new Map<string, Coin>()
  const runs = createCoinRuns()
  let next = range.from
  let head = range.to
  const onSkip = reportSkipped({ network, metrics, log })
  for (let attempt = 1; next <= range.to; attempt++) {
    try {
      for await (const batch of network.source.read({ from: next, to: range.to }, signal)) {
        const found = decodeCoins(batch.transactions, onSkip)
        for (const coin of found.coins) keepFirst(coins, coin)
        runs.add(found.states)
        metrics.aptosVersions.inc({ network: network.name }, Number(batch.to - next + 1n))
        next = batch.to + 1n
        if (batch.head > head) head = batch.head
        attempt = 0
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof MintmarkError) || !error.retryable || attempt >= maxAttempts) throw error
      metrics.aptosFaults.inc({ network: network.name, code: error.code })
      log.debug({ network: network.name, err: error, next: String(next), attempt }, 'aptos range restarted')
      await sleep(pauseMs(error, attempt), signal)
      signal.throwIfAborted()
    }
  }
  return { coins: [...coins.values()], runs: runs.runs(), head }
}

/** Pause before the next attempt, in milliseconds: as the source requested, else increasing. */
export function pauseMs(error: unknown, attempt: number): number {
  const reported = error instanceof AptosRateLimitedError ? error.retryAfterMs : undefined
  return reported ?? Math.min(10_000, 50 * 2 ** attempt) * (0.75 + Math.random() / 2)
}

/** Logs and counts unreadable writes. */
export function reportSkipped(options: {
  network: Pick<Network, 'name'>
  metrics: Metrics
  log: Log
}): (skipped: SkippedWrite) => void {
  const { network, metrics, log } = options
  return (skipped) => {
    metrics.aptosSkipped.inc({ network: network.name })
    log.warn({ network: network.name, ...skipped }, 'coin skipped')
  }
}
