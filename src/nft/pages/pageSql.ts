import { distinct, keyed } from '../transfers/keyed.ts'
import {
  all,
  createStatementTexts,
  type MetadataTextOptions,
  mediaRows,
  metadataColumns,
  metadataTexts,
  pageColumns,
} from './rows/metadataTexts.ts'
import { type HoldersWanted, holderSources } from './rows/readHolders.ts'
import { selectListed, selectMetadata } from './rows/severalSql.ts'
import { versionOf } from './rows/syncPosition.ts'
import { tokenBytes, tokenColumns } from './rows/tokenLines.ts'

/**
 * Selection of tokens: below a hash; up to the end of the hash space; a single one; a list; a list with a filter of traits; a list over several
 * collections, whose rows may already be read (`loaded`); tokens with already read lines; or a token per holder.
 */
export type Wanted = Listed | HoldersWanted | 'listed' | 'loaded' | 'read'
type Listed = 'below' | 'toTop' | 'one' | 'chosen' | 'matching'

/** Condition: rows of the collection. */
const ofKey = (row: string) => `${row}.partition = $1 AND ${row}.collection_id = $2`

/** Rarity fields, the continuation of a token's line. */
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

/** These are anywhere in the hash space; the others are all listed tokens, or holdings, of a range. */
const scattered: ReadonlySet<Wanted> = new Set<Wanted>(['chosen', 'matching', 'read'])

/** LIMIT forces one lookup by key per preview. */
const joinMedia = (row: string, hash: string) => `LEFT JOIN LATERAL (
  SELECT p.* FROM media p WHERE ${ofKey('p')} AND p.url_hash = ${hash} LIMIT 1
) ${row} ON true`

const joinPreviews = (options: MetadataTextOptions) =>
  mediaRows(options)
    .map(([row, hash]) => joinMedia(row, hash))
    .join(' ')

const traitsVersion = '(SELECT c.traits_version::text FROM collection c WHERE c.partition = $1 AND c.id = $2)'

export type PageSqlOptions = MetadataTextOptions & {
  wanted: Wanted
  /** Includes rarity fields in the lines. */
  rarity?: boolean
}

/**
 * SQL of the tokens of a page and their metadata, all in one row: with a row for each token this process took a third more time.
 * Parameters: $1 partition, $2 collection, $3 the time before which metadata is too old, then the bounds. `listed` takes lists: the
 * partitions of tokens in $1, their collections in $2, their hashes in $4. `read` takes the hashes of tokens in $4, each maybe several times,
 * and lines in $5. `loaded` takes lists as `listed` does. The columns are `pageColumns`.
 *
 * The metadata of neighbours is read by one walk along their index, which is a third cheaper than a lookup for each token. PostgreSQL planned a plain
 * join of a range, while statistics were missing, as reading the whole collection for each token of a page (25 s).
 */
export const pageSql = createStatementTexts(writeSql)

function writeSql(options: PageSqlOptions): string {
  const { wanted } = options
  if (wanted === 'loaded') return selectMetadata(options)
  return wanted === 'listed' ? selectListed(options) : selectPage(wanted, options)
}

function selectPage(wanted: Listed | HoldersWanted | 'read', options: PageSqlOptions): string {
  const { normalized, rarity = false } = options
  const columns = pageColumns.select({
    tokens: 'page.tokens',
    ...metadataColumns.of('documents'),
    traitsVersions: normalized || wanted === 'chosen' ? traitsVersion : undefined,
    rarities: 'page.rarities',
    version: wanted === 'read' ? undefined : versionOf({ partition: '$1', id: '$2' }),
  })
  return `
SELECT ${columns}
FROM (${wanted === 'read' ? readLines : selectTokens(wanted, rarity)}) page CROSS JOIN LATERAL (
  SELECT ${metadataColumns.select(metadataTexts(options))}
  FROM ${metadataOf(wanted, joinPreviews(options))}
) documents`
}

/**
 * The metadata `m` of the tokens on a `page`, joined by `more`. The bounds restrict PostgreSQL before 17 to a range, as `keyed` does for scattered
 * tokens.
 */
function metadataOf(wanted: Wanted, more: string): string {
  if (scattered.has(wanted))
    return `${keyed({ table: 'token_metadata', row: 'm', list: distinct('page.hashes') })} ${more}`
  return `token_metadata m ${more}
  WHERE ${ofKey('m')} AND m.token_hash = ANY (page.hashes)
    AND m.token_hash BETWEEN page.hashes[array_upper(page.hashes, 1)] AND page.hashes[1]`
}

const readLines = `
  SELECT ${all('t.line', ' ORDER BY t.place')} AS tokens, array_agg(t.token_hash) AS hashes, NULL AS rarities
  FROM unnest($4::uuid[], $5::text[]) WITH ORDINALITY AS t (token_hash, line, place)`

function selectTokens(wanted: Listed | HoldersWanted, rarity: boolean): string {
  const isHeld = wanted in holderSources
  const order = ` ORDER BY t.token_hash DESC${isHeld ? ', t.owner' : ''}`
  const source = isHeld
    ? holderSources[wanted as HoldersWanted]({ token: '$4', holder: '$5', limit: '$6' })
    : tokens[wanted as Listed]
  return `
  SELECT string_agg(${tokenBytes}, ''${order}) AS tokens, array_agg(t.token_hash${order}) AS hashes,
    ${rarity ? all(rarityOf, order) : 'NULL'} AS rarities
  FROM (${source}) t`
}
