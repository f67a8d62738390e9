import type { Sql } from '../../db/database.ts'
import { mostPageBytes, type RecordOptions, type ShownCollection } from '../query.ts'
import { keyed } from '../transfers/keyed.ts'

/** Whether records may be too long for one page: if each were as long as the longest of its collection. */
export function isLarge(pages: readonly { state: ShownCollection; tokens: number }[]): boolean {
  let most = 0
  for (const { state, tokens } of pages) most += state.metadataLongest * tokens
  return most > mostPageBytes
}

/** SQL of the tokens' hashes with the sizes of metadata in their records; $1 and $2 are partition and collection. */
const selectWidths = (requested: { normalized: string; media: string }, tokens: string) => `
SELECT encode(uuid_send(t.token_hash), 'hex'), coalesce(octet_length(m.record), 0) + CASE WHEN ${requested.normalized} THEN coalesce(octet_length(m.normalized), 0) ELSE 0 END
  + CASE WHEN ${requested.media} THEN coalesce(octet_length(m.media_url), 0) + coalesce(octet_length(m.animation_url), 0) ELSE 0 END
FROM (${tokens}) t LEFT JOIN LATERAL (
  SELECT m.record, m.normalized, m.media_url, m.animation_url FROM token_metadata m
  WHERE m.partition = $1 AND m.collection_id = $2 AND m.token_hash = t.token_hash LIMIT 1
) m ON true
ORDER BY t.token_hash DESC`

const widthsOfPage = (operator: '<' | '<=') =>
  selectWidths(
    { normalized: '$6', media: '$7' },
    `SELECT t.token_hash FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0 AND t.token_hash >= $3 AND t.token_hash ${operator} $4
    ORDER BY t.token_hash DESC LIMIT $5`,
  )
const widthsBelow = widthsOfPage('<')
const widthsToTop = widthsOfPage('<=')
const widthsOfTokens = (tokens: string) => selectWidths({ normalized: '$4', media: '$5' }, tokens)
const widthsListed = widthsOfTokens(
  `SELECT t.token_hash FROM ${keyed({ table: 'token', row: 't', list: '$3::uuid[]', columns: 't.token_hash, t.amount' })} WHERE t.amount > 0`,
)
const widthsOfAll = widthsOfTokens('SELECT u AS token_hash FROM unnest($3::uuid[]) AS u')

type WidthRow = [hash: string, width: number]

/**
 * Size of metadata in the record of each of these listed tokens of a collection, by hash. `unlisted`: includes tokens that are not listed: burned ones,
 * and those of known contracts, which have no rows in `token`.
 */
export async function listedWidths(
  sql: Sql,
  { state, hashes, unlisted = false }: { state: ShownCollection; hashes: readonly string[]; unlisted?: boolean },
  { normalized, media }: RecordOptions,
): Promise<Map<string, number>> {
  const values = [state.partition, state.id, hashes, normalized, media]
  return new Map(await sql.rows<WidthRow>(unlisted ? widthsOfAll : widthsListed, values))
}

/** Number of tokens, from the first, whose metadata fits on one page; at least one. */
export function fitting(hashes: readonly string[], widths: ReadonlyMap<string, number>): number {
  let bytes = 0
  for (const [i, hash] of hashes.entries()) {
    bytes += widths.get(hash) ?? 0
    if (bytes > mostPageBytes) return Math.max(1, i)
  }
  return hashes.length
}

/**
 * Number of records that a page may read. A hundred records of a megabyte of metadata, each up to four times, exceed the longest string. PostgreSQL
 * knows a length without reading the text. `key`: partition, collection and both bounds.
 */
export async function pageWidth(
  sql: Sql,
  request: { key: readonly unknown[]; toTop: boolean; limit: number; options: RecordOptions },
): Promise<number> {
  const { key, toTop, limit, options } = request
  const rows = await sql.rows<WidthRow>(toTop ? widthsToTop : widthsBelow, [
    ...key,
    limit,
    options.normalized,
    options.media,
  ])
  const hashes = rows.map(([hash]) => hash)
  const fits = fitting(hashes, new Map(rows))
  return fits < rows.length ? fits : limit
}
