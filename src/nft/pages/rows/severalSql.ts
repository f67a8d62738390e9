import { sameToken } from '../../transfers/tokenHash.ts'
import { type MetadataTextOptions, mediaRows, metadataColumns, metadataTexts, pageColumns } from './metadataTexts.ts'
import { tokenBytes } from './tokenLines.ts'

// Tokens of several collections. Parameters: partitions in $1, collections in $2, hashes in $4.

const requested = 'unnest($1::int2[], $2::int8[], $4::uuid[]) AS k (partition, id, token_hash)'

const ofCollections = (column: string) => `
  SELECT json_object_agg(c.id, c.${column}::text)::text FROM (SELECT DISTINCT u.* FROM unnest($1::int2[], $2::int8[]) u (partition, id)) a
  JOIN collection c ON c.partition = a.partition AND c.id = a.id`
const traitsVersions = ofCollections('traits_version')
const versions = ofCollections('version')

/** `tokens`: a subquery with columns of `pageColumns`, or with those of metadata only. Includes trait counts with normalized metadata. */
const ofSeveral = (found: string, tokens: string | undefined, normalized: boolean) => `
SELECT ${pageColumns.select({
  tokens,
  ...metadataColumns.of('d'),
  traitsVersions: normalized ? 'v.text' : undefined,
  version: tokens && `(${versions})`,
})}
FROM (${found}) d${normalized ? ` CROSS JOIN (${traitsVersions}) v (text)` : ''}`

const mediaOf = (row: string, media: string, hash: string) =>
  `LEFT JOIN media ${media} ON ${media}.partition = ${row}.partition AND ${media}.collection_id = ${row}.collection_id AND ${media}.url_hash = ${hash}`

const previewsOf = (row: string, options: Pick<MetadataTextOptions, 'media' | 'details'>) =>
  mediaRows(options)
    .map(([media, hash]) => mediaOf(row, media, hash))
    .join(' ')

/** Scattered tokens are found by key, and their metadata by the token's key, as both are on one node of a cluster. */
export function selectListed(options: MetadataTextOptions): string {
  return ofSeveral(
    `SELECT string_agg(${tokenBytes}, '') AS tokens, ${metadataColumns.select(metadataTexts(options))}
  FROM ${requested}
  JOIN token t ON t.partition = k.partition AND t.collection_id = k.id AND t.token_hash = k.token_hash
  LEFT JOIN token_metadata m ON ${sameToken('m', 't')}
  ${previewsOf('t', options)}
  WHERE t.amount > 0`,
    'd.tokens',
    options.normalized,
  )
}

/** Metadata of tokens whose rows are already read. */
export function selectMetadata(options: MetadataTextOptions): string {
  return ofSeveral(
    `SELECT ${metadataColumns.select(metadataTexts(options))}
  FROM ${requested}
  JOIN token_metadata m ON m.partition = k.partition AND m.collection_id = k.id AND m.token_hash = k.token_hash
  ${previewsOf('m', options)}`,
    undefined,
    options.normalized,
  )
}

/**
 * The columns of metadata (`metadataColumns`) of `lists`, rows of partition, collection_id and a list of token_hashes; all null unless the SQL
 * condition `where` is true.
 */
export function metadataOfLists(
  given: MetadataTextOptions,
  { lists, where, staleBefore }: { lists: string; where: string; staleBefore: string },
): string {
  return `SELECT ${metadataColumns.select(metadataTexts(given, staleBefore))}
  FROM (SELECT l.*, unnest(l.token_hashes) AS token_hash FROM ${lists} l) l
  JOIN token_metadata m ON ${sameToken('m', 'l')}
  ${previewsOf('m', given)}
  WHERE ${where}`
}
