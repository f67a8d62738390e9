import type { Sql, Transaction } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { streamPartition } from '../../sync/partition.ts'
import { UnknownStreamError } from '../../util/errors.ts'
import type { DeliveryMode, StreamPlace, StreamStatus } from '../demand.ts'
import { deleteConfirmations } from '../ledger/confirmations.ts'
import type { StreamDefinition } from '../streamDefinition.ts'
import type { WebhookHeaders } from './webhookHeaders.ts'

const iso = (at: string) => `to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Creation time of a stream, in microseconds since 1970: the order of lists. */
const madeAt = '(extract(epoch FROM created_at) * 1000000)::bigint'

/** The row of its address in `webhook_url` (stream/ledger/urlHash.ts). */
const ownUrl = `FROM webhook_url u WHERE u.hash = substring(sha256(convert_to(stream.webhook_url, 'UTF8')) FROM 1 FOR 16)
  AND u.partition = get_byte(sha256(convert_to(stream.webhook_url, 'UTF8')), 0)`

/** Columns, given the SQL of the stream's partition and id. */
const columnsOf = ({ partition, id }: { partition: string; id: string }) => ({
  partition: column.int2('partition'),
  id: column.uuid('id'),
  status: column.text<StreamStatus>('status'),
  statusMessage: column.text('status_message'),
  webhookUrl: column.text('webhook_url'),
  webhookSecret: column.text('webhook_secret'),
  headers: column.jsonb<WebhookHeaders>('headers'),
  delivery: column.text<DeliveryMode>('delivery'),
  /** Whether webhooks are sent compressed. */
  gzip: column.bool('gzip'),
  description: column.text('description'),
  tag: column.text('tag'),
  chainIds: column.int8Array('chain_ids'),
  definition: column.jsonb<StreamDefinition>('definition'),
  /** Why its history is stopped; null: it is not. */
  historyFailure: column
    .text(
      `(SELECT string_agg(f.failure, '; ') FROM (
         SELECT c.failure FROM stream_chain c WHERE c.partition = ${partition} AND c.stream_id = ${id}
         UNION SELECT a.failure FROM stream_addition a WHERE a.partition = ${partition} AND a.stream_id = ${id}) f)`,
    )
    .orNull(),
  /** Nothing is sent to its address until then (ISO 8601), as the receiver requested that; null: it is sent. */
  pausedUntil: column.text(`(SELECT ${iso('u.paused_until')} ${ownUrl} AND u.paused_until > now())`).orNull(),
  addresses: column.int8('addresses'),
  /** ISO 8601. */
  createdAt: column.text(iso('created_at')),
  updatedAt: column.text(iso('updated_at')),
})

/** For stream $2 in partition $1. */
const streamRow = defineRow(columnsOf({ partition: '$1', id: '$2' }))
const listedRow = defineRow({
  at: column.text(`${madeAt}::text`),
  ...columnsOf({ partition: 'stream.partition', id: 'stream.id' }),
})

export type StreamRow = RowOf<typeof streamRow>

/**
 * Whether a stream is matched. A stream in error is, but its webhooks wait. Paused and terminated streams keep their
 * place.
 */
export function isMatched(status: StreamStatus): boolean {
  return status === 'active' || status === 'error'
}

export async function readStream(sql: Sql, id: string, lock = false): Promise<StreamRow | undefined> {
  const key = [streamPartition(id), id]
  if (lock) await sql.rows('SELECT 1 FROM stream WHERE partition = $1 AND id = $2 FOR UPDATE', key)
  const [row] = await sql.rows(`SELECT ${streamRow.columns} FROM stream WHERE partition = $1 AND id = $2`, key)
  return row && streamRow.decode(row)
}

/** Throws UnknownStreamError. */
export async function readKnownStream(sql: Sql, id: string, lock = false): Promise<StreamRow> {
  const stream = await readStream(sql, id, lock)
  if (!stream) throw new UnknownStreamError(id)
  return stream
}

export async function listStreams(
  sql: Sql,
  options: { after: StreamPlace | null; limit: number },
): Promise<{ streams: StreamRow[]; total: number; next: StreamPlace | null }> {
  const { after, limit } = options
  const rows = await sql.rows(
    `SELECT ${listedRow.columns} FROM stream WHERE $1::bigint IS NULL OR (${madeAt}, id) > ($1::bigint, $2::uuid)
     ORDER BY ${madeAt}, id LIMIT $3`,
    [after?.at ?? null, after?.id ?? null, limit + 1],
  )
  const [total] = await sql.rows<[bigint]>('SELECT count(*) FROM stream')
  const page = rows.slice(0, limit).map(listedRow.decode)
  const last = page.at(-1)
  return {
    streams: page.map(({ at: _, ...stream }) => stream),
    total: Number(total![0]),
    next: rows.length > limit && last ? { at: last.at, id: last.id } : null,
  }
}

export async function insertStream(
  tx: Transaction,
  stream: Omit<StreamRow, 'createdAt' | 'updatedAt' | 'historyFailure' | 'pausedUntil'>,
): Promise<void> {
  await tx.run(
    `INSERT INTO stream (partition, id, status, status_message, webhook_url, webhook_secret, description, tag, chain_ids, definition, headers, delivery, gzip, addresses)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [...valuesOf(stream), stream.addresses],
  )
}

export async function updateStream(tx: Transaction, stream: StreamRow): Promise<void> {
  await tx.run(
    `UPDATE stream SET status = $3, status_message = $4, webhook_url = $5, webhook_secret = $6, description = $7, tag = $8,
       chain_ids = $9, definition = $10, headers = $11, delivery = $12, gzip = $13, updated_at = now()
     WHERE partition = $1 AND id = $2`,
    valuesOf(stream),
  )
}

/** The key of a stream and the values of a change, in the order of both statements. */
function valuesOf(stream: Omit<StreamRow, 'createdAt' | 'updatedAt' | 'historyFailure' | 'pausedUntil'>): unknown[] {
  const { partition, id, status, statusMessage, webhookUrl, webhookSecret, description, tag, chainIds } = stream
  const texts = [status, statusMessage, webhookUrl, webhookSecret, description, tag]
  const { definition, headers, delivery, gzip } = stream
  return [partition, id, ...texts, chainIds, JSON.stringify(definition), JSON.stringify(headers), delivery, gzip]
}

/** Records that a stream leaves chains, and returns all chains that it ever left. */
export async function removeChains(
  tx: Transaction,
  { partition, id }: StreamRow,
  chainIds: readonly bigint[],
): Promise<bigint[]> {
  const [row] = await tx.rows<[string[]]>(
    `UPDATE stream SET left_chains = ARRAY(SELECT unnest(left_chains) UNION SELECT unnest($3::bigint[]))
     WHERE partition = $1 AND id = $2 RETURNING left_chains`,
    [partition, id, chainIds],
  )
  // Pending history of added addresses is not needed there any more. Locks places first, as `holdAdditions` does.
  const own = 'partition = $1 AND stream_id = $2 AND chain_id = ANY($3::bigint[])'
  await tx.rows(`SELECT 1 FROM stream_chain WHERE ${own} ORDER BY chain_id FOR UPDATE`, [partition, id, chainIds])
  await tx.run(`DELETE FROM stream_addition WHERE ${own}`, [partition, id, chainIds])
  return row![0].map(BigInt)
}

export async function readFormerChains(sql: Sql, { partition, id }: StreamRow): Promise<bigint[]> {
  const [row] = await sql.rows<[string[]]>('SELECT left_chains FROM stream WHERE partition = $1 AND id = $2', [
    partition,
    id,
  ])
  return (row?.[0] ?? []).map(BigInt)
}

/**
 * Deletes a stream, its places, and its pending history and confirmations. `deleteAllAddresses` deletes its addresses,
 * `forgetChanges` its changes; its ledger stays.
 */
export async function deleteStream(
  tx: Transaction,
  { partition, id }: Pick<StreamRow, 'partition' | 'id'>,
): Promise<void> {
  const key = [partition, id]
  await tx.run('DELETE FROM stream_chain WHERE partition = $1 AND stream_id = $2', key)
  await tx.run('DELETE FROM stream_addition WHERE partition = $1 AND stream_id = $2', key)
  await tx.run('DELETE FROM stream_brought WHERE partition = $1 AND stream_id = $2', key)
  await tx.run('DELETE FROM stream_watched WHERE partition = $1 AND stream_id = $2', key)
  await tx.run('DELETE FROM stream_since WHERE partition = $1 AND stream_id = $2', key)
  await deleteConfirmations(tx, { partition, id })
  await tx.run('DELETE FROM stream WHERE partition = $1 AND id = $2', key)
}

/** Number of streams by status; unused statuses are omitted. */
export async function countStreams(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql.rows<[string, bigint]>('SELECT status, count(*) FROM stream GROUP BY status ORDER BY status')
  return Object.fromEntries(rows.map(([status, count]) => [status, Number(count)]))
}
