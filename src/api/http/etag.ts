import { createHash } from 'node:crypto'

/** A row of one database. Versions are comparable within one row only. */
export type VersionedRow = { epoch: string; id: bigint | number }

/**
 * Identifies the row in caches and tags. A recreated row, or one restored into another database, has another name. `0`:
 * there is no row yet.
 */
export function rowName(row: VersionedRow | undefined): string {
  return row ? `${row.epoch}.${row.id}` : '0'
}

/** The strong entity tag of these bytes. With `W/` before it, the weak tag of all their encodings (RFC 9110, 8.8.1). */
export function bytesTag(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}

/** Whether an If-None-Match header matches this tag: weak comparison, lists and `*` (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true
  const opaque = weak(etag)
  return ifNoneMatch.split(',').some((item) => item.trim() === '*' || weak(item.trim()) === opaque)
}

function weak(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}
