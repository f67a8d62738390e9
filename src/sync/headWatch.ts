import type { EvmChain } from '../chain/evm/chains.ts'
import type { Database } from '../db/database.ts'
import { commandWord } from '../util/commandWord.ts'
import type { Log } from '../util/log.ts'
import { noteChainFailure } from './chainStore.ts'
import { maxHeadAgeOf } from './headAge.ts'

/** A node is inconsistent if its head stays below the cursor for this long, and again after the same time. */
const inconsistentAfterMs = 2_000

/** How long the highest head counts: a lower one within this time is from a lagging node, not from a shorter chain. */
const headMemoryMs = 60_000

/** Compares nodes' heads with the cursor. */
export type HeadWatch = {
  /** The highest recent head of any node. `reverted`: blocks were undone, so the chain may be shorter. */
  highest(head: bigint, reverted: boolean): bigint
  /** The node's head is the cursor's block, or its blocks follow that. */
  confirmed(): void
  /** The node's head is below the cursor, and no block differs: the node lags, or has another chain. */
  below(head: bigint, followed: bigint): Promise<void>
}

export function createHeadWatch(options: {
  chain: EvmChain
  db: Database
  worker: () => number | undefined
  log: Log
  onInconsistency?: (() => void) | undefined
}): HeadWatch {
  const { chain, db, worker, log, onInconsistency } = options
  let highest = { number: -1n, at: 0 }
  let confirmedAt = performance.now()
  let inconsistentAt = confirmedAt
  let isBehind = false

  return {
    highest(head, reverted) {
      const at = performance.now()
      if (reverted || head >= highest.number || at - highest.at > headMemoryMs) highest = { number: head, at }
      return highest.number
    },
    confirmed() {
      confirmedAt = performance.now()
      if (isBehind) log.info({ chain: chain.name }, 'chain following resumed')
      isBehind = false
    },
    async below(head, followed) {
      const now = performance.now()
      if (now - Math.max(confirmedAt, inconsistentAt) > inconsistentAfterMs) {
        inconsistentAt = now
        onInconsistency?.()
      }
      if (now - confirmedAt <= maxHeadAgeOf(chain)) return
      if (!isBehind)
        log.warn(
          { chain: chain.name, head: String(head), followed: String(followed) },
          'chain head below followed block',
        )
      isBehind = true
      const reason =
        `the head of ${chain.name} has been block ${head} for long, below the followed block ${followed}: the node lags, or the chain ` +
        `went back. If it went back permanently, run "mintmark chains reset ${commandWord(chain.name)}"`
      await noteChainFailure(db, { chainId: chain.id, worker: worker(), failure: reason, contradicted: false })
    },
  }
}
