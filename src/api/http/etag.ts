/** A row as it stands in one database: what versions belong to. No row yet: nothing that could be shown has a version. */
export type VersionedRow = { epoch: string; id: bigint | number }

/** Names the row in caches and tags, apart from a later row and from another database under the same name. */
export function rowName(row: VersionedRow | undefined): string {
  return row ? `${row.epoch}.${row.id}` : '0'
}

/** Whether an If-None-Match header names this tag: weak comparison, lists and `*` (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true
  const opaque = weak(etag)
  return ifNoneMatch.split(',').some((item) => item.trim() === '*' || weak(item.trim()) === opaque)
}

function weak(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}
