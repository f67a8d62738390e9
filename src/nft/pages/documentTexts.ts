import { type ByteColumns, defineByteColumns } from '../../db/pipeline/byteColumns.ts'
import { mediaText } from '../media/mediaStore.ts'

/** Stands between two texts of one column: a control character, which JSON text never holds as it is (RFC 8259, section 7). */
export const textSeparator = '\x1e'

/** Joins the values of all rows into one text. A `value` is never null, so that the same place in every list is of the same row. */
export const all = (value: string, order = '') => `string_agg(${value}, chr(${textSeparator.charCodeAt(0)})${order})`

/** What documents give, in the order of the hashes where it is a text for each: see `pageColumns`. */
const documentNames = ['hashes', 'stale', 'records', 'normalized', 'media', 'unasked'] as const

/** The columns of documents, as a subquery has them. */
export const documentColumns: ByteColumns<(typeof documentNames)[number]> = defineByteColumns(documentNames)

/**
 * The columns of a page's row, bytes or texts in UTF-8:
 *
 * - tokens: the bytes of the tokens (`tokenBytes`) in the order of the page, for `listed` in any; for `read` their lines, for `reported` nothing
 * - hashes: of the tokens that have a document, 16 bytes each; stale: of those whose document is too old
 * - records: in the order of the hashes, the parts of the records that documents decide; normalized: their normalised forms, and media: their
 *   media, where they are requested
 * - unasked: the addresses of which no preview was requested, as a JSON list of collection, md5, address, and hash of the token in whose document
 *   the whole address stands, '' where it needs none
 * - traitsVersions: with normalised forms, and for `chosen`, the version of the counts of traits at the same moment; for `listed` and `reported` a JSON
 *   object of them by collection
 * - rarities: where places by rarity are requested, which they are not with these two, the members about them, in the order of the tokens
 * - version: of the collection at the same moment, but for `read` and `reported`; for `listed` a JSON object of them by collection
 */
export const pageColumns = defineByteColumns(['tokens', ...documentNames, 'traitsVersions', 'rarities', 'version'])

export type DocumentOptions = {
  normalized: boolean
  media: boolean
  /** Gives the addresses of which no preview was requested yet, which costs a page 0.1 ms. */
  complete: boolean
}

const hex = (uuid: string) => `encode(uuid_send(${uuid}), 'hex')`

/** SQL of `media` of a record as it is stored; the text is empty where no preview was requested yet. */
const stored = {
  media: "coalesce(d.ready, CASE WHEN m.media_url IS NULL THEN 'null' ELSE '' END)",
  unasked: 'NULL',
}

/** SQL of `media` of a record, also where no preview was requested yet, and of the addresses of which none was. */
const complete = {
  media: `CASE WHEN m.media_url IS NULL THEN 'null' ELSE coalesce(d.ready, ${mediaText('d', 'm.media_url')}) END`,
  unasked: `to_json(array_agg(DISTINCT ARRAY[m.collection_id::text, ${hex('m.media_hash')}, m.media_url,
    CASE WHEN m.media_hash <> md5(m.media_url)::uuid THEN ${hex('m.token_hash')} ELSE '' END
  ]) FILTER (WHERE m.media_url IS NOT NULL AND d.url IS NULL))::text`,
}

/**
 * The columns of documents `m`, in one order; those that were tried before `staleBefore` are too old. The values of `normalized` and `media` are of
 * those rows that have a document.
 */
export function documentTexts(
  { normalized, media, ...options }: DocumentOptions,
  staleBefore = '$3',
): Record<(typeof documentNames)[number], string> {
  const source = options.complete ? complete : stored
  return {
    hashes: "string_agg(uuid_send(m.token_hash), '')",
    stale: `string_agg(CASE WHEN m.tried_at < ${staleBefore} THEN uuid_send(m.token_hash) END, '')`,
    records: all('m.record'),
    normalized: normalized ? documentsOnly("coalesce(m.normalized, 'null')") : 'NULL',
    media: media ? documentsOnly(source.media) : 'NULL',
    unasked: media ? source.unasked : 'NULL',
  }
}

const documentsOnly = (value: string) => `${all(value)} FILTER (WHERE m.token_hash IS NOT NULL)`
