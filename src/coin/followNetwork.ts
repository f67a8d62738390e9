import type { AptosBatch } from '../chain/aptos/source.ts'
import type { Log } from '../util/log.ts'
import { createWaker } from '../util/wait.ts'
import { type CoinRuns, createCoinRuns } from './coinRuns.ts'
import { type CommitOptions, commitVersions } from './commitVersions.ts'
import { type Coin, firstWrites } from './decode/coin.ts'
import { decodeCoins } from './decode/decodeCoins.ts'
import { workOn } from './faultyRanges.ts'
import { noteNetworkHead } from './networkStore.ts'
import { reportSkipped } from './readRange.ts'

/** How long versions without a coin are collected for one commit, in milliseconds; a coin is committed immediately. */
const commitMs = 250

/** Minimum interval of recording an unchanged head, in milliseconds; at least four are recorded before the head would be too old. */
const confirmMs = 2_000

type Pending = { from: bigint; to: bigint; head: bigint; coins: Coin[]; runs: CoinRuns }

/**
 * Reads on from `from` as long as the source returns versions, commits them as they arrive, and records the head when there are no more. Throws the
 * error that ends the read, a RangeFaultError for an error of this program. `onProgress` is called after every commit.
 */
export async function followNetwork(
  options: CommitOptions & { log: Log; onProgress: (to: bigint) => void },
  from: bigint,
  signal: AbortSignal,
): Promise<void> {
  const { network, db, worker, metrics, log, onProgress } = options
  const stop = new AbortController()
  const stopped = AbortSignal.any([signal, stop.signal])
  const waker = createWaker()
  const onSkip = reportSkipped({ network, metrics, log })
  let pending: Pending | undefined
  let committedAt = 0
  let confirmed = { head: -1n, at: Number.NEGATIVE_INFINITY }

  async function commit(): Promise<void> {
    if (!pending) return
    const { from, to, head, coins, runs } = pending
    await workOn({ from, to }, () =>
      commitVersions(options, { from, to }, { coins: firstWrites(coins), runs: runs.runs(), head, live: true }),
    )
    pending = undefined
    committedAt = performance.now()
    confirmed = { head, at: committedAt }
    onProgress(to)
  }

  /** Records that the source was queried and has no further version. */
  async function confirm(head: bigint): Promise<void> {
    await commit()
    const pauseMs = Math.min(confirmMs, network.maxHeadAgeMs / 4)
    if (head === confirmed.head && performance.now() - confirmed.at < pauseMs) return
    const id = worker()
    if (id === undefined) return
    await noteNetworkHead(db, network.id, head, id)
    confirmed = { head, at: performance.now() }
  }

  function add(batch: AptosBatch): void {
    const { coins, states } = decodeCoins(batch.transactions, onSkip)
    const runs = pending?.runs ?? createCoinRuns()
    runs.add(states)
    metrics.aptosVersions.inc({ network: network.name }, Number(batch.to - batch.from + 1n))
    pending = { ...batch, from: pending?.from ?? batch.from, coins: [...(pending?.coins ?? []), ...coins], runs }
  }

  const batches = network.source.read({ from }, stopped)[Symbol.asyncIterator]()
  try {
    for (;;) {
      let settled = false
      const arrived = batches.next().finally(() => {
        settled = true
        waker.wake()
      })
      arrived.catch(() => undefined)
      while (pending && !settled && !stopped.aborted) {
        await waker.wait(committedAt + commitMs - performance.now(), stopped)
        if (performance.now() >= committedAt + commitMs) await commit()
      }
      const { done, value } = await arrived
      if (done) return
      if (value.to < value.from) {
        await confirm(value.head)
        continue
      }
      await workOn(value, () => add(value))
      if (pending!.coins.length > 0 || performance.now() >= committedAt + commitMs) await commit()
    }
  } catch (error) {
    // The versions before the error are valid.
    if (!signal.aborted) await commit()
    throw error
  } finally {
    stop.abort()
  }
}
