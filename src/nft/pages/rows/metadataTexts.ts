import { type ByteColumns, defineByteColumns } from '../../../db/pipeline/byteColumns.ts'
import { fileHash, mediaText } from '../../media/mediaStore.ts'

/** Separates two texts of one column: a control character, which JSON never contains unescaped (RFC 8259, section 7). */
export const textSeparator = '\x1e'

/** Joins the values of all rows into one text. A `value` is never null, so that the same index in every list is of the same row. */
export const all = (value: string, order = '') => `string_agg(${value}, chr(${textSeparator.charCodeAt(0)})${order})`

/** Columns from metadata, in the order of the hashes if they have one text each: see `pageColumns`. */
const metadataNames = ['hashes', 'stale', 'records', 'normalized', 'media', 'unasked', 'failures'] as const

/** Columns of metadata in a subquery. */
export const metadataColumns: ByteColumns<(typeof metadataNames)[number]> = defineByteColumns(metadataNames)

/**
 * The columns of a page's row, bytes or texts in UTF-8:
 *
 * - tokens: the bytes of the tokens (`tokenBytes`) in the order of the page, for `listed` in any; for `read` their lines, for `loaded` nothing
 * - hashes: of the tokens that have metadata, 16 bytes each; stale: of those whose metadata is too old
 * - records: in the order of the hashes, the parts of the records that metadata decides; normalized: their normalised forms, and media: their
 *   media, where they are requested
 * - unasked: the addresses of which no preview was requested, as a JSON list of collection, md5, address, hash of the token in whose metadata
 *   the whole address stands, '' if it needs none, and 'file' where the file itself is requested, else ''
 * - failures: where they are requested, of each token without metadata its hash in hex digits and why there is none, as JSON text
 * - traitsVersions: with normalised forms, and for `chosen`, the version of the counts of traits at the same moment; for `listed` and `loaded` a JSON
 *   object of them by collection
 * - rarities: where places by rarity are requested, which they are not with these two, the members about them, in the order of the tokens
 * - version: of the collection at the same moment, but for `read` and `loaded`; for `listed` a JSON object of them by collection
 */
export const pageColumns = defineByteColumns(['tokens', ...metadataNames, 'traitsVersions', 'rarities', 'version'])

export type MetadataTextOptions = {
  normalized: boolean
  media: boolean
  /** With details of media, and with animations; `kept`: only known details, without requesting animations; `file`: also with the kept file. */
  details?: boolean | 'kept' | 'file'
  /** With the reasons for missing metadata. */
  failures?: boolean
}

const hex = (uuid: string) => `encode(uuid_send(${uuid}), 'hex')`

/** Appends fields to an object's text, if there are any. */
const adding = (object: string, members: string) => `left(${object}, -1) || coalesce(',' || ${members}, '') || '}'`

/** Text of media with its details and the animation. */
const detailed = (media: string, animation: string) =>
  adding(
    adding(media, 'd.details'),
    `'"animation":' || CASE WHEN m.animation_url IS NOT NULL THEN ${adding(animation, 'a.details')} END`,
  )

/** Text of media with known details and animation. */
const withKept = (media: string) => `CASE WHEN d.details IS NULL AND a.ready IS NULL THEN ${media}
    ELSE ${adding(adding(media, 'd.details'), `'"animation":' || ${adding('a.ready', 'a.details')}`)} END`

/** Whether the kept file is that of `media_url`: there is no animation, or it does not play (such as an HTML page) and `media_url` does. */
const isOwnFile = `(m.animation_url IS NULL OR coalesce(a.category NOT IN ('video', 'audio') AND a.details LIKE '%"duration":null%'
  AND d.details NOT LIKE '%"duration":null%', false))`

const fileUrl = `CASE WHEN ${isOwnFile} THEN m.media_url ELSE m.animation_url END`

const keptFileHash = fileHash(`CASE WHEN ${isOwnFile} THEN m.media_hash ELSE md5(m.animation_url)::uuid END`)

/** Media rows to join with metadata `m`, each with SQL of its `url_hash`, in join order. */
export function mediaRows({ media, details = false }: Pick<MetadataTextOptions, 'media' | 'details'>) {
  const rows: [row: MediaRow, hash: string][] = []
  if (media) rows.push(['d', 'm.media_hash'])
  if (media && details) rows.push(['a', 'md5(m.animation_url)::uuid'])
  if (media && details === 'file') rows.push(['f', keptFileHash])
  return rows
}

/** Detailed text of media with its kept file. */
const withFile = (media: string, file: string) => adding(media, `'"file":' || ${adding(file, 'f.details')}`)

/** Media rows of metadata: of its image, its animation and its kept file. */
type MediaRow = 'd' | 'a' | 'f'

const newText = (row: MediaRow, url: string) => `coalesce(${row}.ready, ${mediaText(row, url)})`
const newMedia = newText('d', 'm.media_url')

/** The token whose metadata has the whole `media_url`, if that is not stored in full. */
const wholeIn = `CASE WHEN m.media_hash <> md5(m.media_url)::uuid THEN ${hex('m.token_hash')} ELSE '' END`

/** A list of the URLs of metadata without a requested preview or file. */
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

/** SQL of `media` of a record, also before its preview is requested, and of the URLs without a request, by `details`. */
const forms = {
  false: [newMedia, newMediaAddresses],
  true: [newDetailed, newDetailedAddresses],
  kept: [withKept(newMedia), newMediaAddresses],
  file: [withFile(newDetailed, newText('f', fileUrl)), `array_cat(${newDetailedAddresses}, ${newFileAddresses})`],
} as const

/**
 * The columns of metadata `m`, in fixed order; metadata tried before `staleBefore` is stale. `normalized` and `media` have values for rows with
 * metadata.
 */
export function metadataTexts(
  { normalized, media, details = false, failures = false }: MetadataTextOptions,
  staleBefore = '$3',
): Record<(typeof metadataNames)[number], string> {
  const [text, addresses] = forms[`${details}`]
  return {
    hashes: "string_agg(uuid_send(m.token_hash), '')",
    stale: `string_agg(CASE WHEN m.tried_at < ${staleBefore} THEN uuid_send(m.token_hash) END, '')`,
    records: all('m.record'),
    normalized: normalized ? metadataOnly("coalesce(m.normalized, 'null')") : 'NULL',
    media: media ? metadataOnly(`CASE WHEN m.media_url IS NULL THEN 'null' ELSE ${text} END`) : 'NULL',
    unasked: media ? `to_json(${addresses})::text` : 'NULL',
    failures: failures ? missing : 'NULL',
  }
}

/** Usually no token of a page lacks metadata: only those are listed. */
const missing = `${all(`${hex('m.token_hash')} || to_json(m.reason)::text`)} FILTER (WHERE m.document_hash IS NULL AND m.reason IS NOT NULL)`

const metadataOnly = (value: string) => `${all(value)} FILTER (WHERE m.token_hash IS NOT NULL)`

/** Texts of statements, each written once. `choice`: has few values, which decide the text. */
export function createStatementTexts<Choice>(write: (choice: Choice) => string): (choice: Choice) => string {
  const known = new Map<string, string>()
  return (choice) => {
    const name = JSON.stringify(choice)
    const text = known.get(name) ?? write(choice)
    known.set(name, text)
    return text
  }
}
