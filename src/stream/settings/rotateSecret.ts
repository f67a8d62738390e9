import type { Database } from '../../db/database.ts'
import { streamPartition } from '../../sync/partition.ts'
import { keepSecret } from '../ledger/streamState.ts'
import { createWebhookSecret } from '../sign/webhookSecret.ts'

/** Sets a new secret of a stream; the previous one still signs for `overlapMs`. undefined: there is no such stream. */
export function rotateSecret(
  db: Database,
  { streamId, overlapMs }: { streamId: string; overlapMs: number },
): Promise<{ webhookSecret: string; previousUntil: string } | undefined> {
  const partition = streamPartition(streamId)
  const webhookSecret = createWebhookSecret()
  return db.transaction(async (tx) => {
    const [row] = await tx.rows<[string]>(
      'SELECT webhook_secret FROM stream WHERE partition = $1 AND id = $2 FOR UPDATE',
      [partition, streamId],
    )
    if (!row) return undefined
    await tx.run('UPDATE stream SET webhook_secret = $3, updated_at = now() WHERE partition = $1 AND id = $2', [
      partition,
      streamId,
      webhookSecret,
    ])
    await keepSecret(tx, { partition, id: streamId, secret: row[0], overlapMs })
    return { webhookSecret, previousUntil: new Date(Date.now() + overlapMs).toISOString() }
  })
}
