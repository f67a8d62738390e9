import { randomUUID } from 'node:crypto'
import type { Sql, Transaction } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { streamPartition } from '../../sync/partition.ts'
import { BadRequestError } from '../../util/errors.ts'
import type { WebhookStatus } from '../query.ts'
import type { RangeReplay, ReplayRange } from '../store.ts'
import { assertSends, enqueueReplays } from './enqueueReplays.ts'

/** Webhooks that one step, a single transaction, reads. */
const mostTogether = 1_000

/** Most queued replays of a stream, so that the queue stays short for any range. */
const mostWaiting = 5_000

/**
 * Webhooks that are counted to find the bounds of a range in the ledger. For a longer range, the whole ledger is read.
 */
const mostCounted = 50_000

/** Remaining work of a running replay. */
const remainingRow = defineRow({
  streamId: column.uuid('stream_id::text'),
  chainId: column.int8('chain_id').orNull(),
  fromBlock: column.int8('from_block').orNull(),
  toBlock: column.int8('to_block').orNull(),
  status: column.text<WebhookStatus>('webhook_status').orNull(),
  next: column.int8('next_position'),
  last: column.int8('last_position'),
})

/** Progress of a replay. */
const progressRow = defineRow({
  status: column.text<RangeReplay['status']>('status'),
  message: column.text('message'),
  first: column.int8('first_position'),
  next: column.int8('next_position'),
  last: column.int8('last_position'),
  replayed: column.int8('replayed').map(Number),
  createdAt: column.timestamptz('created_at').map((at) => at.toISOString()),
  updatedAt: column.timestamptz('updated_at').map((at) => at.toISOString()),
})

/**
 * Stores the replay of a range of a stream's webhooks, and enqueues the first of them. undefined: the stream never
 * existed. Throws BadRequestError for a terminated or deleted stream.
 */
export async function requestRangeReplay(options: {
  tx: Transaction
  streamId: string
  range: ReplayRange
}): Promise<RangeReplay | undefined> {
  const { tx, streamId, range } = options
  const partition = streamPartition(streamId)
  const [known] = await tx.rows('SELECT 1 FROM webhook_delivered WHERE partition = $1 AND stream_id = $2', [
    partition,
    streamId,
  ])
  if (!known) return undefined
  const id = randomUUID()
  const { first, last } = await readBounds(tx, streamId, range)
  await tx.run(
    `INSERT INTO range_replay (partition, id, stream_id, chain_id, from_block, to_block, webhook_status, first_position, next_position, last_position)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`,
    [partition, id, streamId, range.chainId, range.fromBlock, range.toBlock, range.status, first, last],
  )
  await advance(tx, { partition, id })
  const [stream] = await tx.rows<[string]>('SELECT status FROM stream WHERE partition = $1 AND id = $2', [
    partition,
    streamId,
  ])
  assertSends(stream?.[0])
  return readRangeReplay(tx, streamId, id)
}

const boundsRow = defineRow({
  count: column.int8('count(*)'),
  min: column.int8('min(position)').orNull(),
  max: column.int8('max(position)').orNull(),
})

/** First and last position of the range. Later webhooks do not belong to it. */
async function readBounds(
  tx: Transaction,
  streamId: string,
  { chainId, fromBlock, toBlock }: ReplayRange,
): Promise<{ first: bigint; last: bigint }> {
  const [row] = await tx.rows<[bigint]>('SELECT last_value FROM webhook_position')
  const all = { first: 1n, last: row![0] }
  if (fromBlock === null && toBlock === null) return all
  const [found] = await tx.rows(
    `SELECT ${boundsRow.columns} FROM (
       SELECT w.position FROM webhook_matched m
       CROSS JOIN LATERAL (SELECT position FROM webhook
         WHERE partition = m.partition AND stream_id = m.stream_id AND chain_id = m.chain_id AND block_number BETWEEN $4 AND $5 LIMIT $6) w
       WHERE m.partition = $1 AND m.stream_id = $2 AND ($3::bigint IS NULL OR m.chain_id = $3) LIMIT $6) range`,
    [streamPartition(streamId), streamId, chainId, fromBlock ?? 0n, toBlock ?? 10n ** 18n, mostCounted],
  )
  const { count, min, max } = boundsRow.decode(found!)
  if (count >= BigInt(mostCounted)) return all
  return min === null || max === null ? { first: all.last + 1n, last: all.last } : { first: min, last: max }
}

/**
 * Takes the next step of a running replay. False: enough replays are queued, another transaction takes the step, or the
 * replay has ended.
 */
export async function advanceRangeReplay(tx: Transaction, key: { partition: number; id: string }): Promise<boolean> {
  try {
    await tx.script('SAVEPOINT queueing')
    return await advance(tx, key)
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error
    await tx.script('ROLLBACK TO SAVEPOINT queueing')
    await tx.run(
      `UPDATE range_replay SET status = 'stopped', message = $3, updated_at = now() WHERE partition = $1 AND id = $2`,
      [key.partition, key.id, error.message],
    )
    return true
  }
}

async function advance(tx: Transaction, { partition, id }: { partition: number; id: string }): Promise<boolean> {
  const [row] = await tx.rows(
    `SELECT ${remainingRow.columns} FROM range_replay
     WHERE partition = $1 AND id = $2 AND status = 'running' FOR UPDATE SKIP LOCKED`,
    [partition, id],
  )
  if (!row) return false
  const { streamId, chainId, fromBlock, toBlock, status, next, last } = remainingRow.decode(row)
  const [waiting] = await tx.rows<[bigint]>(
    `SELECT count(*) FROM (SELECT 1 FROM webhook_queue
       WHERE partition = $1 AND stream_id = $2 AND due_at IS NULL AND replay > 0 LIMIT $3) waiting`,
    [partition, streamId, mostWaiting],
  )
  const most = Math.min(mostTogether, mostWaiting - Number(waiting?.[0] ?? 0n))
  if (most <= 0) return false
  // Failed and dropped webhooks are listed in their own table.
  const listed =
    status === 'failed' || status === 'dropped'
      ? `webhook_undelivered WHERE status = '${status}'`
      : 'webhook WHERE true'
  const positions = await tx.rows<[bigint]>(
    `SELECT position FROM ${listed} AND partition = $1 AND stream_id = $2 AND position BETWEEN $3 AND $4 ORDER BY position LIMIT $5`,
    [partition, streamId, next, last, most],
  )
  const replayed = await enqueueReplays(
    tx,
    streamId,
    `w.position = ANY($3::bigint[]) AND ($4::bigint IS NULL OR w.chain_id = $4) AND ($5::bigint IS NULL OR w.block_number >= $5)
     AND ($6::bigint IS NULL OR w.block_number <= $6) AND ($7::text IS NULL OR w.status = $7)`,
    [positions.map(([position]) => position), chainId, fromBlock, toBlock, status],
  )
  const done = positions.length < most
  await tx.run(
    `UPDATE range_replay SET next_position = $3, replayed = replayed + $4, status = $5, updated_at = now() WHERE partition = $1 AND id = $2`,
    [partition, id, done ? last + 1n : positions.at(-1)![0] + 1n, replayed, done ? 'done' : 'running'],
  )
  return true
}

/** undefined: the stream has no such replay. */
export async function readRangeReplay(sql: Sql, streamId: string, id: string): Promise<RangeReplay | undefined> {
  const [row] = await sql.rows(
    `SELECT ${progressRow.columns} FROM range_replay WHERE partition = $1 AND id = $2 AND stream_id = $3`,
    [streamPartition(streamId), id, streamId],
  )
  if (!row) return undefined
  const { first, next, last, ...reported } = progressRow.decode(row)
  const progress = last < first ? 1 : Math.round((1_000 * Number(next - first)) / Number(last - first + 1n)) / 1_000
  return { id, streamId, progress, ...reported }
}

/** Running replays of these partitions, oldest first. */
export async function readRunning(
  sql: Sql,
  partitions: ReadonlySet<bigint>,
): Promise<{ partition: number; id: string }[]> {
  const rows = await sql.rows<[number, string]>(
    `SELECT partition, id::text FROM range_replay WHERE status = 'running' AND partition = ANY($1::smallint[]) ORDER BY created_at`,
    [[...partitions]],
  )
  return rows.map(([partition, id]) => ({ partition, id }))
}
