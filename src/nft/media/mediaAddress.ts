import type { Sql } from '../../db/database.ts'
import { mediaOf } from '../metadata/parse/mediaOf.ts'
import { inlineMedia } from '../metadata/parse/ownMedia.ts'
import { parseRendered } from '../metadata/parse/renderMetadata.ts'
import { type DueMedia, fileHash } from './mediaStore.ts'

/**
 * The URL for a preview. A long data: URI is stored only in the token's metadata or URI, and read from there. Undefined if the token has other
 * metadata by now, or was removed.
 */
export async function mediaAddress(
  sql: Sql,
  { partition, collectionId, urlHash, url, tokenHash, isFile }: DueMedia,
): Promise<string | undefined> {
  if (tokenHash === null) return url
  const [row] = await sql.rows<[string]>(
    `SELECT record FROM token_metadata
     WHERE partition = $1 AND collection_id = $2 AND token_hash = $3 AND ${isFile ? fileHash('media_hash') : 'media_hash'} = $4`,
    [partition, collectionId, tokenHash, urlHash],
  )
  if (!row) return undefined
  const { token_uri: uri, metadata } = parseRendered(row[0])
  const value = metadata === null ? await inlineMedia(uri ?? '') : JSON.parse(metadata)
  // Another version of this program may have found a URL where this one finds none; then there is no preview.
  return mediaOf(value) ?? ''
}
