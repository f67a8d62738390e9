import type { Database } from '../../db/database.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { run } from '../../sync/run.ts'
import type { Log } from '../../util/log.ts'
import { createWaker, sleep, type Waker } from '../../util/wait.ts'
import { forgetEnded } from '../definition/watchedSpans.ts'
import { forgetRemovedWebhooks, type Removed, removeSettled, withOld } from '../ledger/removeSettled.ts'
import type { Clock } from './attempt/createAttempt.ts'

const everyMs = 3_600_000
const day = 86_400_000

/** Pause after each batch, as a multiple of its duration, so that a long backlog does not load the database. */
const restsPerBatch = 3

/**
 * Removes webhooks that were settled long ago, and spans of addresses that were removed before then, in the partitions that this process delivers.
 * Ends with the signal.
 */
export function removeOld(options: {
  db: Database
  leases: Pick<Leases, 'held' | 'holds' | 'workerId'>
  log: Log
  clock: Clock
  settings: { retentionDays: number }
  signal: AbortSignal
}): { wake: Waker['wake']; done: Promise<void> } {
  const { db, leases, log, clock, settings, signal } = options
  const waker = createWaker()

  async function removeFrom(partition: bigint, before: Date): Promise<number> {
    let removed = 0
    for (let after: bigint | undefined = 0n; after !== undefined && !signal.aborted; ) {
      const worker = leases.workerId()
      if (worker === undefined || !leases.holds('delivery', partition)) break
      const from: bigint = after
      const began = performance.now()
      const batch: Removed = await db.transaction((tx) =>
        removeSettled(tx, { partition: Number(partition), after: from, before, worker }),
      )
      removed += batch.removed
      after = batch.next
      if (after !== undefined) await sleep(restsPerBatch * (performance.now() - began), signal)
    }
    return removed
  }

  async function round(): Promise<'idle'> {
    const before = new Date(clock() - settings.retentionDays * day)
    const held = leases.held('delivery')
    let removed = 0
    for (const partition of await withOld(db, held, before)) removed += await removeFrom(partition, before)
    await db.transaction((tx) => forgetRemovedWebhooks(tx, held, before))
    await forgetEnded(db, held, before)
    if (removed > 0) log.info({ webhooks: removed, before }, 'settled webhooks removed')
    return 'idle'
  }

  return {
    wake: waker.wake,
    done: run({ name: 'webhook retention', step: round, idleMs: everyMs, waker, signal, log }),
  }
}
