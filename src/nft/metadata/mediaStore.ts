import type { Database, Sql } from '../../db/database.ts'
import { heldBy } from '../../sync/lease.ts'

/** The channel on which workers hear that previews were asked for. */
export const mediaDemandChannel = 'mintmark_media'

/** A preview that is to be made. */
export type DueMedia = { partition: number; collectionId: bigint; urlHash: string; url: string; attempts: number }

export type MediaStatus =
  | 'success'
  | 'unsupported_media'
  | 'invalid_url'
  | 'host_unavailable'
  | 'temporarily_unavailable'

/** What came of it. `retryAt` null: it is done. */
export type MediaResult = {
  status: MediaStatus
  mimetype: string | null
  category: string | null
  parentHash: string | null
  sizes: string | null
  retryAt: Date | null
}

export async function readDueMedia(
  sql: Sql,
  options: { partitions: readonly bigint[]; except: readonly string[]; limit: number },
): Promise<DueMedia[]> {
  const rows = await sql.rows<[number, bigint, string, string, number]>(
    `SELECT partition, collection_id, url_hash, url, attempts FROM media
     WHERE due_at <= now() AND partition = ANY($1::smallint[]) AND NOT url_hash = ANY($2::uuid[])
     ORDER BY due_at LIMIT $3`,
    [options.partitions, options.except, options.limit],
  )
  return rows.map(([partition, collectionId, urlHash, url, attempts]) => ({
    partition,
    collectionId,
    urlHash,
    url,
    attempts,
  }))
}

/** Stores what came of a preview and makes the pages that show it new. False: another worker has the partition. */
export async function settleMedia(db: Database, due: DueMedia, result: MediaResult, worker: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed = await tx.run(
      `UPDATE media SET status = $4, mimetype = $5, category = $6, parent_hash = $7, sizes = $8, due_at = $9,
         attempts = CASE WHEN $9::timestamptz IS NULL THEN 0 ELSE attempts + 1 END, updated_at = now()
       WHERE partition = $1 AND collection_id = $2 AND url_hash = $3 AND ${heldBy('partition', '$1', '$10')}`,
      [
        due.partition,
        due.collectionId,
        due.urlHash,
        result.status,
        result.mimetype,
        result.category,
        result.parentHash,
        result.sizes,
        result.retryAt,
        worker,
      ],
    )
    if (changed === 0) return false
    await tx.run('UPDATE collection SET version = version + 1 WHERE partition = $1 AND id = $2', [
      due.partition,
      due.collectionId,
    ])
    return true
  })
}
