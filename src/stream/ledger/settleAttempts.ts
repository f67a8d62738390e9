import type { Row, Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import type { Attempt, DeliveryKey } from './attempt.ts'
import { deliveryColumns, sameDelivery, webhookKeys } from './deliveryKeys.ts'
import { changeSuccessRates, type Rate } from './successRates.ts'
import { deliverUndelivered, endedRow, endUndelivered } from './undelivered.ts'
import { isDelivered, type WriteAttempts, writeAttempts } from './writeAttempts.ts'

type Tally = {
  partition: number
  streamId: string
  attempts: number
  delivered: number
  failed: number
  failedForGood: number
  dropped: number
  /** Total duration of the attempts, and that of the slowest one. */
  ms: number
  slowestMs: number
}

/**
 * Writes attempts to the ledger with their effects: queue, status of webhooks, counters, counters by minute and hour,
 * success rates. Returns the changed rates. `write` may be `writeNewAttempts`.
 */
export async function settleAttempts(
  tx: Transaction,
  given: readonly Attempt[],
  now: Date,
  write: WriteAttempts = writeAttempts,
): Promise<Rate[]> {
  const { attempts, pending } = await write(tx, given)
  if (attempts.length === 0) return []
  const tallies = new Map<string, Tally>()
  const tallyOf = ({ streamId, partition }: Attempt): Tally => {
    let tally = tallies.get(streamId)
    if (!tally) {
      tally = {
        partition,
        streamId,
        attempts: 0,
        delivered: 0,
        failed: 0,
        failedForGood: 0,
        dropped: 0,
        ms: 0,
        slowestMs: 0,
      }
      tallies.set(streamId, tally)
    }
    return tally
  }

  const failed = attempts.filter((attempt) => !isDelivered(attempt))
  for (const attempt of attempts) {
    const tally = tallyOf(attempt)
    tally.attempts += 1
    tally.ms += attempt.ms
    tally.slowestMs = Math.max(tally.slowestMs, attempt.ms)
  }
  for (const attempt of failed) tallyOf(attempt).failed += 1
  await countDeliveries(tx, attempts.filter(isDelivered), pending, tallyOf)
  await settleFailed(tx, failed, tallyOf)
  await count(tx, [...tallies.values()], now)
  return changeSuccessRates(tx, attempts)
}

/**
 * Counts delivered webhooks. `pending`: positions of those that were pending. Others had failed or were dropped, and
 * were delivered by a replay or a running attempt. Webhooks that were delivered before do not count again.
 */
async function countDeliveries(
  tx: Transaction,
  delivered: readonly Attempt[],
  pending: readonly bigint[],
  tallyOf: (attempt: Attempt) => Tally,
): Promise<void> {
  const open = new Map(delivered.map((attempt) => [attempt.position, attempt]))
  function close(position: bigint): Tally {
    const tally = tallyOf(open.get(position)!)
    open.delete(position)
    tally.delivered += 1
    return tally
  }
  for (const position of pending) close(position)
  for (const before of ['dropped', 'failed'] as const) {
    if (open.size === 0) return
    const keys = webhookKeys.lists([...open.values()])
    for (const [position] of await tx.rows<[bigint]>(deliverUndelivered, [...keys, before])) {
      const tally = close(position)
      if (before === 'dropped') tally.dropped -= 1
      else tally.failedForGood -= 1
    }
  }
}

async function settleFailed(
  tx: Transaction,
  failed: readonly Attempt[],
  tallyOf: (attempt: Attempt) => Tally,
): Promise<void> {
  const probes = failed.filter(({ probe }) => probe)
  if (probes.length > 0) await tx.run(countProbes, probed.lists(probes))
  const attempts = failed.filter(({ probe }) => !probe)
  const retried = attempts.filter((a) => retryAt(a))
  if (retried.length > 0) await tx.run(planRetries, planned.lists(retried))
  const given = attempts.filter((a) => !retryAt(a))
  if (given.length === 0) return
  await tx.run(endDeliveries, ended.lists(given))
  const own = new Map(given.filter((a) => a.replay === 0).map((attempt) => [attempt.position, attempt]))
  const changed = await tx.rows(failPending, webhookKeys.lists([...own.values()]))
  for (const { position } of changed.map(endedRow.decode)) tallyOf(own.get(position)!).failedForGood += 1
}

async function count(tx: Transaction, unordered: readonly Tally[], now: Date): Promise<void> {
  // Sorted, so that two transactions cannot deadlock.
  const tallies = unordered.toSorted((a, b) => a.partition - b.partition || (a.streamId < b.streamId ? -1 : 1))
  await addToRows(tallies, {
    name: ({ streamId }) => streamId,
    update: (some) => tx.rows(countDelivered, [now, ...tallied.lists(some)]),
    insert: (some) => tx.run(beginDelivered, [now, ...tallied.lists(some)]),
  })
  const steps = tallies.flatMap((tally) => spanSteps.map(({ step, ms }) => ({ ...tally, step, at: startOf(now, ms) })))
  await addToRows(steps, {
    name: ({ streamId, step }) => `${streamId} ${step}`,
    update: (some) => tx.rows(countDeliveredSpans, talliedSpan.lists(some)),
    insert: (some) => tx.run(beginDeliveredSpans, talliedSpan.lists(some)),
  })
}

/**
 * Adds to counter rows, nearly all of which exist. `update` returns the names of existing rows; only others are
 * inserted. On a cluster an insert takes ten times as long, as Citus opens a connection for each shard.
 */
async function addToRows<T>(
  items: readonly T[],
  how: {
    name(item: T): string
    update(items: readonly T[]): Promise<Row[]>
    insert(items: readonly T[]): Promise<unknown>
  },
): Promise<void> {
  if (items.length === 0) return
  const there = new Set((await how.update(items)).map(([name]) => name))
  const missing = items.filter((item) => !there.has(how.name(item)))
  if (missing.length > 0) await how.insert(missing)
}

// The statements in the order of a transaction, each after its row lists, which have unique keys.

const probed = defineLists<Attempt>({ ...deliveryColumns, failures: list.int4((a) => a.number) })

/** Counts failed probes. Their deliveries keep their due time. */
const countProbes = `
UPDATE webhook_queue q SET failures = v.failures, postponed = q.postponed + 1 FROM ${probed.unnest()} WHERE ${sameDelivery}`

const retryAt = ({ outcome }: Attempt) => (outcome.status === 'failed' ? outcome.retryAt : undefined)

const planned = defineLists<Attempt>({
  ...deliveryColumns,
  failures: list.int4((a) => a.number),
  due_at: list.timestamptz((a) => retryAt(a) ?? null),
  postponed: list.bool(({ outcome }) => outcome.status === 'failed' && outcome.postponed === true),
  at: list.timestamptz((a) => a.at),
})

const planRetries = `
UPDATE webhook_queue q SET failures = v.failures, due_at = v.due_at, postponed = q.postponed + v.postponed::int,
  first_at = coalesce(q.first_at, v.at)
FROM ${planned.unnest()} WHERE ${sameDelivery}`

const ended = defineLists<DeliveryKey>(deliveryColumns)

/** Deletes deliveries from the queue. */
const endDeliveries = `DELETE FROM webhook_queue q USING ${ended.unnest()} WHERE ${sameDelivery}`

/** Sets pending webhooks to failed, and returns them. */
const failPending = endUndelivered(`
UPDATE webhook w SET status = 'failed' FROM ${webhookKeys.unnest()}
WHERE w.partition = v.partition AND w.position = v.position AND w.status = 'pending'`)

const tallyColumns = {
  partition: list.int2((t: Tally) => t.partition),
  stream_id: list.uuid((t: Tally) => t.streamId),
  delivered: list.int8((t: Tally) => t.delivered),
  failed: list.int8((t: Tally) => t.failed),
}
const tallied = defineLists<Tally>({
  ...tallyColumns,
  failed_for_good: list.int8((t) => t.failedForGood),
  dropped: list.int8((t) => t.dropped),
  attempts: list.int8((t) => t.attempts),
})

const countDelivered = `
UPDATE webhook_delivered d SET delivered = d.delivered + v.delivered, failed = d.failed + v.failed,
  failed_for_good = d.failed_for_good + v.failed_for_good, dropped = d.dropped + v.dropped, attempts = d.attempts + v.attempts,
  updated_at = $1::timestamptz
FROM ${tallied.unnest(2)} WHERE d.partition = v.partition AND d.stream_id = v.stream_id
RETURNING d.stream_id::text`

const beginDelivered = `
INSERT INTO webhook_delivered AS d (${tallied.columns}, created_at, updated_at)
SELECT v.*, $1::timestamptz, $1::timestamptz FROM ${tallied.unnest(2)}
ORDER BY partition, stream_id
ON CONFLICT (partition, stream_id) DO UPDATE SET delivered = d.delivered + excluded.delivered, failed = d.failed + excluded.failed,
  failed_for_good = d.failed_for_good + excluded.failed_for_good, dropped = d.dropped + excluded.dropped, attempts = d.attempts + excluded.attempts,
  updated_at = excluded.updated_at`

/** Time spans for counters of attempts, in milliseconds. */
const spanSteps = [
  { step: 'minute', ms: 60_000 },
  { step: 'hour', ms: 3_600_000 },
] as const
type StepTally = Tally & { step: (typeof spanSteps)[number]['step']; at: Date }

const startOf = (now: Date, ms: number) => new Date(Math.floor(now.getTime() / ms) * ms)

const talliedSpan = defineLists<StepTally>({
  ...tallyColumns,
  attempts: list.int8((t) => t.attempts),
  latency_ms: list.float8((t) => t.ms),
  slowest_ms: list.float8((t) => t.slowestMs),
  step: list.text((t) => t.step),
  at: list.timestamptz((t) => t.at),
})

const countDeliveredSpans = `
UPDATE webhook_delivered_span d SET delivered = d.delivered + v.delivered, failed = d.failed + v.failed, attempts = d.attempts + v.attempts,
  latency_ms = d.latency_ms + v.latency_ms, slowest_ms = greatest(d.slowest_ms, v.slowest_ms)
FROM ${talliedSpan.unnest()}
WHERE d.partition = v.partition AND d.stream_id = v.stream_id AND d.step = v.step AND d.at = v.at
RETURNING d.stream_id::text || ' ' || d.step`

const beginDeliveredSpans = `
INSERT INTO webhook_delivered_span AS d (${talliedSpan.columns}) SELECT * FROM ${talliedSpan.unnest()}
ORDER BY partition, stream_id, step
ON CONFLICT (partition, stream_id, step, at) DO UPDATE SET delivered = d.delivered + excluded.delivered, failed = d.failed + excluded.failed,
  attempts = d.attempts + excluded.attempts, latency_ms = d.latency_ms + excluded.latency_ms,
  slowest_ms = greatest(d.slowest_ms, excluded.slowest_ms)`
