import { createHash } from 'node:crypto'
import type { Sql } from '../../../db/database.ts'
import { column, defineRow, type RowOf } from '../../../db/defineRow.ts'
import { streamPartition } from '../../../sync/partition.ts'
import { quantity } from '../../../util/hex.ts'
import type { LogItem, LogOptions, LogPlace, Page } from '../../query.ts'
import { urlOf } from '../urlHash.ts'
import { bodyField } from '../webhookBody.ts'
import { uuidOf } from '../webhookId.ts'
import { countLogs } from './countDeliveries.ts'

const logRow = defineRow({
  micros: column.text(`to_char(a.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`),
  position: column.int8('a.position'),
  replay: column.int4('a.replay'),
  number: column.int4('a.number'),
  streamId: column.uuid('a.stream_id::text'),
  delivered: column.bool('a.delivered'),
  code: column.int4('a.code').orNull(),
  error: column.text('a.error').orNull(),
  answer: column.bytea('a.answer').orNull(),
  at: column.timestamptz('a.at'),
  ms: column.float8('a.ms'),
  webhookId: column.uuid('w.id::text'),
  chainId: column.int8('w.chain_id'),
  blockNumber: column.int8('w.block_number'),
  url: column.text(urlOf('a')).orNull(),
  /** Null: the stream was deleted. */
  tag: column.text('s.tag').orNull(),
})
type LogRow = RowOf<typeof logRow>

const order = 'a.at DESC, a.position DESC, a.replay DESC, a.number DESC'

const place = '(a.at, a.position, a.replay, a.number) < ($1::timestamptz, $2::bigint, $3::int, $4::int)'

/** SELECT of a stream's attempts before ($1, $2, $3, $4), by the index of their times. */
const before = (partition: string, stream: string) => `
SELECT * FROM webhook_attempt a WHERE a.partition = ${partition} AND a.stream_id = ${stream} AND a.at <= $1
  AND ${place} ORDER BY ${order} LIMIT`

/** The latest $5 attempts of all streams belong to the $5 streams with the latest attempts. */
const latestStreams = `
SELECT d.partition, d.stream_id FROM webhook_delivered d CROSS JOIN LATERAL (${before('d.partition', 'd.stream_id')} 1) a ORDER BY ${order} LIMIT $5`

const ofLatestStreams = `
SELECT a.* FROM (SELECT DISTINCT d.partition, d.stream_id FROM (${latestStreams}) k JOIN webhook_delivered d USING (partition, stream_id)) k
CROSS JOIN LATERAL (${before('k.partition', 'k.stream_id')} $5) a ORDER BY ${order} LIMIT $5`

const ofOneStream = `${before('$6', '$7::uuid')} $5`

const ofWebhook = `SELECT a.* FROM webhook o JOIN webhook_attempt a ON a.partition = o.partition AND a.position = o.position
  WHERE o.partition = $6 AND o.stream_id = $7 AND o.id = $8 AND ${place} ORDER BY ${order} LIMIT $5`

const select = (attempts: string, partition?: string) => `
SELECT ${logRow.columns}
FROM (${attempts}) a
JOIN webhook w ON w.partition = a.partition AND w.position = a.position
LEFT JOIN stream s ON s.partition = w.partition AND s.id = w.stream_id
${partition ? `WHERE w.partition = ${partition}` : ''}
ORDER BY ${order}`

const endOfTime: LogPlace = { at: 'infinity', position: '0', replay: 0, number: 0 }

/**
 * Attempts, latest first. Needs no byte limit: an item has at most a kilobyte of the response, a URL, a tag and a
 * reason.
 */
export async function readLogItems(sql: Sql, options: LogOptions): Promise<Page<LogItem, LogPlace>> {
  const { limit, streamId, webhookId } = options
  const { at, position, replay, number } = options.after ?? endOfTime
  const values = [at, position, replay, number, limit + 1]
  const key = streamId === null ? [] : [streamPartition(streamId), streamId]
  const rows =
    streamId === null
      ? await sql.rows(select(ofLatestStreams), values)
      : webhookId
        ? await sql.rows(select(ofWebhook, '$6'), [...values, ...key, webhookId])
        : await sql.rows(select(ofOneStream, '$6'), [...values, ...key])
  const page = rows.slice(0, limit).map(logRow.decode)
  const last = page.at(-1)
  const next = rows.length > limit && last
  const tags = await readDeletedTags(sql, page)
  return {
    items: page.map((row) => itemOf(row, row.tag ?? tags.get(row.streamId) ?? '')),
    total: await countLogs(sql, options),
    next: next ? { at: last.micros, position: String(last.position), replay: last.replay, number: last.number } : null,
  }
}

/**
 * From the stored text, as Citus would search `webhook_body` on all nodes. Confirmed and unconfirmed bodies have the
 * same tag.
 */
const selectTag = `
SELECT ${bodyField.tag} FROM webhook_text t JOIN webhook_text b ON b.partition = t.partition AND b.position = coalesce(t.same_as, t.position)
WHERE t.partition = $1 AND t.position = $2`

/** The last tags of deleted streams, each from one body. */
async function readDeletedTags(sql: Sql, page: readonly LogRow[]): Promise<Map<string, string>> {
  const tags = new Map<string, string>()
  for (const { streamId, position, tag } of page) {
    if (tag !== null || tags.has(streamId)) continue
    const [row] = await sql.rows<[string | null]>(selectTag, [streamPartition(streamId), position])
    tags.set(streamId, row?.[0] ?? '')
  }
  return tags
}

function itemOf({ webhookId, replay, number, ...row }: LogRow, tag: string): LogItem {
  return {
    id: uuidOf(createHash('sha256').update(`${webhookId}:${replay}:${number}`).digest()),
    streamId: row.streamId,
    chain: quantity(row.chainId),
    webhookUrl: row.url ?? '',
    tag,
    retries: number - 1,
    deliveryStatus: row.delivered ? 'success' : 'failed',
    blockNumber: Number(row.blockNumber),
    errorMessage: row.error ?? '',
    type: 'evm',
    createdAt: row.at.toISOString(),
    webhookId,
    statusCode: row.code,
    latencyMs: row.ms,
    response: row.answer?.toString() ?? '',
  }
}
