import { hash } from 'node:crypto'
import type { Sql } from '../../db/database.ts'
import { maxUrlLength } from '../../util/metadataBounds.ts'
import { publicUrlSlot, requestMedia } from './mediaStore.ts'

/** Media of a URL without a collection, as JSON of `media`; null: the URL is too long, or contains NUL. */
export type UriMedia = (uri: string) => Promise<string | null>

/** Id in place of a collection's; not in use. Its media are in the partition of their hash. */
const noCollection = 0n

/** The first request for a URL starts its previews, as for tokens. */
export function createUriMedia({ db, publicUrl }: { db: Sql; publicUrl: () => string }): UriMedia {
  async function read(partition: number, urlHash: string): Promise<string | undefined> {
    const [row] = await db.rows<[string]>(
      'SELECT ready FROM media WHERE partition = $1 AND collection_id = $2 AND url_hash = $3',
      [partition, noCollection, urlHash],
    )
    return row?.[0].replaceAll(publicUrlSlot, JSON.stringify(publicUrl()).slice(1, -1))
  }

  return async (uri) => {
    if (uri.length > maxUrlLength || uri.includes('\0')) return null
    const urlHash = hash('md5', uri)
    const partition = Number.parseInt(urlHash.slice(0, 2), 16)
    const known = await read(partition, urlHash)
    if (known !== undefined) return known
    await requestMedia(db, { partition, id: noCollection }, [{ urlHash, url: uri, tokenHash: null, isFile: false }])
    return (await read(partition, urlHash)) ?? null
  }
}
