import type { Transaction } from '../../db/database.ts'
import { enqueueWebhooks } from '../ledger/enqueueWebhooks.ts'
import type { NewWebhook } from '../ledger/newWebhook.ts'
import { awaitConfirmation, confirmed } from './confirmations.ts'

/**
 * Enqueues what a stream missed of blocks before it joins the others, block by block; with the confirmed webhooks of blocks up
 * to `confirmedTo`, the rest wait for theirs.
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
    webhooks.flatMap((webhook) => (isConfirmed(webhook) ? [webhook, confirmed(webhook)] : [webhook])),
  )
}
