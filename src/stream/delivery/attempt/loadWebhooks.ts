import { type Database, joinByKeys, type Transaction } from '../../../db/database.ts'

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
  /** Those of them that used up no wait of the schedule: the receiver had asked for another time. */
  postponed: number
  /** When its first attempt was made; undefined: it was not. */
  firstAt: Date | undefined
  /** It takes back another one. */
  retraction: boolean
  /** Of a webhook in parts, from 1. */
  part: number
  parts: number
  body: string
}

/** What one source asked for came to. */
export type Loaded = {
  webhooks: QueuedWebhook[]
  /** Others waited that did not fit into the bound of bytes. */
  cut: boolean
}

/** The queue is as often empty as it is long. */
export function withIndexes<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(work, joinByKeys)
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

/**
 * The bodies of what the sources ask for, within `$bytes` in all but for the one that crosses the bound: the first one of each
 * source, then the second ones, and so on. Others are answered without their body.
 */
const withBodies = (asked: string, bytes: string) => `
WITH asked AS (${asked}),
fitting AS (
  SELECT *, sum(body_bytes) OVER (ORDER BY place, source) - body_bytes < ${bytes}::bigint AS fits FROM asked
)
SELECT f.source, f.chain_id, f.position, f.replay, f.id::text, f.failures, f.postponed, f.first_at, f.retraction, f.part, f.parts, f.fits,
  CASE WHEN f.fits THEN (SELECT b.body FROM webhook_body b WHERE b.partition = f.partition AND b.position = f.position) END
FROM fitting f ORDER BY f.place, f.source`

type Columns = [
  number,
  bigint,
  bigint,
  number,
  string,
  number,
  number,
  Date | null,
  boolean,
  number,
  number,
  boolean,
  string,
]

function loadedOf(rows: readonly Columns[], sources: number): Loaded[] {
  const loaded = Array.from({ length: sources }, (): Loaded => ({ webhooks: [], cut: false }))
  for (const row of rows) {
    const [source, chainId, position, replay, id, failures, postponed, firstAt, retraction, part, parts, fits, body] =
      row
    const own = loaded[source]!
    const webhook = { chainId, position, replay, id, failures, postponed, retraction, part, parts, body }
    if (fits) own.webhooks.push({ ...webhook, firstAt: firstAt ?? undefined })
    else own.cut = true
  }
  return loaded
}

export type LaneDemand = LaneKey & { after: bigint; limit: number }

const firstAttempts = withBodies(
  `SELECT v.source, f.*, row_number() OVER (PARTITION BY v.source ORDER BY f.position) AS place
   FROM unnest($1::int[], $2::smallint[], $3::uuid[], $4::bigint[], $5::bigint[], $6::int[])
     AS v (source, partition, stream_id, chain_id, after, most)
   CROSS JOIN LATERAL (
     SELECT * FROM webhook_queue q
     WHERE q.partition = v.partition AND q.stream_id = v.stream_id AND q.chain_id = v.chain_id AND q.position > v.after
       AND q.due_at IS NULL AND q.replay = 0
     ORDER BY q.position LIMIT v.most) f`,
  '$7',
)

/** What is to be attempted next in each lane: at most `limit` each, within `maxBytes` in all. */
export async function loadFirst(tx: Transaction, lanes: readonly LaneDemand[], maxBytes: number): Promise<Loaded[]> {
  const rows = await tx.rows<Columns>(firstAttempts, [
    lanes.map((_, lane) => lane),
    lanes.map((l) => l.partition),
    lanes.map((l) => l.streamId),
    lanes.map((l) => l.chainId),
    lanes.map((l) => l.after),
    lanes.map((l) => l.limit),
    maxBytes,
  ])
  return loadedOf(rows, lanes.length)
}

export type ReplayDemand = Omit<LaneDemand, 'chainId'>

const firstReplays = withBodies(
  `SELECT v.source, f.*, row_number() OVER (PARTITION BY v.source ORDER BY f.position, f.replay) AS place
   FROM unnest($1::int[], $2::smallint[], $3::uuid[], $4::bigint[], $5::int[]) AS v (source, partition, stream_id, after, most)
   CROSS JOIN LATERAL (
     SELECT * FROM webhook_queue q
     WHERE q.partition = v.partition AND q.stream_id = v.stream_id AND q.position > v.after AND q.due_at IS NULL AND q.replay > 0
     ORDER BY q.position, q.replay LIMIT v.most) f`,
  '$6',
)

/** Replays of each stream that were not attempted yet, in the order of their positions. */
export async function loadReplays(
  tx: Transaction,
  streams: readonly ReplayDemand[],
  maxBytes: number,
): Promise<Loaded[]> {
  const rows = await tx.rows<Columns>(firstReplays, [
    streams.map((_, stream) => stream),
    streams.map((s) => s.partition),
    streams.map((s) => s.streamId),
    streams.map((s) => s.after),
    streams.map((s) => s.limit),
    maxBytes,
  ])
  return loadedOf(rows, streams.length)
}

export type DueDemand = { partition: number; streamId: string; limit: number }
export type Due = Loaded & { nextDueAt: Date | undefined }

const dueRetries = withBodies(
  `SELECT v.source, f.*, row_number() OVER (PARTITION BY v.source ORDER BY f.due_at, f.position) AS place
   FROM unnest($1::int[], $2::smallint[], $3::uuid[], $4::int[]) AS v (source, partition, stream_id, most)
   CROSS JOIN LATERAL (
     SELECT * FROM webhook_queue q WHERE q.partition = v.partition AND q.stream_id = v.stream_id AND q.due_at <= $5
     ORDER BY q.due_at LIMIT v.most) f`,
  '$6',
)

/** Retries of each stream that are due, the oldest first, and when the next one after `now` will be. */
export async function loadDue(
  tx: Transaction,
  streams: readonly DueDemand[],
  { now, maxBytes }: { now: Date; maxBytes: number },
): Promise<Due[]> {
  const keys = [streams.map((_, i) => i), streams.map((s) => s.partition), streams.map((s) => s.streamId)]
  const rows = await tx.rows<Columns>(dueRetries, [...keys, streams.map((s) => s.limit), now, maxBytes])
  const next = await tx.rows<[number, Date]>(
    `SELECT v.stream, f.due_at FROM unnest($1::int[], $2::smallint[], $3::uuid[]) AS v (stream, partition, stream_id)
     CROSS JOIN LATERAL (
       SELECT due_at FROM webhook_queue WHERE partition = v.partition AND stream_id = v.stream_id AND due_at > $4
       ORDER BY due_at LIMIT 1
     ) f`,
    [...keys, now],
  )
  const answers = loadedOf(rows, streams.length).map((loaded): Due => ({ ...loaded, nextDueAt: undefined }))
  for (const [stream, dueAt] of next) answers[stream]!.nextDueAt = dueAt
  return answers
}

const oldest = withBodies(
  `SELECT v.source, f.*, 1 AS place FROM unnest($1::int[], $2::smallint[], $3::uuid[]) AS v (source, partition, stream_id)
   CROSS JOIN LATERAL (
     SELECT * FROM webhook_queue q WHERE q.partition = v.partition AND q.stream_id = v.stream_id
     ORDER BY q.replay > 0, q.position, q.replay LIMIT 1) f`,
  '$4',
)

/** What a stream has owed for longest, whether it is due or not; replays come after everything else. */
export async function loadOldest(
  tx: Transaction,
  { partition, streamId }: Pick<LaneKey, 'partition' | 'streamId'>,
): Promise<QueuedWebhook | undefined> {
  const rows = await tx.rows<Columns>(oldest, [[0], [partition], [streamId], 1])
  return loadedOf(rows, 1)[0]!.webhooks[0]
}
