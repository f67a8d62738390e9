import type { Sql } from '../../../db/database.ts'
import { column, defineRow, type RowOf } from '../../../db/defineRow.ts'
import { streamPartition } from '../../../sync/partition.ts'
import { quantity } from '../../../util/hex.ts'
import type {
  DeliveryListOptions,
  DeliveryPlace,
  ListedDelivery,
  Page,
  WebhookKind,
  WebhookStatus,
} from '../../query.ts'
import { urlOf } from '../urlHash.ts'
import { bodyField } from '../webhookBody.ts'
import { countDeliveries } from './countDeliveries.ts'
import { deliveryPlaces, endOfLedger, lastLookedAt } from './deliveryPlaces.ts'

const lastAttempt = `webhook_attempt e WHERE e.partition = b.partition AND e.position = b.position ORDER BY e.at DESC LIMIT 1`

/** A row of `select`. `withBody`: an SQL condition for reading the body. */
const historyRow = (withBody: string) =>
  defineRow({
    /** Number of webhooks of the page without a byte limit. */
    found: column.int8('(SELECT count(*) FROM places)'),
    position: column.int8('w.position'),
    id: column.uuid('w.id::text'),
    streamId: column.uuid('w.stream_id::text'),
    chainId: column.int8('w.chain_id'),
    blockNumber: column.int8('w.block_number'),
    kind: column.text<WebhookKind>('w.kind'),
    records: column.int4('w.logs + w.txs + w.txs_internal'),
    status: column.text<WebhookStatus>('w.status'),
    reason: column.text('w.reason').orNull(),
    createdAt: column.timestamptz('w.created_at'),
    failures: column
      .int8(
        '(SELECT count(*) FROM webhook_attempt a WHERE a.partition = b.partition AND a.position = b.position AND replay = 0 AND NOT delivered)',
      )
      .map(Number),
    error: column.text(`(SELECT e.error FROM ${lastAttempt})`).orNull(),
    url: column.text(`coalesce(w.webhook_url, (SELECT ${urlOf('e')} FROM ${lastAttempt}))`).orNull(),
    tag: column.text(`coalesce(w.tag, ${bodyField.tag})`).orNull(),
    body: column.text(`CASE WHEN ${withBody} THEN b.body END`).orNull(),
  })

type HistoryRow = RowOf<ReturnType<typeof historyRow>>

/** Most bytes of bodies per page, as it is parsed and serialised in memory. The first body is always read. */
const mostBytes = 4_194_304

/**
 * SELECT of the webhooks at `places`, a SELECT of (partition, position), as many as fit. `withBody`: an SQL condition.
 * A deleted stream's tag is read from the body. `partition`: SQL of their common partition, if they are of one stream.
 */
const select = (places: string, withBody: string, partition?: string) => `
WITH places AS (${places}),
sized AS (
  SELECT w.*, s.webhook_url, s.tag, CASE WHEN ${withBody} OR s.id IS NULL THEN b.bytes ELSE 0 END AS bytes
  FROM places JOIN webhook w USING (partition, position)
  JOIN webhook_body b USING (partition, position)
  LEFT JOIN stream s ON s.partition = w.partition AND s.id = w.stream_id
  ${partition ? `WHERE w.partition = ${partition}` : ''}),
fitting AS (SELECT *, sum(bytes) OVER down AS upto, row_number() OVER down AS place FROM sized WINDOW down AS (ORDER BY position DESC))
SELECT ${historyRow(withBody).columns}
FROM fitting w
JOIN webhook_body b ON b.partition = w.partition AND b.position = w.position
WHERE (w.place = 1 OR w.upto <= ${mostBytes}) ${partition ? `AND b.partition = ${partition}` : ''}
ORDER BY w.position DESC`

/** Webhooks of the ledger, latest first. */
export async function readDeliveries(
  sql: Sql,
  options: DeliveryListOptions,
): Promise<Page<ListedDelivery, DeliveryPlace>> {
  const { limit, after, excludePayload, streamId, webhookId, status } = options
  if (streamId !== null && webhookId) {
    const found = await readDelivery(sql, { streamId, id: webhookId, excludePayload })
    const items = found && (status === null || found.status === status) ? [found] : []
    return { items, total: items.length, next: null }
  }
  const filter = { status, ofStream: streamId !== null }
  const key = streamId === null ? [] : [streamPartition(streamId), streamId]
  const below = after ? BigInt(after.position) : endOfLedger
  const withBody = excludePayload ? 'false' : 'true'
  const text = select(deliveryPlaces(filter), withBody, filter.ofStream ? '$3' : undefined)
  const rows = await sql.rows(text, [below, limit + 1, ...key])
  const page = rows.slice(0, limit).map(historyRow(withBody).decode)
  const total = await countDeliveries(sql, { streamId, status })
  const found = Number(page[0]?.found ?? 0n)
  if (found > page.length) return pageOf(page, total, page.at(-1)!.position)
  if (status !== 'delivered') return pageOf(page, total, undefined)
  const [looked] = await sql.rows<[bigint]>(lastLookedAt(filter.ofStream), [below, ...key])
  return pageOf(page, total, looked?.[0])
}

function pageOf(
  rows: readonly HistoryRow[],
  total: number,
  last: bigint | undefined,
): Page<ListedDelivery, DeliveryPlace> {
  return { items: rows.map(itemOf), total, next: last === undefined ? null : { position: String(last) } }
}

/** One webhook of a stream. */
export async function readDelivery(
  sql: Sql,
  { streamId, id, excludePayload = false }: { streamId: string; id: string; excludePayload?: boolean },
): Promise<ListedDelivery | undefined> {
  const withBody = excludePayload ? 'false' : 'true'
  const [row] = await sql.rows(
    select(
      'SELECT partition, position FROM webhook WHERE partition = $1 AND id = $3 AND stream_id = $2',
      withBody,
      '$1',
    ),
    [streamPartition(streamId), streamId, id],
  )
  return row && itemOf(historyRow(withBody).decode(row))
}

function itemOf({ body, ...row }: HistoryRow): ListedDelivery {
  return {
    id: row.id,
    date: row.createdAt.toISOString(),
    ...(body !== null && { payload: JSON.parse(body) as unknown }),
    tinyPayload: {
      chainId: quantity(row.chainId),
      confirmed: row.kind === 'confirmed',
      block: String(row.blockNumber),
      records: row.records,
      retries: row.failures,
    },
    errorMessage: row.status === 'delivered' ? '' : (row.reason ?? row.error ?? ''),
    webhookUrl: row.url ?? '',
    streamId: row.streamId,
    tag: row.tag ?? '',
    status: row.status,
    kind: row.kind,
  }
}
