import type { Transaction } from '../../db/database.ts'
import type { Attempt } from './attempt.ts'
import { deliverUndelivered, endUndelivered } from './undelivered.ts'
import { isDelivered, keysOf, type WriteAttempts, writeAttempts } from './writeAttempts.ts'

/** An address whose success rate changed. */
export type Rate = {
  urlHash: Buffer
  rate: number
  /** There was a failure among the results. */
  failed: boolean
}

type Tally = {
  partition: number
  attempts: number
  delivered: number
  failed: number
  failedForGood: number
  dropped: number
}

/**
 * Writes attempts to the ledger and lets everything follow from them: the queue, the status of webhooks, counters, history,
 * success rates. Answers the rates that changed. `write` may be `writeNewAttempts`.
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
      tally = { partition, attempts: 0, delivered: 0, failed: 0, failedForGood: 0, dropped: 0 }
      tallies.set(streamId, tally)
    }
    return tally
  }

  const failed = attempts.filter((attempt) => !isDelivered(attempt))
  for (const attempt of attempts) tallyOf(attempt).attempts += 1
  for (const attempt of failed) tallyOf(attempt).failed += 1
  await countDeliveries(tx, attempts.filter(isDelivered), pending, tallyOf)
  await settleFailed(tx, failed, tallyOf)
  await count(tx, tallies, now)
  return changeSuccessRates(tx, attempts)
}

/** All were pending, but for one that a reorganisation dropped while it was under way, and for replays. */
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
    const rest = [...open.values()]
    const keys = [rest.map((a) => a.partition), rest.map((a) => a.position)]
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
  if (probes.length > 0)
    await tx.run(countProbes, [...keysOf(probes), probes.map((a) => a.replay), probes.map((a) => a.number)])
  const attempts = failed.filter(({ probe }) => !probe)
  const retryAt = ({ outcome }: Attempt) => (outcome.status === 'failed' ? outcome.retryAt : undefined)
  const retried = attempts.filter((a) => retryAt(a))
  if (retried.length > 0)
    await tx.run(planRetries, [
      ...keysOf(retried),
      retried.map((a) => a.replay),
      retried.map((a) => a.number),
      retried.map(retryAt),
      retried.map(({ outcome }) => outcome.status === 'failed' && outcome.postponed === true),
      retried.map((a) => a.at),
    ])
  const given = attempts.filter((a) => !retryAt(a))
  if (given.length === 0) return
  await tx.run(endDeliveries, [...keysOf(given), given.map((a) => a.replay)])
  const own = new Map(given.filter((a) => a.replay === 0).map((attempt) => [attempt.position, attempt]))
  const rest = [...own.values()]
  const changed = await tx.rows<[number, string, bigint, bigint]>(failPending, [
    rest.map((a) => a.partition),
    rest.map((a) => a.position),
  ])
  for (const [, , , position] of changed) tallyOf(own.get(position)!).failedForGood += 1
}

async function count(tx: Transaction, tallies: ReadonlyMap<string, Tally>, now: Date): Promise<void> {
  const all = [...tallies.values()]
  if (all.length === 0) return
  const [partitions, streams] = [all.map((t) => t.partition), [...tallies.keys()]]
  const [delivered, failed] = [all.map((t) => t.delivered), all.map((t) => t.failed)]
  await tx.run(countDelivered, [
    partitions,
    streams,
    delivered,
    failed,
    all.map((t) => t.failedForGood),
    all.map((t) => t.dropped),
    all.map((t) => t.attempts),
    now,
  ])
  await tx.run(countDeliveredSpans, [partitions, streams, delivered, failed, now])
}

/** What a run of results does to a success rate: x → least(cap, x + change). */
type RateChange = { cap: number; change: number }

export const noChange: RateChange = { cap: 100, change: 0 }

/** The run with one more result at its end. */
export function withResult({ cap, change }: RateChange, delivered: boolean): RateChange {
  if (!delivered) return { cap: cap - 1, change: change - 1 }
  return { cap: Math.min(100, cap + 1), change: change + 1 }
}

async function changeSuccessRates(tx: Transaction, attempts: readonly Attempt[]): Promise<Rate[]> {
  const runs = new Map<string, { hash: Buffer; run: RateChange; failed: boolean }>()
  for (const { urlHash, outcome } of attempts) {
    // Who asks for less at a time takes webhooks all the same.
    if (outcome.code === 429) continue
    const key = urlHash.toString('latin1')
    const before = runs.get(key)
    const delivered = outcome.status === 'delivered'
    const run = withResult(before?.run ?? noChange, delivered)
    runs.set(key, { hash: urlHash, run, failed: before?.failed || !delivered })
  }
  if (runs.size === 0) return []
  const all = [...runs.values()].sort((a, b) => Buffer.compare(a.hash, b.hash))
  const rows = await tx.rows<[Buffer, number]>(changeRates, [
    all.map(({ hash }) => hash[0]),
    all.map(({ hash }) => hash),
    all.map(({ run }) => Math.max(-32_000, run.cap)),
    all.map(({ run }) => Math.max(-32_000, Math.min(32_000, run.change))),
  ])
  return rows.map(([urlHash, rate]) => ({
    urlHash,
    rate,
    failed: runs.get(urlHash.toString('latin1'))?.failed === true,
  }))
}

// The statements, in the order in which a transaction runs them. Lists are unnested side by side; nothing in them comes twice.

const deliveryKey = 'partition, stream_id, chain_id, position, replay'

/** Probes that failed: what they were of is owed as it was before. */
const countProbes = `
UPDATE webhook_queue q SET failures = v.failures, postponed = q.postponed + 1
FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::int[], $6::int[]) AS v (${deliveryKey}, failures)
WHERE q.partition = v.partition AND q.stream_id = v.stream_id AND q.chain_id = v.chain_id AND q.position = v.position AND q.replay = v.replay`

const planRetries = `
UPDATE webhook_queue q SET failures = v.failures, due_at = v.due_at, postponed = q.postponed + v.postponed::int,
  first_at = coalesce(q.first_at, v.at)
FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::int[], $6::int[], $7::timestamptz[], $8::boolean[], $9::timestamptz[])
  AS v (${deliveryKey}, failures, due_at, postponed, at)
WHERE q.partition = v.partition AND q.stream_id = v.stream_id AND q.chain_id = v.chain_id AND q.position = v.position AND q.replay = v.replay`

/** The delivery is over. */
const endDeliveries = `
DELETE FROM webhook_queue q USING unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::int[]) AS v (${deliveryKey})
WHERE q.partition = v.partition AND q.stream_id = v.stream_id AND q.chain_id = v.chain_id AND q.position = v.position AND q.replay = v.replay`

/** Those that were pending have failed for good, and are answered. */
const failPending = endUndelivered(`
UPDATE webhook w SET status = 'failed' FROM unnest($1::smallint[], $2::bigint[]) AS v (partition, position)
WHERE w.partition = v.partition AND w.position = v.position AND w.status = 'pending'`)

const countDelivered = `
INSERT INTO webhook_delivered AS d (partition, stream_id, delivered, failed, failed_for_good, dropped, attempts, created_at, updated_at)
SELECT *, $8::timestamptz, $8::timestamptz FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
  AS v (partition, stream_id, delivered, failed, failed_for_good, dropped, attempts)
ORDER BY partition, stream_id
ON CONFLICT (partition, stream_id) DO UPDATE SET delivered = d.delivered + excluded.delivered, failed = d.failed + excluded.failed,
  failed_for_good = d.failed_for_good + excluded.failed_for_good, dropped = d.dropped + excluded.dropped, attempts = d.attempts + excluded.attempts,
  updated_at = excluded.updated_at`

const countDeliveredSpans = `
INSERT INTO webhook_delivered_span AS d (partition, stream_id, delivered, failed, step, at)
SELECT v.*, step, date_trunc(step, $5::timestamptz, 'UTC')
FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[]) AS v (partition, stream_id, delivered, failed),
  unnest(ARRAY['minute', 'hour']) step
WHERE v.delivered > 0 OR v.failed > 0
ORDER BY partition, stream_id, step
ON CONFLICT (partition, stream_id, step, at) DO UPDATE SET delivered = d.delivered + excluded.delivered, failed = d.failed + excluded.failed`

/**
 * Success rates after a run of results. One result is ±1, never above 100; a run of them is x → least(cap, x + change). An
 * address at 100 that only succeeds is not written.
 */
const changeRates = `
UPDATE webhook_url u SET rate = greatest(0, least(v.cap, u.rate + v.change))
FROM unnest($1::smallint[], $2::bytea[], $3::smallint[], $4::smallint[]) AS v (partition, hash, cap, change)
WHERE u.partition = v.partition AND u.hash = v.hash AND u.rate <> greatest(0, least(v.cap, u.rate + v.change))
RETURNING u.hash, u.rate`
