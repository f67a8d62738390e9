import type { Transaction } from '../../db/database.ts'
import { bufferToHex, hexToBuffer } from '../../util/hex.ts'
import { countFlips } from './enqueueSql.ts'
import { addTotals, createTotals, insertEntries } from './ledgerEntry.ts'
import type { NewWebhook } from './newWebhook.ts'

/**
 * Writes webhooks to the ledger and the queue, in their order, in the transaction that moves the cursor which says that their
 * blocks are done. One (stream, chain, block hash, kind) twice without a retraction between is a fault of the caller and fails
 * on the unique id. One call for many blocks costs little more than one for one.
 */
export async function enqueueWebhooks(tx: Transaction, webhooks: readonly NewWebhook[]): Promise<void> {
  if (webhooks.length === 0) return
  const now = new Date()
  const totals = createTotals()
  for (const webhook of webhooks) {
    const total = totals.of(webhook)
    total.matched += 1
    if (webhook.kind !== 'confirmed') continue
    total.logs += webhook.counts.logs
    total.txs += webhook.counts.txs
    total.txsInternal += webhook.counts.txsInternal
  }
  await addTotals(tx, totals.all(), now)
  const flips = await readFlips(tx, webhooks)
  await insertEntries(
    tx,
    webhooks.map((webhook) => ({ ...webhook, flips: flips.get(blockKey(webhook)) ?? 0 })),
    now,
  )
}

function blockKey({ streamId, chainId, blockHash }: Pick<NewWebhook, 'streamId' | 'chainId' | 'blockHash'>): string {
  return `${streamId}:${chainId}:${blockHash}`
}

async function readFlips(tx: Transaction, webhooks: readonly NewWebhook[]): Promise<Map<string, number>> {
  const blocks = new Map(webhooks.map((webhook) => [blockKey(webhook), webhook]))
  const distinct = [...blocks.values()]
  const rows = await tx.rows<[string, bigint, Buffer, number]>(countFlips, [
    distinct.map((w) => w.partition),
    distinct.map((w) => w.streamId),
    distinct.map((w) => w.chainId),
    distinct.map((w) => hexToBuffer(w.blockHash)),
  ])
  return new Map(
    rows.map(([streamId, chainId, hash, flips]) => [
      blockKey({ streamId, chainId, blockHash: bufferToHex(hash) }),
      flips,
    ]),
  )
}
