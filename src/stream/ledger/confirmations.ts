import type { Sql, Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { bufferToHex, hexToBuffer } from '../../util/hex.ts'
import { confirmedBody } from '../payload/webhookPayload.ts'
import { bytesPerStatement, slicesBySize } from './ledgerEntry.ts'
import type { NewWebhook } from './newWebhook.ts'

const waiting = defineLists<NewWebhook>({
  partition: list.int2((w) => w.partition),
  stream_id: list.uuid((w) => w.streamId),
  chain_id: list.int8((w) => w.chainId),
  block_number: list.int8((w) => w.blockNumber),
  block_hash: list.bytea((w) => hexToBuffer(w.blockHash)),
  body: list.text((w) => w.body),
  logs: list.int4((w) => w.counts.logs),
  txs: list.int4((w) => w.counts.txs),
  txs_internal: list.int4((w) => w.counts.txsInternal),
  live: list.bool((w) => w.live),
  part: list.int4((w) => w.part),
  parts: list.int4((w) => w.parts),
})

const insert = `INSERT INTO stream_confirmation (${waiting.columns}) SELECT * FROM ${waiting.unnest()}`

/** Stores unconfirmed webhooks until their blocks are confirmed. */
export async function awaitConfirmation(tx: Transaction, webhooks: readonly NewWebhook[]): Promise<void> {
  const sizes = webhooks.map(({ body }) => body.length)
  for (const [from, to] of slicesBySize(sizes, bytesPerStatement))
    await tx.run(insert, waiting.lists(webhooks.slice(from, to)))
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

/** Removes and returns the webhooks of a chain's blocks up to this number, as confirmed webhooks in block order. */
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

/** The confirmed webhook of an unconfirmed one. */
export function confirmed(webhook: NewWebhook): NewWebhook {
  return { ...webhook, kind: 'confirmed', body: confirmedBody(webhook.body) }
}

/** Deletes pending confirmations of blocks above `fork`. */
export async function forgetConfirmations(tx: Transaction, chainId: bigint, fork: bigint): Promise<void> {
  await tx.run('DELETE FROM stream_confirmation WHERE chain_id = $1 AND block_number > $2', [chainId, fork])
}

/** Deletes pending confirmations of a stream. */
export async function deleteConfirmations(tx: Transaction, stream: { partition: number; id: string }): Promise<void> {
  await tx.run('DELETE FROM stream_confirmation WHERE partition = $1 AND stream_id = $2', [stream.partition, stream.id])
}

/** Whether any webhook of a chain awaits confirmation. */
export async function anyUnconfirmed(sql: Sql, chainId: bigint): Promise<boolean> {
  const [row] = await sql.rows<[boolean]>('SELECT EXISTS (SELECT 1 FROM stream_confirmation WHERE chain_id = $1)', [
    chainId,
  ])
  return row?.[0] ?? false
}

/** Ids of the streams that were neither deleted nor terminated. */
export async function readReceiving(sql: Sql, streamIds: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const rows = await sql.rows<[string]>(
    `SELECT id::text FROM stream WHERE id = ANY($1::uuid[]) AND status <> 'terminated'`,
    [[...streamIds]],
  )
  return new Set(rows.map(([id]) => id))
}
