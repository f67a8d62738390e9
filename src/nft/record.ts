import { noMetadata } from './metadata/renderMetadata.ts'
import { positionsPerBlock } from './position.ts'

/** A token as the store gives it, in the order of `recordColumns`. */
export type RecordRow = [
  tokenId: string,
  /** What the token alone decides of its record but the id, as JSON text from `"token_hash":"` on. */
  body: string,
  /** Its document is older than asked for. */
  stale: boolean | null,
]

/**
 * Select list of a record, of `token` under the name t and `token_metadata` under the name m; `stale` is SQL for the time
 * before which a document is stale. PostgreSQL writes the text: it costs the two processes together half of what columns
 * do. Everything but the metadata is hex and digits, and that is JSON already, so nothing needs escaping.
 */
export function recordColumns(stale: string): string {
  const address = (column: string) => `coalesce('"0x' || encode(${column}, 'hex') || '"', 'null')`
  const block = (column: string) => `(${column} / ${positionsPerBlock})::text`
  return `t.token_id,
  '"token_hash":"' || replace(t.token_hash::text, '-', '') || '","owner_of":' || ${address('t.owner')}
    || ',"minter_address":' || ${address('t.minter')} || ',"block_number":"' || ${block('t.last_position')}
    || '","block_number_minted":"' || ${block('t.first_position')} || '","amount":"' || t.amount::text || '",'
    || coalesce(m.record, '${noMetadata}'),
  m.tried_at < ${stale}`
}

const hashAt = '"token_hash":"'.length

/** The token hash of a row, 32 hex digits. */
export function hashOf([, body]: RecordRow): string {
  return body.slice(hashAt, hashAt + 32)
}

/** The parts of a record that all tokens of a collection share, as JSON text. */
export type CollectionText = {
  /** From the opening brace up to the token's own part. */
  head: string
  /** After the token's own part, with the closing brace. */
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

/** One record as JSON text. */
export function renderRecord(row: RecordRow, text: CollectionText, hex: boolean, extras: RecordExtras = none): string {
  const [id, body] = row
  return `${text.head}"token_id":"${hex ? `0x${BigInt(id).toString(16)}` : id}",${body},"normalized_metadata":${extras.normalized},"media":${extras.media},${text.tail}`
}
