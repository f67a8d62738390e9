import { mediaText } from '../media/mediaStore.ts'
import { distinct, keyed } from '../transfers/keyed.ts'
import { sameToken } from '../transfers/tokenHash.ts'
import { type HoldersWanted, holderSources } from './readHolders.ts'
import { versionOf } from './standing.ts'
import { tokenBytes, tokenColumns } from './tokenLines.ts'

/**
 * The tokens that are wanted: those below a hash, those up to the end of the hash space, one, those of a list,
 * those of a list that match a filter of traits, those of a list of several collections, whose bytes may have been read before (`told`), those
 * whose lines were, or a token for each of its holders.
 */
export type Wanted = Listed | HoldersWanted | 'listed' | 'told' | 'read'
type Listed = 'below' | 'toTop' | 'one' | 'chosen' | 'matching'

/** What is of the collection. */
const ofKey = (row: string) => `${row}.partition = $1 AND ${row}.collection_id = $2`

const hex = (uuid: string) => `encode(uuid_send(${uuid}), 'hex')`

/** The members about rarity, as a token's line goes on. */
const rarityOf = `coalesce((
    SELECT '"rarity_rank":' || r.rank || ',"rarity_percentage":' || trim_scale(round(100.0 * r.rank / (
      SELECT c.rarity_documents FROM collection c WHERE c.partition = $1 AND c.id = $2
    ), 6)) || ','
    FROM token_rarity r WHERE ${ofKey('r')} AND r.token_hash = t.token_hash
  ), '"rarity_rank":null,"rarity_percentage":null,')`

const listedTokens = (where: string) =>
  `SELECT ${tokenColumns} FROM token t WHERE ${ofKey('t')} AND t.amount > 0 AND ${where}`

const keyedTokens = (list: string) =>
  `SELECT t.* FROM ${keyed({ table: 'token', row: 't', list, columns: tokenColumns })} WHERE t.amount > 0`

/** Only the last part of the hash space includes its upper bound. */
const tokens: Record<Listed, string> = {
  below: listedTokens('t.token_hash >= $4 AND t.token_hash < $5 ORDER BY t.token_hash DESC LIMIT $6'),
  toTop: listedTokens('t.token_hash >= $4 AND t.token_hash <= $5 ORDER BY t.token_hash DESC LIMIT $6'),
  one: listedTokens('t.token_hash = $4'),
  chosen: keyedTokens('$4::uuid[]'),
  matching: keyedTokens(`ARRAY(
    SELECT h.token_hash FROM unnest($5::uuid[], $6::int4[]) AS f (trait, bit) CROSS JOIN unnest($4::uuid[]) AS h (token_hash) CROSS JOIN LATERAL (
      SELECT 1 FROM token_trait x WHERE ${ofKey('x')} AND x.trait = f.trait AND x.token_hash = h.token_hash LIMIT 1
    ) x
    GROUP BY h.token_hash HAVING bit_or(f.bit) = $7
  )`),
}

/** These lie anywhere in the hash space; the others are all listed tokens, or holdings, of a part of it. */
const scattered: ReadonlySet<Wanted> = new Set<Wanted>(['chosen', 'matching', 'read'])

/** Stands between two texts of one column: a control character, which JSON text never holds as it is (RFC 8259, section 7). */
export const textSeparator = '\x1e'

/** Joins the values of all rows into one text. A `value` is never null, so that the same place in every list is of the same row. */
export const all = (value: string, order = '') => `string_agg(${value}, chr(${textSeparator.charCodeAt(0)})${order})`

/** LIMIT keeps the planner to one lookup by key for each preview. */
const previews = `LEFT JOIN LATERAL (
  SELECT d.* FROM media d WHERE ${ofKey('d')} AND d.url_hash = m.media_hash LIMIT 1
) d ON true`

const traitsVersion = '(SELECT c.traits_version::text FROM collection c WHERE c.partition = $1 AND c.id = $2)'

const traitsVersions = `
  SELECT json_object_agg(c.id, c.traits_version::text)::text FROM (SELECT DISTINCT u.* FROM unnest($1::int2[], $2::int8[]) u (partition, id)) a
  JOIN collection c ON c.partition = a.partition AND c.id = a.id`

/** SQL of `media` of a record as it is stored; the text is empty where no preview was asked for yet. */
const stored = {
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
 * and lines in $5. `told` takes lists as `listed` does. Columns, bytes or texts in UTF-8:
 *
 * 1. the bytes of the tokens (`tokenBytes`), in the order of the page, for `listed` in any; for `read` the lines, for `told` nothing
 * 2. the hashes of tokens that have a document, 16 bytes each, and 3. of those whose document is too old
 * 4. in the order of the hashes, the parts of the records that documents decide, 5. their normalised forms and 6. their media, the latter
 *    two where they are asked for
 * 7. the addresses of which no preview was asked for: a JSON list of collection, md5, address, and hash of the token in whose document the
 *    whole address stands, '' where it needs none
 * 8. with normalised forms, and for `chosen`, the version of the counts of traits at the same moment; for `listed` and `told` a JSON
 *    object of them by collection
 * 9. where places by rarity are asked for, which they are not with these two, the members about them, in the order of the tokens
 * 10. the version of the collection at the same moment, but for `read`, `listed` and `told`
 *
 * The documents of neighbours are read by one walk along their index, which is a third cheaper than a lookup for each token. PostgreSQL planned a plain
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
  const { wanted } = options
  if (wanted === 'told') return selectTold(options)
  return wanted === 'listed' ? selectListed(options) : selectPage(wanted, options)
}

/** The texts of documents `m`, in one order; those that were tried before `staleBefore` are too old. */
function documentTexts({ normalized, media, ...options }: PageSqlOptions, staleBefore = '$3'): string {
  const source = options.complete ? complete : stored
  return `string_agg(uuid_send(m.token_hash), '') AS hashes,
    string_agg(CASE WHEN m.tried_at < ${staleBefore} THEN uuid_send(m.token_hash) END, '') AS stale, ${all('m.record')} AS records,
    ${normalized ? documentsOnly("coalesce(m.normalized, 'null')") : 'NULL'} AS normalized, ${media ? documentsOnly(source.media) : 'NULL'} AS media,
    ${media ? source.unasked : 'NULL'} AS unasked`
}

/** The values of those rows that have a document. */
const documentsOnly = (value: string) => `${all(value)} FILTER (WHERE m.token_hash IS NOT NULL)`

function selectPage(wanted: Listed | HoldersWanted | 'read', options: PageSqlOptions): string {
  const { normalized, media, rarity = false } = options
  return `
SELECT page.lines, documents.*, ${normalized || wanted === 'chosen' ? traitsVersion : 'NULL'}, page.rarities,
  ${wanted === 'read' ? 'NULL' : versionOf({ partition: '$1', id: '$2' })}
FROM (${wanted === 'read' ? readLines : selectTokens(wanted, rarity)}) page CROSS JOIN LATERAL (
  SELECT ${documentTexts(options)}
  FROM ${documentsOf(wanted, media ? previews : '')}
) documents`
}

/**
 * The documents `m` of the tokens on a `page`, joined by `more`. The bounds of neighbours keep PostgreSQL before 17 to these, as `keyed` does
 * others.
 */
function documentsOf(wanted: Wanted, more: string): string {
  if (scattered.has(wanted))
    return `${keyed({ table: 'token_metadata', row: 'm', list: distinct('page.hashes') })} ${more}`
  return `token_metadata m ${more}
  WHERE ${ofKey('m')} AND m.token_hash = ANY (page.hashes)
    AND m.token_hash BETWEEN page.hashes[array_upper(page.hashes, 1)] AND page.hashes[1]`
}

/** Tokens of several collections. */
const asked = 'unnest($1::int2[], $2::int8[], $4::uuid[]) AS a (partition, id, token_hash)'

/** With the counts of traits where normalised forms are asked for. */
const ofSeveral = (tokens: string, normalized: boolean) => `
SELECT d.*, ${normalized ? 'v.text' : 'NULL'}, NULL
FROM (${tokens}) d${normalized ? ` CROSS JOIN (${traitsVersions}) v (text)` : ''}`

const previewsOf = (row: string) =>
  `LEFT JOIN media d ON d.partition = ${row}.partition AND d.collection_id = ${row}.collection_id AND d.url_hash = m.media_hash`

/** Of tokens at many places each is found by its key, and so is its document: by the key of the token, as they are on one node of a cluster. */
function selectListed(options: PageSqlOptions): string {
  const { normalized, media } = options
  return ofSeveral(
    `SELECT string_agg(${tokenBytes}, ''), ${documentTexts(options)}
  FROM ${asked}
  JOIN token t ON t.partition = a.partition AND t.collection_id = a.id AND t.token_hash = a.token_hash
  LEFT JOIN token_metadata m ON ${sameToken('m', 't')}
  ${media ? previewsOf('t') : ''}
  WHERE t.amount > 0`,
    normalized,
  )
}

/** The documents of tokens that are known otherwise. */
function selectTold(options: PageSqlOptions): string {
  const { normalized, media } = options
  return ofSeveral(
    `SELECT NULL, ${documentTexts(options)}
  FROM ${asked}
  JOIN token_metadata m ON m.partition = a.partition AND m.collection_id = a.id AND m.token_hash = a.token_hash
  ${media ? previewsOf('m') : ''}`,
    normalized,
  )
}

/**
 * The columns of `told` for the documents of `lists`, rows of partition, collection_id and a list of token_hashes; all are null unless the
 * SQL condition `where` holds.
 */
export function documentsOfLists(
  given: Pick<PageSqlOptions, 'normalized' | 'media'>,
  { lists, where, staleBefore }: { lists: string; where: string; staleBefore: string },
): string {
  const options: PageSqlOptions = { ...given, wanted: 'told', complete: false }
  return `SELECT NULL, ${documentTexts(options, staleBefore)}
  FROM (SELECT l.*, unnest(l.token_hashes) AS token_hash FROM ${lists} l) l
  JOIN token_metadata m ON ${sameToken('m', 'l')}
  ${options.media ? previewsOf('m') : ''}
  WHERE ${where}`
}

const readLines = `
  SELECT ${all('t.line', ' ORDER BY t.place')} AS lines, array_agg(t.token_hash) AS hashes, NULL AS rarities
  FROM unnest($4::uuid[], $5::text[]) WITH ORDINALITY AS t (token_hash, line, place)`

function selectTokens(wanted: Listed | HoldersWanted, rarity: boolean): string {
  const isHeld = wanted in holderSources
  const order = ` ORDER BY t.token_hash DESC${isHeld ? ', t.owner' : ''}`
  const source = isHeld
    ? holderSources[wanted as HoldersWanted]({ token: '$4', holder: '$5', limit: '$6' })
    : tokens[wanted as Listed]
  return `
  SELECT string_agg(${tokenBytes}, ''${order}) AS lines, array_agg(t.token_hash${order}) AS hashes,
    ${rarity ? all(rarityOf, order) : 'NULL'} AS rarities
  FROM (${source}) t`
}
