import { createHash } from 'node:crypto'
import type { Collection, Snapshot } from './collections.ts'
import { type PageQuery, pagePayload } from './pageQuery.ts'

/** A page that can be asked for, whatever the state of its collection. */
export type PageTarget = {
  collection: Collection
  query: PageQuery
  /** Names of its two forms in the cache: the status stands in the body and can change while the version does not. */
  names: Record<Snapshot['status'], string>
  /** The page's own part of its ETag. */
  mark: string
  /** The ETag made last, and what for. */
  etag: { snapshot: Snapshot; text: string } | undefined
}

export function createPageTarget(options: {
  collection: Collection
  query: PageQuery
  /** What else decides the bytes of a page: the database that cursors are good for, and the program. */
  salt: string
}): PageTarget {
  const { collection, query, salt } = options
  const name = JSON.stringify(pagePayload(query))
  const mark = createHash('sha256').update(salt).update(name).digest('base64url').slice(0, 16)
  return { collection, query, names: { SYNCED: `+${name}`, SYNCING: `-${name}` }, mark, etag: undefined }
}

/** Weak, as it names the page and not the bytes of one encoding of it. */
export function etagOf(target: PageTarget, snapshot: Snapshot): string {
  if (target.etag?.snapshot === snapshot) return target.etag.text
  const id = snapshot.state?.id ?? 0n
  const text = `W/"${id}.${snapshot.version}.${snapshot.status === 'SYNCED' ? 1 : 0}.${target.mark}"`
  target.etag = { snapshot, text }
  return text
}
