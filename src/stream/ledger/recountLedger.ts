import type { Database } from '../../db/database.ts'
import { inSnapshot } from '../../db/inSnapshot.ts'

/** A counter of a stream that differs from the rows of its ledger. */
export type Mismatch = { streamId: string; what: string; counted: number; recounted: number }

export type Recount = {
  streams: number
  webhooks: number
  attempts: number
  /** Removed by retention, from `webhook_base` of each stream. */
  removed: { webhooks: number; attempts: number }
  mismatches: Mismatch[]
}

const counted = `
SELECT coalesce(m.stream_id, d.stream_id)::text, coalesce(m.matched, 0), coalesce(d.delivered, 0), coalesce(d.failed_for_good, 0),
  coalesce(m.dropped, 0) + coalesce(d.dropped, 0), coalesce(d.failed, 0), coalesce(m.logs, 0), coalesce(m.txs, 0), coalesce(m.txs_internal, 0),
  coalesce(d.attempts, 0)
FROM (SELECT partition, stream_id, sum(matched)::int8 AS matched, sum(dropped)::int8 AS dropped, sum(logs)::int8 AS logs,
    sum(txs)::int8 AS txs, sum(txs_internal)::int8 AS txs_internal FROM webhook_matched GROUP BY 1, 2) m
FULL JOIN webhook_delivered d USING (partition, stream_id)`

const recountedWebhooks = `
SELECT w.stream_id::text, count(*), count(*) FILTER (WHERE w.status = 'delivered'), count(*) FILTER (WHERE w.status = 'failed'),
  count(*) FILTER (WHERE w.status = 'dropped' AND w.reason IS NOT NULL),
  coalesce(sum(w.logs) FILTER (WHERE w.kind = 'confirmed'), 0)::int8, coalesce(sum(w.txs) FILTER (WHERE w.kind = 'confirmed'), 0)::int8,
  coalesce(sum(w.txs_internal) FILTER (WHERE w.kind = 'confirmed'), 0)::int8,
  count(*) FILTER (WHERE w.status = 'pending'), count(q.position),
  count(*) FILTER (WHERE (w.status = 'delivered') <> (a.position IS NOT NULL)), count(*) FILTER (WHERE b.bytes IS NULL),
  count(*) FILTER (WHERE w.status IN ('failed', 'dropped')), count(u.position)
FROM webhook w
LEFT JOIN webhook_queue q ON q.partition = w.partition AND q.position = w.position AND q.replay = 0
LEFT JOIN (SELECT DISTINCT partition, position FROM webhook_attempt WHERE delivered) a ON a.partition = w.partition AND a.position = w.position
LEFT JOIN webhook_body b ON b.partition = w.partition AND b.position = w.position
LEFT JOIN webhook_undelivered u ON u.partition = w.partition AND u.stream_id = w.stream_id AND u.status = w.status AND u.position = w.position
GROUP BY w.stream_id`

const recountedAttempts = `
SELECT stream_id::text, count(*), count(*) FILTER (WHERE NOT delivered) FROM webhook_attempt GROUP BY stream_id`

/** In the order of `counted`. */
const removed = `
SELECT stream_id::text, webhooks, delivered, failed_for_good, dropped, failed, logs, txs, txs_internal, attempts FROM webhook_base`

const recountedSpans = `
SELECT coalesce(m.stream_id, d.stream_id)::text, coalesce(d.delivered, 0), coalesce(d.failed, 0), coalesce(m.logs, 0), coalesce(m.txs, 0),
  coalesce(m.txs_internal, 0), coalesce(d.attempts, 0)
FROM (SELECT stream_id, sum(logs)::int8 AS logs, sum(txs)::int8 AS txs, sum(txs_internal)::int8 AS txs_internal
    FROM webhook_matched_span WHERE step = $1 GROUP BY 1) m
FULL JOIN (SELECT stream_id, sum(delivered)::int8 AS delivered, sum(failed)::int8 AS failed, sum(attempts)::int8 AS attempts
    FROM webhook_delivered_span WHERE step = $1 GROUP BY 1) d USING (stream_id)`

type Numbers = bigint[]

/** Number of statements, each of which reads a whole table. */
const countings = 6

/**
 * Recounts every webhook and attempt of the ledger in one snapshot, adds what retention removed, and compares the sums
 * with the counters. Reads the whole ledger. `onPart`: progress, 0 to 1.
 */
export async function recountLedger(db: Database, onPart: (part: number) => void = () => {}): Promise<Recount> {
  const read = await inSnapshot(db, async (tx) => {
    let done = 0
    onPart(0)
    async function byStream(sql: string, values: unknown[] = []): Promise<Map<string, Numbers>> {
      const rows = await tx.rows<[string, ...bigint[]]>(sql, values)
      onPart(++done / countings)
      return new Map(rows.map(([id, ...numbers]) => [id, numbers as Numbers]))
    }
    return {
      counters: await byStream(counted),
      base: await byStream(removed),
      webhooks: await byStream(recountedWebhooks),
      attempts: await byStream(recountedAttempts),
      minutes: await byStream(recountedSpans, ['minute']),
      hours: await byStream(recountedSpans, ['hour']),
    }
  })
  const mismatches: Mismatch[] = []
  const ids = new Set([...read.counters.keys(), ...read.webhooks.keys(), ...read.attempts.keys()])
  let webhookCount = 0
  let attemptCount = 0
  const ofRemoved = { webhooks: 0, attempts: 0 }
  for (const streamId of ids) {
    const at = (list: Numbers | undefined, place: number) => Number(list?.[place] ?? 0n)
    const [c, w, a] = [read.counters.get(streamId), read.webhooks.get(streamId), read.attempts.get(streamId)]
    const b = read.base.get(streamId)
    webhookCount += at(w, 0)
    attemptCount += at(a, 0)
    ofRemoved.webhooks += at(b, 0)
    ofRemoved.attempts += at(b, 8)
    const compare = (what: string, one: number, other: number) => {
      if (one !== other) mismatches.push({ streamId, what, counted: one, recounted: other })
    }
    compare('matched', at(c, 0), at(b, 0) + at(w, 0))
    compare('delivered', at(c, 1), at(b, 1) + at(w, 1))
    compare('failed permanently', at(c, 2), at(b, 2) + at(w, 2))
    compare('dropped', at(c, 3), at(b, 3) + at(w, 3))
    compare('attempts', at(c, 8), at(b, 8) + at(a, 0))
    compare('failed attempts', at(c, 4), at(b, 4) + at(a, 1))
    compare('logs', at(c, 5), at(b, 5) + at(w, 4))
    compare('transactions', at(c, 6), at(b, 6) + at(w, 5))
    compare('internal transactions', at(c, 7), at(b, 7) + at(w, 6))
    compare('pending', at(w, 7), at(w, 8))
    compare('delivered without a 2xx, or a 2xx not delivered', at(w, 9), 0)
    compare('without a body', at(w, 10), 0)
    compare('listed as failed or dropped', at(w, 12), at(w, 11))
    for (const [step, spans] of [
      ['minutes', read.minutes.get(streamId)],
      ['hours', read.hours.get(streamId)],
    ] as const) {
      compare(`delivered by ${step}`, at(spans, 0), at(c, 1))
      compare(`failed attempts by ${step}`, at(spans, 1), at(c, 4))
      compare(`logs by ${step}`, at(spans, 2), at(c, 5))
      compare(`transactions by ${step}`, at(spans, 3), at(c, 6))
      compare(`internal transactions by ${step}`, at(spans, 4), at(c, 7))
      compare(`attempts by ${step}`, at(spans, 5), at(c, 8))
    }
  }
  return { streams: ids.size, webhooks: webhookCount, attempts: attemptCount, removed: ofRemoved, mismatches }
}
