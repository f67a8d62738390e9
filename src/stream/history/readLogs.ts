import { createHash } from 'node:crypto'
import type { Sql } from '../../db/database.ts'
import { uuidOf } from '../ledger/webhookId.ts'
import type { LogItem, LogOptions, LogPlace, Page } from '../query.ts'
import { streamPartition } from '../streamPartition.ts'

type Columns = [
  micros: string,
  position: bigint,
  replay: number,
  number: number,
  streamId: string,
  delivered: boolean,
  code: number | null,
  error: string | null,
  answer: Buffer | null,
  at: Date,
  ms: number,
  webhookId: string,
  chainId: bigint,
  blockNumber: bigint,
  url: string | null,
  tag: string | null,
]

/** Attempts, the latest first. */
export async function readLogs(sql: Sql, options: LogOptions): Promise<Page<LogItem, LogPlace>> {
  const { limit, after, streamId } = options
  const partition = streamId === null ? null : streamPartition(streamId)
  const rows = await sql.rows<Columns>(
    `SELECT to_char(a.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), a.position, a.replay, a.number, a.stream_id::text, a.delivered,
       a.code, a.error, a.answer, a.at, a.ms, w.id::text, w.chain_id, w.block_number, u.url, coalesce(s.tag, '')
     FROM webhook_attempt a
     JOIN webhook w ON w.partition = a.partition AND w.position = a.position
     LEFT JOIN webhook_url u ON u.partition = get_byte(a.url_hash, 0) AND u.hash = a.url_hash
     LEFT JOIN stream s ON s.partition = a.partition AND s.id = a.stream_id
     WHERE ($1::timestamptz IS NULL OR (a.at <= $1 AND (a.at, a.position, a.replay, a.number) < ($1, $2::bigint, $3::int, $4::int)))
       AND ($5::uuid IS NULL OR (a.partition = $6 AND a.stream_id = $5))
     ORDER BY a.at DESC, a.position DESC, a.replay DESC, a.number DESC LIMIT $7`,
    [after?.at, after?.position, after?.replay, after?.number, streamId, partition, limit + 1].map((v) => v ?? null),
  )
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next = rows.length > limit && last
  return {
    items: page.map(itemOf),
    total: await countAttempts(sql, streamId, partition),
    next: next ? { at: last[0], position: String(last[1]), replay: last[2], number: last[3] } : null,
  }
}

function itemOf(row: Columns): LogItem {
  const [, , replay, number, streamId, delivered, code, error, answer, at, ms, webhookId, chainId, block, url, tag] =
    row
  return {
    id: uuidOf(createHash('sha256').update(`${webhookId}:${replay}:${number}`).digest()),
    streamId,
    chain: `0x${chainId.toString(16)}`,
    webhookUrl: url ?? '',
    tag: tag ?? '',
    retries: number - 1,
    deliveryStatus: delivered ? 'success' : 'failed',
    blockNumber: Number(block),
    errorMessage: error ?? '',
    type: 'evm',
    createdAt: at.toISOString(),
    webhookId,
    statusCode: code,
    latencyMs: ms,
    response: answer?.toString() ?? '',
  }
}

/** By the counters: replays of what was delivered before are not among them. */
async function countAttempts(sql: Sql, streamId: string | null, partition: number | null): Promise<number> {
  const [row] = await sql.rows<[bigint | null]>(
    'SELECT sum(delivered + failed)::int8 FROM webhook_delivered WHERE $1::uuid IS NULL OR (partition = $2 AND stream_id = $1)',
    [streamId, partition],
  )
  return Number(row?.[0] ?? 0n)
}
