import type { Sql } from '../../db/database.ts'
import type { CollectionState, RecordOptions } from '../query.ts'
import { sameToken } from '../transfers/tokenHash.ts'

/** A page whose metadata would be longer than this, in bytes, is cut short, but never below one record. */
const mostPageBytes = 16_777_216

/** Whether a page may be too long: it would be if every record were as long as the longest. */
export function isWide(state: CollectionState, limit: number): boolean {
  return state.metadataLongest * limit > mostPageBytes
}

const selectWidths = (operator: '<' | '<=') => `
SELECT coalesce(octet_length(m.record), 0) + CASE WHEN $6 THEN coalesce(octet_length(m.normalized), 0) ELSE 0 END
  + CASE WHEN $7 THEN coalesce(octet_length(m.media_url), 0) ELSE 0 END
FROM token t LEFT JOIN LATERAL (
  SELECT m.record, m.normalized, m.media_url FROM token_metadata m
  WHERE ${sameToken('m', 't')} LIMIT 1
) m ON true
WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0 AND t.token_hash >= $3 AND t.token_hash ${operator} $4
ORDER BY t.token_hash DESC LIMIT $5`
const widthsBelow = selectWidths('<')
const widthsToTop = selectWidths('<=')

/**
 * How many records of a page may be read. A hundred documents of a megabyte, each in a page up to four times, are more than a text can
 * hold. Postgres knows a length without reading the text. `key`: partition, collection and both bounds.
 */
export async function pageWidth(
  sql: Sql,
  request: { key: readonly unknown[]; toTop: boolean; limit: number; options: RecordOptions },
): Promise<number> {
  const { key, toTop, limit, options } = request
  const rows = await sql.rows<[number]>(toTop ? widthsToTop : widthsBelow, [
    ...key,
    limit,
    options.normalized,
    options.media,
  ])
  let bytes = 0
  for (const [i, [width]] of rows.entries()) {
    bytes += width
    if (bytes > mostPageBytes) return Math.max(1, i)
  }
  return limit
}
