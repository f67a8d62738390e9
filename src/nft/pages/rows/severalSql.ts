import { sameToken } from '../../transfers/tokenHash.ts'
import { type DocumentOptions, documentColumns, documentTexts, pageColumns } from './documentTexts.ts'
import { tokenBytes } from './tokenLines.ts'

// Tokens of several collections. Parameters: their partitions in $1, their collections in $2, their hashes in $4.

const asked = 'unnest($1::int2[], $2::int8[], $4::uuid[]) AS a (partition, id, token_hash)'

const ofCollections = (column: string) => `
  SELECT json_object_agg(c.id, c.${column}::text)::text FROM (SELECT DISTINCT u.* FROM unnest($1::int2[], $2::int8[]) u (partition, id)) a
  JOIN collection c ON c.partition = a.partition AND c.id = a.id`
const traitsVersions = ofCollections('traits_version')
const versions = ofCollections('version')

/** `tokens`: a subquery with columns of `pageColumns`, or with those of documents alone. With the counts of traits where normalised forms are requested. */
const ofSeveral = (found: string, tokens: string | undefined, normalized: boolean) => `
SELECT ${pageColumns.select({
  tokens,
  ...documentColumns.of('d'),
  traitsVersions: normalized ? 'v.text' : undefined,
  version: tokens && `(${versions})`,
})}
FROM (${found}) d${normalized ? ` CROSS JOIN (${traitsVersions}) v (text)` : ''}`

const previewsOf = (row: string) =>
  `LEFT JOIN media d ON d.partition = ${row}.partition AND d.collection_id = ${row}.collection_id AND d.url_hash = m.media_hash`

/** Of tokens at many places each is found by its key, and so is its document: by the key of the token, as they are on one node of a cluster. */
export function selectListed(options: DocumentOptions): string {
  return ofSeveral(
    `SELECT string_agg(${tokenBytes}, '') AS tokens, ${documentColumns.select(documentTexts(options))}
  FROM ${asked}
  JOIN token t ON t.partition = a.partition AND t.collection_id = a.id AND t.token_hash = a.token_hash
  LEFT JOIN token_metadata m ON ${sameToken('m', 't')}
  ${options.media ? previewsOf('t') : ''}
  WHERE t.amount > 0`,
    'd.tokens',
    options.normalized,
  )
}

/** The documents of tokens that are known otherwise. */
export function selectTold(options: DocumentOptions): string {
  return ofSeveral(
    `SELECT ${documentColumns.select(documentTexts(options))}
  FROM ${asked}
  JOIN token_metadata m ON m.partition = a.partition AND m.collection_id = a.id AND m.token_hash = a.token_hash
  ${options.media ? previewsOf('m') : ''}`,
    undefined,
    options.normalized,
  )
}

/**
 * The columns of documents (`documentColumns`) of `lists`, rows of partition, collection_id and a list of token_hashes; all are null unless the
 * SQL condition `where` holds.
 */
export function documentsOfLists(
  given: Pick<DocumentOptions, 'normalized' | 'media'>,
  { lists, where, staleBefore }: { lists: string; where: string; staleBefore: string },
): string {
  return `SELECT ${documentColumns.select(documentTexts({ ...given, complete: false }, staleBefore))}
  FROM (SELECT l.*, unnest(l.token_hashes) AS token_hash FROM ${lists} l) l
  JOIN token_metadata m ON ${sameToken('m', 'l')}
  ${given.media ? previewsOf('m') : ''}
  WHERE ${where}`
}
