import type { Transaction } from '../../db/database.ts'
import { enqueueWebhooks } from '../ledger/enqueueWebhooks.ts'
import type { NewWebhook } from '../ledger/newWebhook.ts'
import { awaitConfirmation, confirmed, readReceiving } from './confirmations.ts'

/**
 * Enqueues what a stream missed of blocks before it joins the others, block by block: the confirmed webhooks alone of blocks up
 * to `confirmedTo`, of which an unconfirmed one says nothing that is new, and what the head gives of the others.
 */
export async function enqueueBlocks(
  tx: Transaction,
  blocks: readonly (readonly NewWebhook[])[],
  confirmedTo: bigint,
): Promise<void> {
  const isConfirmed = ({ blockNumber }: NewWebhook) => blockNumber <= confirmedTo
  const webhooks = blocks.flat()
  await awaitConfirmation(
    tx,
    webhooks.filter((webhook) => !isConfirmed(webhook)),
  )
  await enqueueWebhooks(
    tx,
    webhooks.flatMap((webhook) => {
      if (isConfirmed(webhook)) return [confirmed(webhook)]
      return webhook.confirmedOnly ? [] : [webhook]
    }),
  )
}

/** Enqueues webhooks of any streams of a chain, but of those that were terminated or deleted since they were matched. */
export async function enqueueReceiving(tx: Transaction, webhooks: readonly NewWebhook[]): Promise<void> {
  if (webhooks.length === 0) return
  const receiving = await readReceiving(tx, new Set(webhooks.map(({ streamId }) => streamId)))
  await enqueueWebhooks(
    tx,
    webhooks.filter(({ streamId }) => receiving.has(streamId)),
  )
}
