import type { AptosBatch } from '../chain/aptos/source.ts'
import type { Log } from '../log.ts'
import { createWaker } from '../util/wait.ts'
import { type Coin, firstWrites } from './coin.ts'
import { type CommitOptions, commitVersions } from './commitVersions.ts'
import { decodeCoins } from './decodeCoins.ts'
import { expectChain } from './networks.ts'

/** Versions without a coin are committed together for so long; a coin is committed at once. */
const commitMs = 250

type Pending = { from: bigint; to: bigint; head: bigint; coins: Coin[] }

/**
 * Reads on from `from` for as long as the source gives, and commits as it comes. Throws what ends it; `onProgress` is called
 * with every commit.
 */
export async function followNetwork(
  options: CommitOptions & { log: Log; onProgress: (to: bigint) => void },
  from: bigint,
  signal: AbortSignal,
): Promise<void> {
  const { network, metrics, log, onProgress } = options
  const stop = new AbortController()
  const stopped = AbortSignal.any([signal, stop.signal])
  const waker = createWaker()
  let pending: Pending | undefined
  let committedAt = 0

  async function commit(): Promise<void> {
    if (!pending) return
    const { from, to, head, coins } = pending
    await commitVersions(options, { from, to }, { coins: firstWrites(coins), head })
    pending = undefined
    committedAt = performance.now()
    onProgress(to)
  }

  function add(batch: AptosBatch): void {
    expectChain(network.name, network.chainId(), batch.chainId)
    const coins = decodeCoins(batch.transactions, (skipped) =>
      log.warn({ network: network.name, ...skipped }, 'coin left out'),
    )
    metrics.aptosVersions.inc({ network: network.name }, Number(batch.to - batch.from + 1n))
    pending = { ...batch, from: pending?.from ?? batch.from, coins: [...(pending?.coins ?? []), ...coins] }
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
      add(value)
      if (pending!.coins.length > 0 || performance.now() >= committedAt + commitMs) await commit()
    }
  } catch (error) {
    // What came before the fault is good.
    if (!signal.aborted) await commit()
    throw error
  } finally {
    stop.abort()
  }
}
