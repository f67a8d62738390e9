import type { Transaction } from '../../db/database.ts'
import { enqueueWebhooks } from '../ledger/enqueueWebhooks.ts'
import type { NewWebhook } from '../ledger/newWebhook.ts'
import { UnmatchableError } from '../match/unmatchableError.ts'
import { awaitConfirmation, confirmed, readReceiving } from './confirmations.ts'
import { isRowFault } from './createRowWriter.ts'

/**
 * Enqueues what a stream missed of blocks before it joins the others, block by block: the confirmed webhooks alone of blocks up
 * to `confirmedTo`, of which an unconfirmed one says nothing that is new, and what the head gives of the others. Throws
 * UnmatchableError where the database refuses its rows.
 */
export async function enqueueBlocks(
  tx: Transaction,
  blocks: readonly (readonly NewWebhook[])[],
  confirmedTo: bigint,
): Promise<void> {
  const webhooks = blocks.flat()
  try {
    await enqueue(tx, webhooks, confirmedTo)
  } catch (cause) {
    const streamId = webhooks[0]?.streamId
    throw streamId !== undefined && isRowFault(cause) ? new UnmatchableError({ streamId, cause }) : cause
  }
}

async function enqueue(tx: Transaction, webhooks: readonly NewWebhook[], confirmedTo: bigint): Promise<void> {
  const isConfirmed = ({ blockNumber }: NewWebhook) => blockNumber <= confirmedTo
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
