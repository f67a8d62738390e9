import { type ByteColumns, defineByteColumns } from '../../../db/pipeline/byteColumns.ts'
import { fileHash, mediaText } from '../../media/mediaStore.ts'

/** Separates two texts of one column: a control character, which JSON text never holds as it is (RFC 8259, section 7). */
export const textSeparator = '\x1e'

/** Joins the values of all rows into one text. A `value` is never null, so that the same place in every list is of the same row. */
export const all = (value: string, order = '') => `string_agg(${value}, chr(${textSeparator.charCodeAt(0)})${order})`

/** Columns from metadata, in the order of the hashes for those with one text each: see `pageColumns`. */
const documentNames = ['hashes', 'stale', 'records', 'normalized', 'media', 'unasked', 'failures'] as const

/** The columns of metadata, as a subquery has them. */
export const documentColumns: ByteColumns<(typeof documentNames)[number]> = defineByteColumns(documentNames)

/**
 * The columns of a page's row, bytes or texts in UTF-8:
 *
 * - tokens: the bytes of the tokens (`tokenBytes`) in the order of the page, for `listed` in any; for `read` their lines, for `reported` nothing
 * - hashes: of the tokens that have metadata, 16 bytes each; stale: of those whose metadata is too old
 * - records: in the order of the hashes, the parts of the records that metadata decides; normalized: their normalised forms, and media: their
 *   media, where they are requested
 * - unasked: the addresses of which no preview was requested, as a JSON list of collection, md5, address, hash of the token in whose metadata
 *   the whole address stands, '' if it needs none, and 'file' where the file itself is requested, else ''
 * - failures: where they are requested, of each token without metadata its hash in hex digits and why there is none, as JSON text
 * - traitsVersions: with normalised forms, and for `chosen`, the version of the counts of traits at the same moment; for `listed` and `reported` a JSON
 *   object of them by collection
 * - rarities: where places by rarity are requested, which they are not with these two, the members about them, in the order of the tokens
 * - version: of the collection at the same moment, but for `read` and `reported`; for `listed` a JSON object of them by collection
 */
export const pageColumns = defineByteColumns(['tokens', ...documentNames, 'traitsVersions', 'rarities', 'version'])

export type DocumentOptions = {
  normalized: boolean
  media: boolean
  /** With the details of media, and with animations; `kept`: with those that are known, and no animation is requested; `file`: with the kept file too. */
  details?: boolean | 'kept' | 'file'
  /** With why tokens have no metadata. */
  failures?: boolean
  /** Gives the addresses of which no preview was requested yet, which costs a page 0.1 ms. */
  complete: boolean
}

const hex = (uuid: string) => `encode(uuid_send(${uuid}), 'hex')`

/** Adds members to the text of an object, where there are any. */
const adding = (object: string, members: string) => `left(${object}, -1) || coalesce(',' || ${members}, '') || '}'`

/** The text of media with its details and with the animation. */
const detailed = (media: string, animation: string) =>
  adding(
    adding(media, 'd.details'),
    `'"animation":' || CASE WHEN m.animation_url IS NOT NULL THEN ${adding(animation, 'a.details')} END`,
  )

/** The text of media with what is known of its details and of its animation. */
const withKept = (media: string) => `CASE WHEN d.details IS NULL AND a.ready IS NULL THEN ${media}
    ELSE ${adding(adding(media, 'd.details'), `'"animation":' || ${adding('a.ready', 'a.details')}`)} END`

/** Whether the kept file is that of `media_url`: there is no animation, or it does not play, as a page does not, while `media_url` does. */
const isOwnFile = `(m.animation_url IS NULL OR coalesce(a.category NOT IN ('video', 'audio') AND a.details LIKE '%"duration":null%'
  AND d.details NOT LIKE '%"duration":null%', false))`

const fileUrl = `CASE WHEN ${isOwnFile} THEN m.media_url ELSE m.animation_url END`

const keptFileHash = fileHash(`CASE WHEN ${isOwnFile} THEN m.media_hash ELSE md5(m.animation_url)::uuid END`)

/** The rows of media that are read beside metadata `m`, each with SQL of its `url_hash`, in the order in which they are joined. */
export function mediaRows({ media, details = false }: Pick<DocumentOptions, 'media' | 'details'>) {
  const rows: [row: MediaRow, hash: string][] = []
  if (media) rows.push(['d', 'm.media_hash'])
  if (media && details) rows.push(['a', 'md5(m.animation_url)::uuid'])
  if (media && details === 'file') rows.push(['f', keptFileHash])
  return rows
}

/** The detailed text of media with its kept file. */
const withFile = (media: string, file: string) => adding(media, `'"file":' || ${adding(file, 'f.details')}`)

/** SQL of `media` of a record as it is stored; the text is empty if no preview was requested yet. */
const stored = {
  media: "coalesce(d.ready, CASE WHEN m.media_url IS NULL THEN 'null' ELSE '' END)",
  detailed: `CASE WHEN m.media_url IS NULL THEN 'null' WHEN m.animation_url IS NULL OR a.ready IS NOT NULL
    THEN coalesce(${detailed('d.ready', 'a.ready')}, '') ELSE '' END`,
  file: `CASE WHEN m.media_url IS NULL THEN 'null' WHEN f.ready IS NOT NULL AND (m.animation_url IS NULL OR a.ready IS NOT NULL)
    THEN coalesce(${withFile(detailed('d.ready', 'a.ready'), 'f.ready')}, '') ELSE '' END`,
  kept: `coalesce(${withKept('d.ready')}, CASE WHEN m.media_url IS NULL THEN 'null' ELSE '' END)`,
  unasked: 'NULL',
  unaskedDetailed: 'NULL',
  unaskedFile: 'NULL',
}

/** The rows of media beside metadata: of its image, its animation and its kept file. */
type MediaRow = 'd' | 'a' | 'f'

const newText = (row: MediaRow, url: string) => `coalesce(${row}.ready, ${mediaText(row, url)})`
const newMedia = newText('d', 'm.media_url')

/** The token whose metadata alone has the whole `media_url`. */
const wholeIn = `CASE WHEN m.media_hash <> md5(m.media_url)::uuid THEN ${hex('m.token_hash')} ELSE '' END`

/** A list of the addresses of metadata of which no preview, or file, was requested. */
const newAddresses = (
  row: MediaRow,
  { url, hash, token, file = '' }: { url: string; hash: string; token: string; file?: string },
) =>
  `array_agg(DISTINCT ARRAY[m.collection_id::text, ${hex(hash)}, ${url}, ${token}, '${file}']) FILTER (WHERE ${url} IS NOT NULL AND ${row}.url IS NULL)`
const newMediaAddresses = newAddresses('d', { url: 'm.media_url', hash: 'm.media_hash', token: wholeIn })
const newAnimationAddresses = newAddresses('a', {
  url: 'm.animation_url',
  hash: 'md5(m.animation_url)::uuid',
  token: "''",
})
const newFileAddresses = newAddresses('f', {
  ...{ url: fileUrl, hash: keptFileHash, file: 'file' },
  token: `CASE WHEN ${isOwnFile} THEN ${wholeIn} ELSE '' END`,
})
const newDetailed = detailed(newMedia, newText('a', 'm.animation_url'))
const newDetailedAddresses = `array_cat(${newMediaAddresses}, ${newAnimationAddresses})`

/** SQL of `media` of a record, also where no preview was requested yet, and of the addresses of which none was. */
const complete = {
  media: `CASE WHEN m.media_url IS NULL THEN 'null' ELSE ${newMedia} END`,
  detailed: `CASE WHEN m.media_url IS NULL THEN 'null' ELSE ${newDetailed} END`,
  file: `CASE WHEN m.media_url IS NULL THEN 'null' ELSE ${withFile(newDetailed, newText('f', fileUrl))} END`,
  kept: `CASE WHEN m.media_url IS NULL THEN 'null' ELSE ${withKept(newMedia)} END`,
  unasked: `to_json(${newMediaAddresses})::text`,
  unaskedDetailed: `to_json(${newDetailedAddresses})::text`,
  unaskedFile: `to_json(array_cat(${newDetailedAddresses}, ${newFileAddresses}))::text`,
}

/** The text of media, and the addresses that are requested with it, by `details`. */
const forms = {
  false: ['media', 'unasked'],
  true: ['detailed', 'unaskedDetailed'],
  kept: ['kept', 'unasked'],
  file: ['file', 'unaskedFile'],
} as const

/**
 * The columns of metadata `m`, in one order; those that were tried before `staleBefore` are too old. The values of `normalized` and `media` are of
 * those rows that have metadata.
 */
export function documentTexts(
  { normalized, media, details = false, failures = false, ...options }: DocumentOptions,
  staleBefore = '$3',
): Record<(typeof documentNames)[number], string> {
  const source = options.complete ? complete : stored
  const [text, unasked] = forms[`${details}`]
  return {
    hashes: "string_agg(uuid_send(m.token_hash), '')",
    stale: `string_agg(CASE WHEN m.tried_at < ${staleBefore} THEN uuid_send(m.token_hash) END, '')`,
    records: all('m.record'),
    normalized: normalized ? documentsOnly("coalesce(m.normalized, 'null')") : 'NULL',
    media: media ? documentsOnly(source[text]) : 'NULL',
    unasked: media ? source[unasked] : 'NULL',
    failures: failures ? missing : 'NULL',
  }
}

/** Mostly no token of a page is without: only those are listed. */
const missing = `${all(`${hex('m.token_hash')} || to_json(m.reason)::text`)} FILTER (WHERE m.document_hash IS NULL AND m.reason IS NOT NULL)`

const documentsOnly = (value: string) => `${all(value)} FILTER (WHERE m.token_hash IS NOT NULL)`
