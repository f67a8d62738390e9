import { endUndelivered } from './undelivered.ts'

/** What became of attempts, statement by statement. Lists are unnested side by side; nothing in them comes twice. */

const columns = 'partition, position, replay, number, stream_id, url_hash, at, ms, delivered, code, error, answer'
const types = [
  'smallint',
  'bigint',
  'int',
  'int',
  'uuid',
  'bytea',
  'timestamptz',
  'real',
  'boolean',
  'smallint',
  'text',
  'bytea',
]
const lists = types.map((type, i) => `$${i + 1}::${type}[]`).join(', ')

/** Attempts that are not in the ledger. Fails with unique_violation where one is. */
export const insertNewAttempts = `
INSERT INTO webhook_attempt (${columns}) SELECT * FROM unnest(${lists}) AS v (${columns})`

/**
 * Delivered attempts that are not in the ledger. Their webhooks are not sent again; positions of those that were pending are
 * answered. One statement that looks for no rows in its way takes half of the time of three that do. Fails with unique_violation
 * where an attempt is there.
 */
export const deliverNewAttempts = `
WITH v AS MATERIALIZED (SELECT * FROM unnest(${lists}, $${types.length + 1}::bigint[]) AS v (${columns}, chain_id)),
made AS (INSERT INTO webhook_attempt (${columns}) SELECT ${columns} FROM v),
ended AS (DELETE FROM webhook_queue q USING v
  WHERE q.partition = v.partition AND q.stream_id = v.stream_id AND q.chain_id = v.chain_id AND q.position = v.position)
UPDATE webhook w SET status = 'delivered' FROM v
WHERE w.partition = v.partition AND w.position = v.position AND w.status = 'pending'
RETURNING w.position`

/**
 * An attempt that is there already was settled before: it is not answered, and counts no more. Nor does one of a webhook that was
 * removed since, which can only be one that was made long ago.
 */
export const insertAttempts = `
INSERT INTO webhook_attempt (${columns}) SELECT * FROM unnest(${lists}) AS v (${columns})
WHERE v.at > now() - interval '1 hour' OR EXISTS (SELECT FROM webhook w WHERE w.partition = v.partition AND w.position = v.position)
ON CONFLICT DO NOTHING
RETURNING position, replay, number`

/**
 * Those of the attempts that another process made under the same number, each with the next number of its delivery. The same
 * attempt, written before by a transaction whose commit was not confirmed to this process, is not among them.
 */
export const numberAnew = `
SELECT v.place, (SELECT max(number) + 1 FROM webhook_attempt a WHERE a.partition = v.partition AND a.position = v.position AND a.replay = v.replay)
FROM unnest($1::int[], $2::smallint[], $3::bigint[], $4::int[], $5::timestamptz[], $6::real[]) AS v (place, partition, position, replay, at, ms)
WHERE EXISTS (SELECT FROM webhook w WHERE w.partition = v.partition AND w.position = v.position) AND NOT EXISTS (SELECT FROM webhook_attempt a
  WHERE a.partition = v.partition AND a.position = v.position AND a.replay = v.replay AND a.at = v.at AND a.ms = v.ms)`

const key = 'partition, stream_id, chain_id, position, replay'

/** The delivery is over. */
export const endDeliveries = `
DELETE FROM webhook_queue q USING unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::int[]) AS v (${key})
WHERE q.partition = v.partition AND q.stream_id = v.stream_id AND q.chain_id = v.chain_id AND q.position = v.position AND q.replay = v.replay`

/** What is delivered is not sent again, by whichever delivery it was. */
export const endAllDeliveries = `
DELETE FROM webhook_queue q USING unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[]) AS v (partition, stream_id, chain_id, position)
WHERE q.partition = v.partition AND q.stream_id = v.stream_id AND q.chain_id = v.chain_id AND q.position = v.position`

export const planRetries = `
UPDATE webhook_queue q SET failures = v.failures, due_at = v.due_at, postponed = q.postponed + v.postponed::int,
  first_at = coalesce(q.first_at, v.at)
FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::int[], $6::int[], $7::timestamptz[], $8::boolean[], $9::timestamptz[])
  AS v (${key}, failures, due_at, postponed, at)
WHERE q.partition = v.partition AND q.stream_id = v.stream_id AND q.chain_id = v.chain_id AND q.position = v.position AND q.replay = v.replay`

/** Probes that failed: what they were of is owed as it was before. */
export const countProbes = `
UPDATE webhook_queue q SET failures = v.failures, postponed = q.postponed + 1
FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::int[], $6::int[]) AS v (${key}, failures)
WHERE q.partition = v.partition AND q.stream_id = v.stream_id AND q.chain_id = v.chain_id AND q.position = v.position AND q.replay = v.replay`

/** Those that were pending are delivered, and answered. */
export const deliverPending = `
UPDATE webhook w SET status = 'delivered' FROM unnest($1::smallint[], $2::bigint[]) AS v (partition, position)
WHERE w.partition = v.partition AND w.position = v.position AND w.status = 'pending'
RETURNING w.position`

/** Those that were pending have failed for good, and are answered. */
export const failPending = endUndelivered(`
UPDATE webhook w SET status = 'failed' FROM unnest($1::smallint[], $2::bigint[]) AS v (partition, position)
WHERE w.partition = v.partition AND w.position = v.position AND w.status = 'pending'`)

export const countDelivered = `
INSERT INTO webhook_delivered AS d (partition, stream_id, delivered, failed, failed_for_good, dropped, attempts, created_at, updated_at)
SELECT *, $8::timestamptz, $8::timestamptz FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
  AS v (partition, stream_id, delivered, failed, failed_for_good, dropped, attempts)
ORDER BY partition, stream_id
ON CONFLICT (partition, stream_id) DO UPDATE SET delivered = d.delivered + excluded.delivered, failed = d.failed + excluded.failed,
  failed_for_good = d.failed_for_good + excluded.failed_for_good, dropped = d.dropped + excluded.dropped, attempts = d.attempts + excluded.attempts,
  updated_at = excluded.updated_at`

export const countDeliveredSpans = `
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
export const changeRates = `
UPDATE webhook_url u SET rate = greatest(0, least(v.cap, u.rate + v.change))
FROM unnest($1::smallint[], $2::bytea[], $3::smallint[], $4::smallint[]) AS v (partition, hash, cap, change)
WHERE u.partition = v.partition AND u.hash = v.hash AND u.rate <> greatest(0, least(v.cap, u.rate + v.change))
RETURNING u.hash, u.rate`
