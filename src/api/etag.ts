/** Whether an If-None-Match header names this tag: weak comparison, lists and `*` (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true
  const opaque = weak(etag)
  return ifNoneMatch.split(',').some((item) => item.trim() === '*' || weak(item.trim()) === opaque)
}

function weak(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}
