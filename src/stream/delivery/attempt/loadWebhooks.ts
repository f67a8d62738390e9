import { type Database, joinByKeys, type Row, type Transaction } from '../../../db/database.ts'
import { defineLists, list } from '../../../db/defineLists.ts'
import { column, defineRow, type RowOf } from '../../../db/defineRow.ts'
import { inSendQueue, ofSendQueues, sendQueueLists } from '../../ledger/deliveryKeys.ts'
import { dropReturned } from '../../ledger/retractWebhooks.ts'

const sendQueueRow = defineRow({
  partition: column.int2('m.partition'),
  streamId: column.uuid('m.stream_id'),
  chainId: column.int8('m.chain_id'),
})

/** A send queue of first attempts: the webhooks of one stream on one chain. */
export type SendQueueKey = RowOf<typeof sendQueueRow>

const queuedRow = defineRow({
  /** Index of the send queue or stream in the requested list. */
  source: column.int4('f.source'),
  partition: column.int2('f.partition'),
  bodyBytes: column.int4('f.body_bytes'),
  chainId: column.int8('f.chain_id'),
  position: column.int8('f.position'),
  replay: column.int4('f.replay'),
  /** The header webhook-id. */
  id: column.uuid('f.id'),
  /** Failed attempts of this delivery. */
  failures: column.int4('f.failures'),
  /** Failed attempts that did not count against the schedule, as the receiver requested another time. */
  postponed: column.int4('f.postponed'),
  /** Time of its first attempt; undefined: none yet. */
  firstAt: column
    .timestamptz('f.first_at')
    .orNull()
    .map((at) => at ?? undefined),
  /** The webhook is a retraction. */
  retraction: column.bool('f.retraction'),
  /** Number of this part, from 1 to `parts`. */
  part: column.int4('f.part'),
  parts: column.int4('f.parts'),
})
type Queued = RowOf<typeof queuedRow>

/** A queued delivery with its body. */
export type QueuedWebhook = Omit<Queued, 'source' | 'partition' | 'bodyBytes'> & { body: string }

/** The webhooks of one source: a send queue or a stream. */
export type Loaded = {
  webhooks: QueuedWebhook[]
  /** More webhooks are pending whose bodies exceeded the byte limit. */
  cut: boolean
}

/**
 * Runs statements that read the queue by its indexes, as the planner cannot know whether it is empty or long
 * (`joinByKeys`).
 */
export function withIndexes<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(work, joinByKeys)
}

/** Send queues of these partitions with pending webhooks. */
export async function readSendQueues(tx: Transaction, partitions: readonly bigint[]): Promise<SendQueueKey[]> {
  const rows = await tx.rows(
    `SELECT ${sendQueueRow.columns} FROM webhook_matched m
     WHERE m.partition = ANY($1::smallint[]) AND EXISTS (
       SELECT 1 FROM webhook_queue q WHERE q.partition = m.partition AND q.stream_id = m.stream_id AND q.chain_id = m.chain_id)`,
    [partitions],
  )
  return rows.map(sendQueueRow.decode)
}

/** Rows of the queue. `requested` selects the rows of each source, numbered by `place` within the source. */
const queued = (requested: string) => `SELECT ${queuedRow.columns} FROM (${requested}) f ORDER BY f.place, f.source`

const bodyRow = defineRow({ position: column.int8('b.position'), body: column.text('b.body') })

const bodies = `
SELECT ${bodyRow.columns} FROM ${ofSendQueues} JOIN webhook_body b ON ${inSendQueue('b')}`

/**
 * Assigns queue rows with bodies to their sources, round robin over the sources, until the bodies reach `maxBytes`. The
 * body that crosses the limit is the last one. A separate statement reads the bodies, as a cluster node cannot know
 * which rows of all nodes fit.
 */
async function loadedOf(
  tx: Transaction,
  { rows, sources, maxBytes }: { rows: readonly Row[]; sources: readonly { streamId: string }[]; maxBytes: number },
): Promise<Loaded[]> {
  const loaded = sources.map((): Loaded => ({ webhooks: [], cut: false }))
  const fitting: Queued[] = []
  let bytes = 0
  for (const row of rows.map(queuedRow.decode)) {
    if (bytes < maxBytes) fitting.push(row)
    else loaded[row.source]!.cut = true
    bytes += row.bodyBytes
  }
  if (fitting.length === 0) return loaded
  const keys = fitting.map((row) => ({ ...row, streamId: sources[row.source]!.streamId }))
  const read = (await tx.rows(bodies, sendQueueLists(keys))).map(bodyRow.decode)
  const texts = new Map(read.map(({ position, body }) => [position, body]))
  for (const { source, partition: _, bodyBytes: __, ...webhook } of fitting) {
    const body = texts.get(webhook.position)
    if (body !== undefined) loaded[source]!.webhooks.push({ ...webhook, body })
  }
  return loaded
}

export type SendQueueDemand = SendQueueKey & { after: bigint; limit: number }

const demanded = {
  source: list.int4((_: unknown, place) => place),
  partition: list.int2((demand: { partition: number }) => demand.partition),
  stream_id: list.uuid((demand: { streamId: string }) => demand.streamId),
}
const sendQueue = defineLists<SendQueueDemand>({
  ...demanded,
  chain_id: list.int8((l) => l.chainId),
  after: list.int8((l) => l.after),
  most: list.int4((l) => l.limit),
})

/**
 * The sources of a list with their parameters, by partition, as `v`. Joined with `webhook_matched`, which has a row for
 * every source with pending webhooks: so each cluster node looks up only the rows of its own sources.
 */
const sources = (unnest: string, key: readonly string[], columns: readonly string[] = []) => {
  const own = key.map((name) => `m.${name}`)
  const on = key.map((name) => `m.${name} = v.${name}`)
  const requested = ['source', ...columns].map((name) => `v.${name}`)
  return `(SELECT DISTINCT ${[...own, ...requested].join(', ')} FROM ${unnest} JOIN webhook_matched m ON ${on.join(' AND ')}) v`
}
const sendQueueKey = ['partition', 'stream_id', 'chain_id']
const streamKey = ['partition', 'stream_id']

const firstAttempts = queued(
  `SELECT v.source, f.*, row_number() OVER (PARTITION BY v.partition, v.source ORDER BY f.position) AS place
   FROM ${sources(sendQueue.unnest(), sendQueueKey, ['after', 'most'])}
   CROSS JOIN LATERAL (
     SELECT * FROM webhook_queue q
     WHERE q.partition = v.partition AND q.stream_id = v.stream_id AND q.chain_id = v.chain_id AND q.position > v.after
       AND q.due_at IS NULL AND q.replay = 0
     ORDER BY q.position LIMIT v.most) f`,
)

/** The next webhooks of each send queue: at most `limit` each, and `maxBytes` in all. */
export async function loadFirst(
  tx: Transaction,
  sendQueues: readonly SendQueueDemand[],
  maxBytes: number,
): Promise<Loaded[]> {
  const rows = await tx.rows(firstAttempts, sendQueue.lists(sendQueues))
  return loadedOf(tx, { rows, sources: sendQueues, maxBytes })
}

export type ReplayDemand = Omit<SendQueueDemand, 'chainId'>

const replayed = defineLists<ReplayDemand>({
  ...demanded,
  after: list.int8((s) => s.after),
  most: list.int4((s) => s.limit),
})

const firstReplays = queued(
  `SELECT v.source, f.*, row_number() OVER (PARTITION BY v.partition, v.source ORDER BY f.position, f.replay) AS place
   FROM ${sources(replayed.unnest(), streamKey, ['after', 'most'])}
   CROSS JOIN LATERAL (
     SELECT * FROM webhook_queue q
     WHERE q.partition = v.partition AND q.stream_id = v.stream_id AND q.position > v.after AND q.due_at IS NULL AND q.replay > 0
     ORDER BY q.position, q.replay LIMIT v.most) f`,
)

/** Replays of each stream without an attempt, in the order of their positions. */
export async function loadReplays(
  tx: Transaction,
  streams: readonly ReplayDemand[],
  maxBytes: number,
): Promise<Loaded[]> {
  const rows = await tx.rows(firstReplays, replayed.lists(streams))
  return loadedOf(tx, { rows, sources: streams, maxBytes })
}

export type RetryDemand = { partition: number; streamId: string; limit: number }
export type LoadedRetries = Loaded & { nextDueAt: Date | undefined }

const retried = defineLists<RetryDemand>({ ...demanded, most: list.int4((s) => s.limit) })

const dueRetries = queued(
  `SELECT v.source, f.*, row_number() OVER (PARTITION BY v.partition, v.source ORDER BY f.due_at, f.position) AS place
   FROM ${sources(retried.unnest(2), streamKey, ['most'])}
   CROSS JOIN LATERAL (
     SELECT * FROM webhook_queue q WHERE q.partition = v.partition AND q.stream_id = v.stream_id AND q.due_at <= $1
     ORDER BY q.due_at LIMIT v.most) f`,
)

const stream = defineLists<Pick<SendQueueKey, 'partition' | 'streamId'>>(demanded)

const nextRetries = `
SELECT v.source, f.due_at FROM ${sources(stream.unnest(2), streamKey)}
CROSS JOIN LATERAL (
  SELECT due_at FROM webhook_queue WHERE partition = v.partition AND stream_id = v.stream_id AND due_at > $1
  ORDER BY due_at LIMIT 1
) f`

/** Due retries of each stream, oldest first, and the time of the next one after `now`. Drops retractions of blocks that returned to the chain. */
export async function loadRetries(
  tx: Transaction,
  streams: readonly RetryDemand[],
  { now, maxBytes }: { now: Date; maxBytes: number },
): Promise<LoadedRetries[]> {
  const rows = await tx.rows(dueRetries, [now, ...retried.lists(streams)])
  const next = await tx.rows<[number, Date]>(nextRetries, [now, ...stream.lists(streams)])
  const read = await loadedOf(tx, { rows, sources: streams, maxBytes })
  // A client that requests a replay gets it.
  const retractions = read.flatMap(({ webhooks }, source) =>
    webhooks
      .filter(({ retraction, replay }) => retraction && replay === 0)
      .map((webhook) => ({ ...streams[source]!, ...webhook })),
  )
  const dropped = await dropReturned(tx, retractions)
  const answers = read.map(
    ({ webhooks, cut }): LoadedRetries => ({
      cut,
      nextDueAt: undefined,
      webhooks: webhooks.filter(({ position }) => !dropped.has(position)),
    }),
  )
  for (const [source, dueAt] of next) answers[source]!.nextDueAt = dueAt
  return answers
}

const oldest = queued(
  `SELECT v.source, f.*, 1 AS place FROM ${sources(stream.unnest(), streamKey)}
   CROSS JOIN LATERAL (
     SELECT * FROM webhook_queue q WHERE q.partition = v.partition AND q.stream_id = v.stream_id
     ORDER BY q.replay > 0, q.position, q.replay LIMIT 1) f`,
)

/** The oldest pending webhook of a stream, due or not. A replay is returned only if nothing else is pending. */
export async function loadOldest(
  tx: Transaction,
  key: Pick<SendQueueKey, 'partition' | 'streamId'>,
): Promise<QueuedWebhook | undefined> {
  const rows = await tx.rows(oldest, stream.lists([key]))
  const [loaded] = await loadedOf(tx, { rows, sources: [key], maxBytes: 1 })
  return loaded!.webhooks[0]
}
