import type { Transaction } from '../../db/database.ts'
import type { Attempt } from './attempt.ts'

/** Attempts as they are in the ledger now. */
export type Written = {
  /** Those that were not there before, by the numbers that they got. */
  attempts: readonly Attempt[]
  /** Positions of webhooks that were pending until one of them was delivered. */
  pending: readonly bigint[]
}

/** Writes attempts, and that what was delivered is owed no more. */
export type WriteAttempts = (tx: Transaction, attempts: readonly Attempt[]) => Promise<Written>

export const isDelivered = ({ outcome }: Attempt): boolean => outcome.status === 'delivered'

/**
 * Writes attempts of which some may be in the ledger already. Such a one changes nothing: its transaction was committed, though
 * this process did not hear of it. Where another process made an attempt under the same number, as this one was taken for dead, both are kept.
 */
export const writeAttempts: WriteAttempts = async (tx, given) => {
  const attempts = await insertMissing(tx, given)
  const delivered = attempts.filter(isDelivered)
  if (delivered.length === 0) return { attempts, pending: [] }
  await tx.run(endAllDeliveries, keysOf(delivered))
  const pending = await tx.rows<[bigint]>(deliverPending, [
    delivered.map((a) => a.partition),
    delivered.map((a) => a.position),
  ])
  return { attempts, pending: pending.map(([position]) => position) }
}

/**
 * Writes attempts that were made just now, as if none were in the ledger: that takes half of the time. Throws unique_violation
 * where one is there after all; nothing of the transaction can be kept then.
 */
export const writeNewAttempts: WriteAttempts = async (tx, attempts) => {
  const delivered = attempts.filter(isDelivered)
  const failed = attempts.filter((attempt) => !isDelivered(attempt))
  if (failed.length > 0) await tx.run(insertNewAttempts, columnsOf(failed))
  if (delivered.length === 0) return { attempts, pending: [] }
  const columns = [...columnsOf(delivered), delivered.map((a) => a.chainId)]
  const pending = await tx.rows<[bigint]>(deliverNewAttempts, columns)
  return { attempts, pending: pending.map(([position]) => position) }
}

/** Partition, stream, chain and position, side by side. */
export function keysOf(attempts: readonly Attempt[]) {
  return [
    attempts.map((a) => a.partition),
    attempts.map((a) => a.streamId),
    attempts.map((a) => a.chainId),
    attempts.map((a) => a.position),
  ]
}

function columnsOf(attempts: readonly Attempt[]) {
  return [
    attempts.map((a) => a.partition),
    attempts.map((a) => a.position),
    attempts.map((a) => a.replay),
    attempts.map((a) => a.number),
    attempts.map((a) => a.streamId),
    attempts.map((a) => a.urlHash),
    attempts.map((a) => a.at),
    attempts.map((a) => a.ms),
    attempts.map(isDelivered),
    attempts.map((a) => a.outcome.code ?? null),
    attempts.map((a) => (a.outcome.status === 'failed' ? a.outcome.error : null)),
    attempts.map((a) => (a.outcome.answer?.length ? a.outcome.answer : null)),
  ]
}

async function insertMissing(tx: Transaction, given: readonly Attempt[]): Promise<Attempt[]> {
  const { written, there } = await insert(tx, given)
  if (there.length === 0) return written
  const numbers = await tx.rows<[number, number]>(numberAnew, [
    there.map((_, place) => place),
    there.map((a) => a.partition),
    there.map((a) => a.position),
    there.map((a) => a.replay),
    there.map((a) => a.at),
    there.map((a) => a.ms),
  ])
  if (numbers.length === 0) return written
  return [
    ...written,
    ...(await insertMissing(
      tx,
      numbers.map(([place, number]) => ({ ...there[place]!, number })),
    )),
  ]
}

async function insert(
  tx: Transaction,
  attempts: readonly Attempt[],
): Promise<{ written: Attempt[]; there: Attempt[] }> {
  const inserted = await tx.rows<[bigint, number, number]>(insertAttempts, columnsOf(attempts))
  if (inserted.length === attempts.length) return { written: [...attempts], there: [] }
  const fresh = new Set(inserted.map(([position, replay, number]) => `${position}:${replay}:${number}`))
  const written: Attempt[] = []
  const there: Attempt[] = []
  // A row counts once, for the first of those that would have it.
  for (const a of attempts) (fresh.delete(`${a.position}:${a.replay}:${a.number}`) ? written : there).push(a)
  return { written, there }
}

// The statements. Lists are unnested side by side; nothing in them comes twice.

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
const insertNewAttempts = `
INSERT INTO webhook_attempt (${columns}) SELECT * FROM unnest(${lists}) AS v (${columns})`

/**
 * Delivered attempts that are not in the ledger. Their webhooks are not sent again; positions of those that were pending are
 * answered. One statement that looks for no rows in its way takes half of the time of three that do. Fails with unique_violation
 * where an attempt is there.
 */
const deliverNewAttempts = `
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
const insertAttempts = `
INSERT INTO webhook_attempt (${columns}) SELECT * FROM unnest(${lists}) AS v (${columns})
WHERE v.at > now() - interval '1 hour' OR EXISTS (SELECT FROM webhook w WHERE w.partition = v.partition AND w.position = v.position)
ON CONFLICT DO NOTHING
RETURNING position, replay, number`

/**
 * Those of the attempts that another process made under the same number, each with the next number of its delivery. The same
 * attempt, written before by a transaction whose commit was not confirmed to this process, is not among them.
 */
const numberAnew = `
SELECT v.place, (SELECT max(number) + 1 FROM webhook_attempt a WHERE a.partition = v.partition AND a.position = v.position AND a.replay = v.replay)
FROM unnest($1::int[], $2::smallint[], $3::bigint[], $4::int[], $5::timestamptz[], $6::real[]) AS v (place, partition, position, replay, at, ms)
WHERE EXISTS (SELECT FROM webhook w WHERE w.partition = v.partition AND w.position = v.position) AND NOT EXISTS (SELECT FROM webhook_attempt a
  WHERE a.partition = v.partition AND a.position = v.position AND a.replay = v.replay AND a.at = v.at AND a.ms = v.ms)`

/** Those that were pending are delivered, and answered. */
const deliverPending = `
UPDATE webhook w SET status = 'delivered' FROM unnest($1::smallint[], $2::bigint[]) AS v (partition, position)
WHERE w.partition = v.partition AND w.position = v.position AND w.status = 'pending'
RETURNING w.position`

/** Webhooks are not sent again, by whichever delivery it was. $1 to $4: their partitions, streams, chains and positions. */
export const endAllDeliveries = `
DELETE FROM webhook_queue q USING unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[]) AS v (partition, stream_id, chain_id, position)
WHERE q.partition = v.partition AND q.stream_id = v.stream_id AND q.chain_id = v.chain_id AND q.position = v.position`
