import type { Transaction } from '../../db/database.ts'
import { isRowFault } from '../../util/faults/inputFault.ts'
import { awaitConfirmation, confirmed, readReceiving } from '../ledger/confirmations.ts'
import { enqueueWebhooks } from '../ledger/enqueueWebhooks.ts'
import type { NewWebhook } from '../ledger/newWebhook.ts'
import { UnmatchableError } from '../match/unmatchableError.ts'

/** `confirmedTo`: the last confirmed block. `headFrom`: the first block that is not history. */
type ReportedStatus = { confirmedTo: bigint; headFrom: bigint }

/**
 * Enqueues a stream's webhooks for blocks of its history or join, block by block. A confirmed block of history produces
 * only the confirmed webhook. Other blocks produce the unconfirmed one, and the confirmed one now or upon confirmation.
 * All parts of the unconfirmed webhook come before those of the confirmed one.
 * Throws UnmatchableError if the database rejects its rows.
 */
export async function enqueueBlocks(
  tx: Transaction,
  blocks: readonly (readonly NewWebhook[])[],
  reported: ReportedStatus,
): Promise<void> {
  try {
    await enqueue(tx, blocks, reported)
  } catch (cause) {
    const streamId = blocks.flat()[0]?.streamId
    throw streamId !== undefined && isRowFault(cause) ? new UnmatchableError({ streamId, cause }) : cause
  }
}

async function enqueue(
  tx: Transaction,
  blocks: readonly (readonly NewWebhook[])[],
  { confirmedTo, headFrom }: ReportedStatus,
): Promise<void> {
  const isConfirmed = ({ blockNumber }: NewWebhook) => blockNumber <= confirmedTo
  const isReported = (webhook: NewWebhook) =>
    !webhook.confirmedOnly && (webhook.blockNumber >= headFrom || !isConfirmed(webhook))
  await awaitConfirmation(
    tx,
    blocks.flat().filter((webhook) => !isConfirmed(webhook)),
  )
  await enqueueWebhooks(
    tx,
    blocks.flatMap((parts) => [...parts.filter(isReported), ...parts.filter(isConfirmed).map(confirmed)]),
  )
}

/** Enqueues webhooks of several streams of a chain, except streams that were terminated or deleted since matching. */
export async function enqueueReceiving(tx: Transaction, webhooks: readonly NewWebhook[]): Promise<void> {
  if (webhooks.length === 0) return
  const receiving = await readReceiving(tx, new Set(webhooks.map(({ streamId }) => streamId)))
  await enqueueWebhooks(
    tx,
    webhooks.filter(({ streamId }) => receiving.has(streamId)),
  )
}
