import type { Database } from '../../db/database.ts'
import { mediaDemandChannel } from './mediaStore.ts'

/**
 * Has the preview of a source made again, whose files are gone. Its row says meanwhile what it said. False: there is none of
 * this hash.
 */
export async function renewMedia(db: Database, parentHash: string): Promise<boolean> {
  const [known] = await db.rows<[number, bigint, string, boolean]>(
    `SELECT partition, collection_id, url_hash::text, due_at IS NOT NULL FROM media
     WHERE parent_hash = $1 AND status = 'success' ORDER BY due_at LIMIT 1`,
    [parentHash],
  )
  if (!known) return false
  const [partition, collectionId, urlHash, isDue] = known
  if (isDue) return true
  await db.rows(
    `WITH renewed AS (
       UPDATE media SET due_at = now() WHERE partition = $1 AND collection_id = $2 AND url_hash = $3 AND due_at IS NULL
     ), due AS (
       INSERT INTO media_turn AS t (partition, collection_id) VALUES ($1, $2)
       ON CONFLICT (partition, collection_id) DO UPDATE SET due_at = now() WHERE t.due_at IS NULL OR t.due_at > now()
     )
     SELECT pg_notify('${mediaDemandChannel}', '')`,
    [partition, collectionId, urlHash],
  )
  return true
}
