import type { Database } from '../../db/database.ts'
import { ConflictError } from '../../errors.ts'
import { streamPartition } from '../streamPartition.ts'
import { enqueueReplays } from './enqueueReplays.ts'

/**
 * False: the stream has no such webhook. Throws BadRequestError for a stream that sends nothing any more, ConflictError for
 * what a reorganisation took back: its receiver was told that it is not so.
 */
export async function requestReplay(options: { db: Database; streamId: string; id: string }): Promise<boolean> {
  const { db, streamId, id } = options
  if ((await db.transaction((tx) => enqueueReplays(tx, streamId, 'w.id = $3', [id]))) > 0) return true
  const rows = await db.rows('SELECT FROM webhook WHERE partition = $1 AND stream_id = $2 AND id = $3 AND retracted', [
    streamPartition(streamId),
    streamId,
    id,
  ])
  if (rows.length > 0)
    throw new ConflictError('a reorganisation took its block away; what was retracted is not sent again')
  return false
}
