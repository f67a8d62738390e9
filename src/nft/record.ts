import { noMetadata } from './metadata/renderMetadata.ts'
import { positionsPerBlock } from './position.ts'

/**
 * What the store alone decides of a record, as JSON text: the members from `"token_id":"` to those of the metadata, without
 * braces.
 */
export type RecordLine = string

/** Between two lines: a control character, which JSON text never holds as it is (RFC 8259, section 7). */
export const lineSeparator = '\x1e'

const address = (column: string) => `coalesce('"0x' || encode(${column}, 'hex') || '"', 'null')`
const block = (column: string) => `(${column} / ${positionsPerBlock})::text`

/**
 * SQL of a line, of `token` under the name t and `token_metadata` under the name m. PostgreSQL writes the text: it costs the
 * two processes together half of what columns do. Everything but the metadata is hex and digits, and that is JSON already,
 * so nothing needs escaping.
 */
export const recordLine = `'"token_id":"' || t.token_id::text
    || '","token_hash":"' || replace(t.token_hash::text, '-', '') || '","owner_of":' || ${address('t.owner')}
    || ',"minter_address":' || ${address('t.minter')} || ',"block_number":"' || ${block('t.last_position')}
    || '","block_number_minted":"' || ${block('t.first_position')} || '","amount":"' || t.amount::text || '",'
    || coalesce(m.record, '${noMetadata}')`

const idAt = '"token_id":"'.length
const fromIdToHash = '","token_hash":"'.length

const idEnd = (line: RecordLine) => line.indexOf('"', idAt)

/** The token id of a line, decimal digits. */
export function idOf(line: RecordLine): string {
  return line.slice(idAt, idEnd(line))
}

/** The token hash of a line, 32 hex digits. */
export function hashOf(line: RecordLine): string {
  const at = idEnd(line) + fromIdToHash
  return line.slice(at, at + 32)
}

/** The parts of a record that all tokens of a collection share, as JSON text. */
export type CollectionText = {
  /** From the opening brace up to the line. */
  head: string
  /** After what the line and the extras say, with the closing brace. */
  tail: string
}

export function collectionText(c: {
  address: string
  standard: string | null
  name: string | null
  symbol: string | null
  possibleSpam: boolean
  verified: boolean
}): CollectionText {
  return {
    head: `{"token_address":"${c.address}",`,
    tail: `"contract_type":${JSON.stringify(c.standard)},"name":${JSON.stringify(c.name)},"symbol":${JSON.stringify(c.symbol)},"possible_spam":${c.possibleSpam},"verified_collection":${c.verified}}`,
  }
}

/** What a record has only where it is asked for, as JSON text. */
export type RecordExtras = { normalized: string; media: string }

const none: RecordExtras = { normalized: 'null', media: 'null' }

function extrasText({ normalized, media }: RecordExtras): string {
  return `,"normalized_metadata":${normalized},"media":${media},`
}

export type RecordForm = {
  /** Token ids in hex. */
  hex: boolean
  /** By token hash; undefined: nobody asked for any. */
  extras?: ReadonlyMap<string, RecordExtras>
}

/** Records as JSON texts with commas between them. */
export function renderRecords(lines: readonly RecordLine[], text: CollectionText, { hex, extras }: RecordForm): string {
  if (lines.length === 0) return ''
  const { head, tail } = text
  const plainTail = extrasText(none) + tail
  const written = hex ? lines.map(withHexId) : lines
  if (!extras) return `${head}${written.join(`${plainTail},${head}`)}${plainTail}`
  return written.map((line, i) => `${head}${line}${extrasText(extras.get(hashOf(lines[i]!)) ?? none)}${tail}`).join(',')
}

function withHexId(line: RecordLine): RecordLine {
  return `"token_id":"0x${BigInt(idOf(line)).toString(16)}${line.slice(idEnd(line))}`
}
