import type { Sql, Transaction } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { bufferToHex, hexToBuffer } from '../../util/hex.ts'
import { confirmedBody } from '../payload/webhookPayload.ts'
import type { NewWebhook } from './newWebhook.ts'
import { bytesPerStatement, slicesBySize } from './slicesBySize.ts'

/** Keeps unconfirmed webhooks until their blocks are confirmed. */
export async function awaitConfirmation(tx: Transaction, webhooks: readonly NewWebhook[]): Promise<void> {
  const sizes = webhooks.map(({ body }) => body.length)
  for (const [from, to] of slicesBySize(sizes, bytesPerStatement)) await insert(tx, webhooks.slice(from, to))
}

async function insert(tx: Transaction, webhooks: readonly NewWebhook[]): Promise<void> {
  await tx.run(
    `INSERT INTO stream_confirmation (partition, stream_id, chain_id, block_number, block_hash, body, logs, txs, txs_internal, live, part, parts)
     SELECT * FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bytea[], $6::text[], $7::int[], $8::int[],
       $9::int[], $10::boolean[], $11::int[], $12::int[])`,
    [
      webhooks.map((w) => w.partition),
      webhooks.map((w) => w.streamId),
      webhooks.map((w) => w.chainId),
      webhooks.map((w) => w.blockNumber),
      webhooks.map((w) => hexToBuffer(w.blockHash)),
      webhooks.map((w) => w.body),
      webhooks.map((w) => w.counts.logs),
      webhooks.map((w) => w.counts.txs),
      webhooks.map((w) => w.counts.txsInternal),
      webhooks.map((w) => w.live),
      webhooks.map((w) => w.part),
      webhooks.map((w) => w.parts),
    ],
  )
}

const waitingRow = defineRow({
  partition: column.int2('partition'),
  streamId: column.uuid('stream_id::text'),
  blockNumber: column.int8('block_number'),
  blockHash: column.bytea('block_hash').map(bufferToHex),
  body: column.text('body'),
  logs: column.int4('logs'),
  txs: column.int4('txs'),
  txsInternal: column.int4('txs_internal'),
  live: column.bool('live'),
  part: column.int4('part'),
  parts: column.int4('parts'),
})

/** Takes out what is confirmed up to a block, as confirmed webhooks in order of their blocks. */
export async function takeConfirmed(tx: Transaction, chainId: bigint, number: bigint): Promise<NewWebhook[]> {
  if (number < 0n) return []
  const rows = await tx.rows(
    `DELETE FROM stream_confirmation WHERE chain_id = $1 AND block_number <= $2
     RETURNING ${waitingRow.columns}`,
    [chainId, number],
  )
  return rows
    .map(waitingRow.decode)
    .map(({ logs, txs, txsInternal, ...webhook }) =>
      confirmed({ ...webhook, chainId, kind: 'unconfirmed', counts: { logs, txs, txsInternal } }),
    )
    .sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.part - b.part)
}

/** The confirmed webhook of a block whose unconfirmed one this is. */
export function confirmed(webhook: NewWebhook): NewWebhook {
  return { ...webhook, kind: 'confirmed', body: confirmedBody(webhook.body) }
}

/** Blocks above `fork` will not be confirmed. */
export async function forgetConfirmations(tx: Transaction, chainId: bigint, fork: bigint): Promise<void> {
  await tx.run('DELETE FROM stream_confirmation WHERE chain_id = $1 AND block_number > $2', [chainId, fork])
}

/** Nothing that a stream matched will be confirmed. */
export async function deleteConfirmations(tx: Transaction, stream: { partition: number; id: string }): Promise<void> {
  await tx.run('DELETE FROM stream_confirmation WHERE partition = $1 AND stream_id = $2', [stream.partition, stream.id])
}

/** True where any block of a chain waits for confirmation. */
export async function anyUnconfirmed(sql: Sql, chainId: bigint): Promise<boolean> {
  const [row] = await sql.rows<[boolean]>('SELECT EXISTS (SELECT FROM stream_confirmation WHERE chain_id = $1)', [
    chainId,
  ])
  return row?.[0] ?? false
}

/** Those of these streams that are still there to be sent to, by id. */
export async function readReceiving(sql: Sql, streamIds: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const rows = await sql.rows<[string]>(
    `SELECT id::text FROM stream WHERE id = ANY($1::uuid[]) AND status <> 'terminated'`,
    [[...streamIds]],
  )
  return new Set(rows.map(([id]) => id))
}
