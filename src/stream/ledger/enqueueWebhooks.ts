import type { Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { bufferToHex, hexToBuffer } from '../../util/hex.ts'
import { addTotals, createTotals, insertEntries } from './ledgerEntry.ts'
import type { NewWebhook } from './newWebhook.ts'

/**
 * Writes webhooks to ledger and queue, in order, in the transaction that moves the cursor past their blocks. Omits
 * webhooks that the ledger already has, not retracted, by stream, chain, block hash, kind and part: a reset chain may
 * share blocks with its predecessor. One call for many blocks costs little more than for one.
 */
export async function enqueueWebhooks(tx: Transaction, webhooks: readonly NewWebhook[]): Promise<void> {
  if (webhooks.length === 0) return
  const now = new Date()
  await count(tx, webhooks, 1, now)
  const flips = await readFlips(tx, webhooks)
  const entries = webhooks.map((webhook) => ({ ...webhook, flips: flips.get(blockKey(webhook)) ?? 0 }))
  await count(tx, await insertEntries(tx, entries, now), -1, now)
}

/** Adds webhooks to the matched counters, or subtracts them. */
async function count(tx: Transaction, webhooks: readonly NewWebhook[], sign: 1 | -1, now: Date): Promise<void> {
  const totals = createTotals()
  for (const webhook of webhooks) {
    const total = totals.of(webhook)
    total.matched += sign
    if (webhook.kind !== 'confirmed') continue
    total.logs += sign * webhook.counts.logs
    total.txs += sign * webhook.counts.txs
    total.txsInternal += sign * webhook.counts.txsInternal
  }
  await addTotals(tx, totals.all(), now)
}

function blockKey({ streamId, chainId, blockHash }: Pick<NewWebhook, 'streamId' | 'chainId' | 'blockHash'>): string {
  return `${streamId}:${chainId}:${blockHash}`
}

const block = defineLists<NewWebhook>({
  partition: list.int2((w) => w.partition),
  stream_id: list.uuid((w) => w.streamId),
  chain_id: list.int8((w) => w.chainId),
  block_hash: list.bytea((w) => hexToBuffer(w.blockHash)),
})

const flipsRow = defineRow({
  streamId: column.uuid('w.stream_id'),
  chainId: column.int8('w.chain_id'),
  blockHash: column.bytea('w.block_hash').map(bufferToHex),
  flips: column.int4('max(w.flips) + 1'),
})

/** How often blocks were retracted, if ever. `flips` of a retraction: earlier retractions of its block. */
const countFlips = `
SELECT ${flipsRow.columns} FROM ${block.unnest()} JOIN webhook w USING (${block.columns})
WHERE w.kind = 'retraction'
GROUP BY w.stream_id, w.chain_id, w.block_hash`

async function readFlips(tx: Transaction, webhooks: readonly NewWebhook[]): Promise<Map<string, number>> {
  const blocks = new Map(webhooks.map((webhook) => [blockKey(webhook), webhook]))
  const rows = await tx.rows(countFlips, block.lists([...blocks.values()]))
  return new Map(rows.map(flipsRow.decode).map((row) => [blockKey(row), row.flips]))
}
