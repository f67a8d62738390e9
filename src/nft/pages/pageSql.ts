import { mediaText } from '../media/mediaText.ts'
import { slottedNormalized } from '../metadata/document/countSlots.ts'
import { positionsPerBlock } from '../transfers/position.ts'

/** Which tokens: those of a page below a hash, or up to the end of the hash space, or one. */
export type Wanted = 'below' | 'toTop' | 'one'

const hex = (uuid: string) => `encode(uuid_send(${uuid}), 'hex')`
const address = (column: string) => `coalesce('"0x' || encode(${column}, 'hex') || '"', 'null')`
const block = (column: string) => `(${column} / ${positionsPerBlock})::text`

/**
 * What a token's own row decides of its record, as JSON text: the members from `"token_id":"` up to those of the metadata,
 * without braces. PostgreSQL writes it: that costs the two processes together half of what columns do. All of it is hex and
 * digits, and that is JSON already, so nothing needs escaping.
 */
const line = `'"token_id":"' || t.token_id::text
    || '","token_hash":"' || ${hex('t.token_hash')} || '","owner_of":' || ${address('t.owner')}
    || ',"minter_address":' || ${address('t.minter')} || ',"block_number":"' || ${block('t.last_position')}
    || '","block_number_minted":"' || ${block('t.first_position')} || '","amount":"' || t.amount::text || '",'`

/** The end of the hash space belongs to its last part, so there the upper bound is part of it. */
const tokens: Record<Wanted, string> = {
  below: 't.token_hash >= $4 AND t.token_hash < $5 ORDER BY t.token_hash DESC LIMIT $6',
  toTop: 't.token_hash >= $4 AND t.token_hash <= $5 ORDER BY t.token_hash DESC LIMIT $6',
  one: 't.token_hash = $4',
}

/** Stands between two texts of one column: a control character, which JSON text never holds as it is (RFC 8259, section 7). */
export const textSeparator = '\x1e'

/** One text of many; `value` is never null, so that all lists have the same places. */
const all = (value: string, order = '') => `string_agg(${value}, chr(${textSeparator.charCodeAt(0)})${order})`

/** LIMIT keeps the planner to one lookup by key for each preview. */
const previewOf = (hash: string) => `LEFT JOIN LATERAL (
  SELECT d.* FROM media d WHERE d.partition = $1 AND d.collection_id = $2 AND d.url_hash = ${hash} LIMIT 1
) d ON true`

/** What is asked for beside the record, each with its column and where that comes from; an empty text: it is not ready. */
const ready = {
  normalized: "CASE WHEN m.normalized IS NULL THEN 'null' WHEN m.slotted THEN m.normalized ELSE '' END",
  media: "coalesce(d.ready, CASE WHEN m.media_url IS NULL THEN 'null' ELSE '' END)",
  unasked: 'NULL',
  previews: previewOf('m.media_hash'),
}

const traitsVersion = '(SELECT c.traits_version::text FROM collection c WHERE c.partition = $1 AND c.id = $2)'

/** An older program stored none. */
const mediaHash = 'coalesce(m.media_hash, md5(m.media_url)::uuid)'

/** The same whatever older programs stored, and with the addresses of which no preview was asked for yet. */
const complete = {
  normalized: `coalesce(${slottedNormalized}, 'null')`,
  media: `CASE WHEN m.media_url IS NULL THEN 'null' ELSE coalesce(d.ready, ${mediaText('d', 'm.media_url')}) END`,
  unasked: `to_json(array_agg(DISTINCT ARRAY[${hex(mediaHash)}, m.media_url,
    CASE WHEN ${mediaHash} <> md5(m.media_url)::uuid THEN ${hex('m.token_hash')} ELSE '' END
  ]) FILTER (WHERE m.media_url IS NOT NULL AND d.url IS NULL))::text`,
  previews: previewOf(mediaHash),
}

export type PageSqlOptions = {
  wanted: Wanted
  normalized: boolean
  media: boolean
  /** Texts that are not ready are made. Preparing for that takes 0.1 ms of each page. */
  complete: boolean
}

/**
 * The tokens of a page and what their documents say, one row for all: with a row each this process took a third more time.
 * $1 partition, $2 collection, $3 the time before which a document is too old, then the bounds. Columns, all of them texts:
 * lines in the order of the page; hashes of those that have a document, 32 digits each; of those whose document is too
 * old; and in the order of the hashes what documents say of the record, in normalised form and of the preview, the latter
 * two where they are asked for; addresses without a preview, a JSON list of hash, address and the hash of the token whose
 * document holds it, '' where the address is all of it; at last the version of the counts of traits that belongs
 * to all of this, with the normalised form.
 *
 * The documents are read by one walk along their index, a third cheaper than a lookup for each token. As a plain join that
 * was planned, while statistics were missing, as a reading of the whole collection for each token of a page (25 s).
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

function writeSql({ wanted, normalized, media, ...options }: PageSqlOptions): string {
  const source = options.complete ? complete : ready
  return `
WITH page AS MATERIALIZED (
  SELECT t.token_hash, ${line} AS line FROM token t
  WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0 AND ${tokens[wanted]}
)
SELECT lines, documents.*, ${normalized ? traitsVersion : 'NULL'} FROM (
  SELECT ${all('line', ' ORDER BY token_hash DESC')} AS lines FROM page
) page, (
  SELECT string_agg(${hex('m.token_hash')}, '') AS hashes,
    string_agg(CASE WHEN m.tried_at < $3 THEN ${hex('m.token_hash')} END, '') AS stale, ${all('m.record')} AS records,
    ${normalized ? all(source.normalized) : 'NULL'} AS normalized, ${media ? all(source.media) : 'NULL'} AS media,
    ${media ? source.unasked : 'NULL'} AS unasked
  FROM token_metadata m ${media ? source.previews : ''}
  WHERE m.partition = $1 AND m.collection_id = $2 AND m.token_hash = ANY (ARRAY(SELECT token_hash FROM page))
) documents`
}
