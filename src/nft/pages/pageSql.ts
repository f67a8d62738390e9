import { mediaText } from '../media/mediaText.ts'
import { type HoldersWanted, holderSources } from './readHolders.ts'
import { standingOf } from './standing.ts'
import { tokenBytes } from './tokenLines.ts'

/**
 * The tokens that are wanted: those below a hash, those up to the end of the hash space, one, those of a list,
 * those of a list that match a filter of traits, those of a list of several collections, those whose lines were read before, or a token for
 * each of its holders.
 */
export type Wanted = Listed | HoldersWanted | 'listed' | 'read'
type Listed = 'below' | 'toTop' | 'one' | 'chosen' | 'matching'

/** Partition and id of the collection, as SQL. */
type Key = { partition: string; id: string }

const given: Key = { partition: '$1', id: '$2' }
const listed: Key = { partition: 'a.partition', id: 'a.id' }

const hex = (uuid: string) => `encode(uuid_send(${uuid}), 'hex')`

/** The members about rarity, as a token's line goes on. */
const rarityOf = ({ partition, id }: Key) => `coalesce((
    SELECT '"rarity_rank":' || r.rank || ',"rarity_percentage":' || trim_scale(round(100.0 * r.rank / (
      SELECT c.rarity_documents FROM collection c WHERE c.partition = ${partition} AND c.id = ${id}
    ), 6)) || ','
    FROM token_rarity r WHERE r.partition = ${partition} AND r.collection_id = ${id} AND r.token_hash = t.token_hash
  ), '"rarity_rank":null,"rarity_percentage":null,')`

/** Only the last part of the hash space includes its upper bound. */
const tokens: Record<Listed, string> = {
  below: 't.token_hash >= $4 AND t.token_hash < $5 ORDER BY t.token_hash DESC LIMIT $6',
  toTop: 't.token_hash >= $4 AND t.token_hash <= $5 ORDER BY t.token_hash DESC LIMIT $6',
  one: 't.token_hash = $4',
  chosen: 't.token_hash = ANY ($4::uuid[])',
  matching: `t.token_hash = ANY (ARRAY(
    SELECT x.token_hash FROM unnest($5::uuid[], $6::int4[]) AS f (trait, bit) JOIN token_trait x
      ON x.partition = $1 AND x.collection_id = $2 AND x.trait = f.trait AND x.token_hash = ANY ($4::uuid[])
    GROUP BY x.token_hash HAVING bit_or(f.bit) = $7
  ))`,
}

/** Stands between two texts of one column: a control character, which JSON text never holds as it is (RFC 8259, section 7). */
export const textSeparator = '\x1e'

/** Joins the values of all rows into one text. A `value` is never null, so that the same place in every list is of the same row. */
export const all = (value: string, order = '') => `string_agg(${value}, chr(${textSeparator.charCodeAt(0)})${order})`

/** LIMIT keeps the planner to one lookup by key for each preview. */
const previews = ({ partition, id }: Key) => `LEFT JOIN LATERAL (
  SELECT d.* FROM media d WHERE d.partition = ${partition} AND d.collection_id = ${id} AND d.url_hash = m.media_hash LIMIT 1
) d ON true`

const traitsVersion = ({ partition, id }: Key) =>
  `(SELECT c.traits_version::text FROM collection c WHERE c.partition = ${partition} AND c.id = ${id})`

const traitsVersions = `(
  SELECT json_object_agg(c.id, c.traits_version::text)::text FROM (SELECT DISTINCT u.* FROM unnest($1::int2[], $2::int8[]) u (partition, id)) a
  JOIN collection c ON c.partition = a.partition AND c.id = a.id
)`

/** SQL of `media` of a record as it is stored; the text is empty where no preview was asked for yet. */
const asked = {
  media: "coalesce(d.ready, CASE WHEN m.media_url IS NULL THEN 'null' ELSE '' END)",
  unasked: 'NULL',
}

/** SQL of `media` of a record, also where no preview was asked for yet, and of the addresses of which none was. */
const complete = {
  media: `CASE WHEN m.media_url IS NULL THEN 'null' ELSE coalesce(d.ready, ${mediaText('d', 'm.media_url')}) END`,
  unasked: `to_json(array_agg(DISTINCT ARRAY[m.collection_id::text, ${hex('m.media_hash')}, m.media_url,
    CASE WHEN m.media_hash <> md5(m.media_url)::uuid THEN ${hex('m.token_hash')} ELSE '' END
  ]) FILTER (WHERE m.media_url IS NOT NULL AND d.url IS NULL))::text`,
}

export type PageSqlOptions = {
  wanted: Wanted
  normalized: boolean
  media: boolean
  /** With the places by rarity in the lines. */
  rarity?: boolean
  /** Gives the addresses of which no preview was asked for yet, which costs a page 0.1 ms. */
  complete: boolean
}

/**
 * SQL of the tokens of a page and their documents, all in one row: with a row for each token this process took a third more time.
 * Parameters: $1 partition, $2 collection, $3 the time before which a document is too old, then the bounds. `listed` takes lists: the
 * partitions of tokens in $1, their collections in $2, their hashes in $4. `read` takes the hashes of tokens in $4, each maybe several times,
 * and lines in $5. Columns, bytes or texts in UTF-8:
 *
 * 1. the bytes of the tokens (`tokenBytes`), in the order of the page, for `listed` in any; for `read` the lines
 * 2. the hashes of tokens that have a document, 16 bytes each, and 3. of those whose document is too old
 * 4. in the order of the hashes, the parts of the records that documents decide, 5. their normalised forms and 6. their media, the latter
 *    two where they are asked for
 * 7. the addresses of which no preview was asked for: a JSON list of collection, md5, address, and hash of the token in whose document the
 *    whole address stands, '' where it needs none
 * 8. with normalised forms, and for `chosen`, the version of the counts of traits at the same moment; for `listed` a JSON object of them by
 *    collection
 * 9. where places by rarity are asked for, the members about them, in the order of the tokens
 * 10. where the collection stands at the same moment (`standing.ts`), but for `read` and `listed`
 *
 * The documents are read by one walk along their index, which is a third cheaper than a lookup for each token. PostgreSQL planned a plain
 * join of a range, while statistics were missing, as reading the whole collection for each token of a page (25 s).
 */
export function pageSql(options: PageSqlOptions): string {
  const name = JSON.stringify(options)
  let text = known.get(name)
  if (text === undefined) {
    text = writeSql(options)
    known.set(name, text)
  }
  return text
}

const known = new Map<string, string>()

function writeSql(options: PageSqlOptions): string {
  return options.wanted === 'listed' ? selectListed(options) : selectPage(options.wanted, options)
}

/** The texts of documents `m`, in one order. */
function documentTexts({ normalized, media, ...options }: PageSqlOptions): string {
  const source = options.complete ? complete : asked
  return `string_agg(uuid_send(m.token_hash), '') AS hashes,
    string_agg(CASE WHEN m.tried_at < $3 THEN uuid_send(m.token_hash) END, '') AS stale, ${all('m.record')} AS records,
    ${normalized ? documentsOnly("coalesce(m.normalized, 'null')") : 'NULL'} AS normalized, ${media ? documentsOnly(source.media) : 'NULL'} AS media,
    ${media ? source.unasked : 'NULL'} AS unasked`
}

/** The values of those rows that have a document. */
const documentsOnly = (value: string) => `${all(value)} FILTER (WHERE m.token_hash IS NOT NULL)`

function selectPage(wanted: Listed | HoldersWanted | 'read', options: PageSqlOptions): string {
  const { normalized, media, rarity = false } = options
  return `
SELECT page.lines, documents.*, ${normalized || wanted === 'chosen' ? traitsVersion(given) : 'NULL'}, page.rarities,
  ${wanted === 'read' ? 'NULL' : standingOf(given)}
FROM (${wanted === 'read' ? readLines : selectTokens(wanted, rarity)}) page CROSS JOIN LATERAL (
  SELECT ${documentTexts(options)}
  FROM token_metadata m ${media ? previews(given) : ''}
  WHERE ${ofKey('m', given)} AND m.token_hash = ANY (page.hashes)
) documents`
}

/** Of tokens at many places each is found by its key, and so is its document. */
function selectListed(options: PageSqlOptions): string {
  const { normalized, media, rarity = false } = options
  return `
SELECT string_agg(${tokenBytes}, ''), ${documentTexts(options)}, ${normalized ? traitsVersions : 'NULL'},
  ${rarity ? all(rarityOf(listed)) : 'NULL'}
FROM unnest($1::int2[], $2::int8[], $4::uuid[]) AS a (partition, id, token_hash)
JOIN token t ON t.partition = a.partition AND t.collection_id = a.id AND t.token_hash = a.token_hash
LEFT JOIN token_metadata m ON m.partition = a.partition AND m.collection_id = a.id AND m.token_hash = a.token_hash
${media ? 'LEFT JOIN media d ON d.partition = a.partition AND d.collection_id = a.id AND d.url_hash = m.media_hash' : ''}
WHERE t.amount > 0`
}

const readLines = `
  SELECT ${all('t.line', ' ORDER BY t.place')} AS lines, array_agg(t.token_hash) AS hashes, NULL AS rarities
  FROM unnest($4::uuid[], $5::text[]) WITH ORDINALITY AS t (token_hash, line, place)`

function selectTokens(wanted: Listed | HoldersWanted, rarity: boolean): string {
  const isHeld = wanted in holderSources
  const order = ` ORDER BY t.token_hash DESC${isHeld ? ', t.owner' : ''}`
  const source = isHeld
    ? holderSources[wanted as HoldersWanted]({ token: '$4', holder: '$5', limit: '$6' })
    : `SELECT t.* FROM token t WHERE ${ofKey('t', given)} AND t.amount > 0 AND ${tokens[wanted as Listed]}`
  return `
  SELECT string_agg(${tokenBytes}, ''${order}) AS lines, array_agg(t.token_hash) AS hashes,
    ${rarity ? all(rarityOf(given), order) : 'NULL'} AS rarities
  FROM (${source}) t`
}

const ofKey = (row: string, key: Key) => `${row}.partition = ${key.partition} AND ${row}.collection_id = ${key.id}`
