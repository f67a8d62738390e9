import type { Database } from '../../db/database.ts'
import { streamPartition } from '../../sync/partition.ts'
import { ConflictError, GoneError } from '../../util/errors.ts'
import { enqueueReplays } from './enqueueReplays.ts'
import { wasRemoved } from './removeSettled.ts'

/**
 * Enqueues one webhook of a stream again, unless it waits for its first attempt. False: the stream has no such webhook.
 * Throws BadRequestError for a terminated or deleted stream, ConflictError for a retracted webhook, and GoneError for
 * one that retention removed.
 */
export async function requestReplay(options: { db: Database; streamId: string; id: string }): Promise<boolean> {
  const { db, streamId, id } = options
  const partition = streamPartition(streamId)
  if ((await db.transaction((tx) => enqueueReplays(tx, streamId, 'w.stream_id = $2 AND w.id = $3', [id]))) > 0)
    return true
  const [known] = await db.rows<[boolean]>(
    'SELECT retracted FROM webhook WHERE partition = $1 AND stream_id = $2 AND id = $3',
    [partition, streamId, id],
  )
  if (known?.[0])
    throw new ConflictError(
      'a reorganisation removed the block of the webhook; a retracted webhook is never sent again',
    )
  if (known) return true
  if (await wasRemoved(db, { partition, streamId, id }))
    throw new GoneError('the body of the webhook was removed after webhooks.retentionDays; it cannot be sent again')
  return false
}
