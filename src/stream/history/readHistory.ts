import type { Sql } from '../../db/database.ts'
import { bodyField } from '../ledger/webhookBody.ts'
import type { HistoryItem, HistoryOptions, HistoryPlace, Page, WebhookStatus } from '../query.ts'
import { streamPartition } from '../streamPartition.ts'

type Columns = [
  position: bigint,
  id: string,
  streamId: string,
  chainId: bigint,
  blockNumber: bigint,
  kind: string,
  records: number,
  status: WebhookStatus,
  reason: string | null,
  createdAt: Date,
  failures: bigint,
  error: string | null,
  url: string | null,
  tag: string | null,
  body: string | null,
]

/** `$1`: whether with the body. */
const select = `
SELECT w.position, w.id::text, w.stream_id::text, w.chain_id, w.block_number, w.kind, w.logs + w.txs + w.txs_internal, w.status, w.reason,
  w.created_at, a.failures, e.error, coalesce(s.webhook_url, u.url), coalesce(s.tag, ${bodyField.tag}), CASE WHEN $1 THEN b.body END
FROM webhook w
JOIN webhook_body b ON b.partition = w.partition AND b.position = w.position
LEFT JOIN stream s ON s.partition = w.partition AND s.id = w.stream_id
LEFT JOIN LATERAL (SELECT count(*) AS failures FROM webhook_attempt
  WHERE partition = w.partition AND position = w.position AND replay = 0 AND NOT delivered) a ON true
LEFT JOIN LATERAL (SELECT error, url_hash FROM webhook_attempt
  WHERE partition = w.partition AND position = w.position ORDER BY at DESC LIMIT 1) e ON true
LEFT JOIN webhook_url u ON u.partition = get_byte(e.url_hash, 0) AND u.hash = e.url_hash`

/** Webhooks of the ledger, the latest first. */
export async function readHistory(sql: Sql, options: HistoryOptions): Promise<Page<HistoryItem, HistoryPlace>> {
  const { limit, after, excludePayload, streamId, status } = options
  // Two statements, each with an index of its own.
  const [ofStream, key] =
    streamId === null ? ['', []] : ['AND w.partition = $5 AND w.stream_id = $6', [streamPartition(streamId), streamId]]
  const rows = await sql.rows<Columns>(
    `${select}
     WHERE ($2::bigint IS NULL OR w.position < $2) AND ($3::text IS NULL OR w.status = $3) ${ofStream}
     ORDER BY w.position DESC LIMIT $4`,
    [!excludePayload, after && BigInt(after.position), status, limit + 1, ...key],
  )
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(itemOf),
    total: await countWebhooks(sql, streamId),
    next: rows.length > limit && last ? { position: String(last[0]) } : null,
  }
}

/** One webhook of a stream. */
export async function readHistoryItem(sql: Sql, streamId: string, id: string): Promise<HistoryItem | undefined> {
  const [row] = await sql.rows<Columns>(`${select} WHERE w.partition = $2 AND w.stream_id = $3 AND w.id = $4`, [
    true,
    streamPartition(streamId),
    streamId,
    id,
  ])
  return row && itemOf(row)
}

function itemOf(row: Columns): HistoryItem {
  const [, id, streamId, chainId, block, kind, records, status, reason, at, failures, error, url, tag, body] = row
  return {
    id,
    date: at.toISOString(),
    ...(body !== null && { payload: JSON.parse(body) as unknown }),
    tinyPayload: {
      chainId: `0x${chainId.toString(16)}`,
      confirmed: kind === 'confirmed',
      block: String(block),
      records,
      retries: Number(failures),
    },
    errorMessage: status === 'delivered' ? '' : (reason ?? error ?? ''),
    webhookUrl: url ?? '',
    streamId,
    tag: tag ?? '',
    status,
  }
}

async function countWebhooks(sql: Sql, streamId: string | null): Promise<number> {
  const [row] = await sql.rows<[bigint | null]>(
    'SELECT sum(matched)::int8 FROM webhook_matched WHERE $1::uuid IS NULL OR (partition = $2 AND stream_id = $1)',
    [streamId, streamId === null ? null : streamPartition(streamId)],
  )
  return Number(row?.[0] ?? 0n)
}
