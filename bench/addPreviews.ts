import { createDatabase } from '../src/db/database.ts'
import { mediaText } from '../src/nft/media/mediaStore.ts'
import { noopLog } from '../src/util/log.ts'
import type { SocketConnection } from './temporaryPostgres.ts'

/** Stores previews of all images as if the service had made them, so that the service fetches none while pages are measured. */
export async function addPreviews(connection: Omit<SocketConnection, 'port'>): Promise<void> {
  const db = createDatabase({ connection, poolSize: 1, log: noopLog })
  const size = (name: string, pixels: number) => ({
    [name]: { width: pixels, height: pixels, url: `/media/${'ab'.repeat(32)}/${name}.webp` },
  })
  const sizes = JSON.stringify({ ...size('low', 100), ...size('medium', 250), ...size('high', 500) })
  await db.run(
    `INSERT INTO media (partition, collection_id, url_hash, url, status, mimetype, category, parent_hash, sizes, due_at, updated_at, ready)
     SELECT d.*, ${mediaText('d')} FROM (
       SELECT DISTINCT partition, collection_id, media_hash, media_url AS url, 'success' AS status, 'image/png' AS mimetype,
         'image' AS category, $1::text AS parent_hash, $2::text AS sizes, NULL::timestamptz AS due_at, now() AS updated_at
       FROM token_metadata WHERE media_url IS NOT NULL) d`,
    ['ab'.repeat(32), sizes],
  )
  await db.run('VACUUM ANALYZE')
  await db.close()
}
