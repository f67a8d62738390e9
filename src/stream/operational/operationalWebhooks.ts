import type { Transaction } from '../../db/database.ts'

/** A webhook to the operator, at `webhooks.operationsUrl`. */
export type OperationalWebhook =
  | {
      type: 'stream.paused' | 'stream.error' | 'stream.resumed' | 'stream.terminated'
      data: { streamId: string; tag: string; statusMessage: string }
    }
  | {
      type: 'chain.stalled' | 'chain.resumed'
      /** `chainId` in hex; `reason` is empty if the chain is followed again. */
      data: { chainId: string; chain: string; reason: string }
    }

/** Most pending operational webhooks. If the address is dead or missing, the oldest are deleted. */
const mostWaiting = 1_000

/**
 * Writes operational webhooks in the transaction of the reported change, so that they exist only if it is committed.
 */
export async function writeOperationalWebhooks(
  tx: Transaction,
  operationalWebhooks: readonly OperationalWebhook[],
  now: Date,
): Promise<void> {
  if (operationalWebhooks.length === 0) return
  const bodies = operationalWebhooks.map(({ type, data }) =>
    JSON.stringify({ type, timestamp: now.toISOString(), data }),
  )
  await tx.run(
    'INSERT INTO operation_notice (body, due_at, created_at) SELECT unnest($1::text[]), $2::timestamptz, $2::timestamptz',
    [bodies, now],
  )
  // Skips operational webhooks that another transaction has locked, so that no caller waits.
  await tx.run(
    `DELETE FROM operation_notice WHERE seq IN (SELECT seq FROM operation_notice
       WHERE seq <= (SELECT max(seq) FROM operation_notice) - ${mostWaiting} FOR UPDATE SKIP LOCKED)`,
  )
}

/** Deletes all pending operational webhooks. */
export async function dropOperationalWebhooks(tx: Transaction): Promise<void> {
  await tx.run('DELETE FROM operation_notice')
}
