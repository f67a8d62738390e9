import type { Database, Transaction } from '../../db/database.ts'

/** Webhooks of one stream on one chain, first attempted one after the other. */
export type LaneKey = { partition: number; streamId: string; chainId: bigint }

/** A delivery as the queue has it. */
export type QueuedWebhook = {
  chainId: bigint
  position: bigint
  replay: number
  /** The header webhook-id. */
  id: string
  /** Failed attempts of this delivery. */
  failures: number
  body: string
}

/**
 * Plans are kept for the life of a connection, and the queue is as often empty as it is long: one made for the empty one would
 * read all of the long one.
 */
const byIndex = 'SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off'

export function withIndexes<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.script(byIndex)
    return work(tx)
  })
}

/** Lanes of these partitions in which anything waits. */
export async function readLanes(tx: Transaction, partitions: readonly bigint[]): Promise<LaneKey[]> {
  const rows = await tx.rows<[number, string, bigint]>(
    `SELECT m.partition, m.stream_id::text, m.chain_id FROM webhook_matched m
     WHERE m.partition = ANY($1::smallint[]) AND EXISTS (
       SELECT FROM webhook_queue q WHERE q.partition = m.partition AND q.stream_id = m.stream_id AND q.chain_id = m.chain_id)`,
    [partitions],
  )
  return rows.map(([partition, streamId, chainId]) => ({ partition, streamId, chainId }))
}

export type LaneDemand = LaneKey & { after: bigint; limit: number }

/** What is to be attempted next in each lane: at most `limit` each, and of `maxBytes` in all but for the first of each. */
export async function loadFirst(
  tx: Transaction,
  lanes: readonly LaneDemand[],
  maxBytes: number,
): Promise<QueuedWebhook[][]> {
  const rows = await tx.rows<[number, bigint, string, string]>(
    `SELECT v.lane, f.position, f.id::text,
       (SELECT b.body FROM webhook_body b WHERE b.partition = v.partition AND b.position = f.position)
     FROM unnest($1::int[], $2::smallint[], $3::uuid[], $4::bigint[], $5::bigint[], $6::int[])
       AS v (lane, partition, stream_id, chain_id, after, most)
     CROSS JOIN LATERAL (
       SELECT q.*, sum(q.body_bytes) OVER (ORDER BY q.position) - q.body_bytes AS bytes_before FROM (
         SELECT position, id, body_bytes FROM webhook_queue
         WHERE partition = v.partition AND stream_id = v.stream_id AND chain_id = v.chain_id AND position > v.after AND due_at IS NULL
         ORDER BY position LIMIT v.most) q
     ) f
     WHERE f.bytes_before < $7
     ORDER BY v.lane, f.position`,
    [
      lanes.map((_, lane) => lane),
      lanes.map((l) => l.partition),
      lanes.map((l) => l.streamId),
      lanes.map((l) => l.chainId),
      lanes.map((l) => l.after),
      lanes.map((l) => l.limit),
      Math.max(1, Math.floor(maxBytes / Math.max(1, lanes.length))),
    ],
  )
  const loaded: QueuedWebhook[][] = lanes.map(() => [])
  for (const [lane, position, id, body] of rows)
    loaded[lane]!.push({ chainId: lanes[lane]!.chainId, position, replay: 0, id, failures: 0, body })
  return loaded
}

export type DueDemand = { partition: number; streamId: string; limit: number }
export type Due = { webhooks: QueuedWebhook[]; nextDueAt: Date | undefined }

/** Retries and replays of each stream that are due, the oldest first, and when the next one after `now` will be. */
export async function loadDue(tx: Transaction, streams: readonly DueDemand[], now: Date): Promise<Due[]> {
  const keys = [streams.map((_, i) => i), streams.map((s) => s.partition), streams.map((s) => s.streamId)]
  const due = await tx.rows<[number, bigint, bigint, number, string, number, string]>(
    `SELECT v.stream, f.chain_id, f.position, f.replay, f.id::text, f.failures,
       (SELECT b.body FROM webhook_body b WHERE b.partition = v.partition AND b.position = f.position)
     FROM unnest($1::int[], $2::smallint[], $3::uuid[], $4::int[]) AS v (stream, partition, stream_id, most)
     CROSS JOIN LATERAL (
       SELECT * FROM webhook_queue WHERE partition = v.partition AND stream_id = v.stream_id AND due_at <= $5
       ORDER BY due_at LIMIT v.most
     ) f
     ORDER BY v.stream, f.due_at`,
    [...keys, streams.map((s) => s.limit), now],
  )
  const next = await tx.rows<[number, Date]>(
    `SELECT v.stream, f.due_at FROM unnest($1::int[], $2::smallint[], $3::uuid[]) AS v (stream, partition, stream_id)
     CROSS JOIN LATERAL (
       SELECT due_at FROM webhook_queue WHERE partition = v.partition AND stream_id = v.stream_id AND due_at > $4
       ORDER BY due_at LIMIT 1
     ) f`,
    [...keys, now],
  )
  const answers: Due[] = streams.map(() => ({ webhooks: [], nextDueAt: undefined }))
  for (const [stream, chainId, position, replay, id, failures, body] of due)
    answers[stream]!.webhooks.push({ chainId, position, replay, id, failures, body })
  for (const [stream, dueAt] of next) answers[stream]!.nextDueAt = dueAt
  return answers
}
