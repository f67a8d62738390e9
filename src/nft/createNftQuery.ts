import type { Database, Sql } from '../db/database.ts'
import { type Address, hexToBuffer } from '../util/hex.ts'
import { makeDue } from './metadata/metadataStore.ts'
import { readExtras } from './metadata/readExtras.ts'
import { isWide, pageWidth } from './pageWidth.ts'
import { partitionOf } from './partition.ts'
import type { CollectionState, NftQuery, RecordOptions } from './query.ts'
import { collectionText, hashOf, idOf, lineSeparator, type RecordLine, recordLine, renderRecords } from './record.ts'
import { type StateRow, selectState, stateOf } from './state.ts'
import { tokenHash } from './tokenHash.ts'

/**
 * LIMIT keeps the lookup of a token's metadata what it is, one by its key: as a plain join it was planned, while statistics
 * were missing, as a reading of the whole collection for each token of a page (25 s).
 */
const tokens = `
FROM token t LEFT JOIN LATERAL (
  SELECT m.record, m.tried_at FROM token_metadata m
  WHERE m.partition = t.partition AND m.collection_id = t.collection_id AND m.token_hash = t.token_hash LIMIT 1
) m ON true
WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0`

/** The end of the hash space belongs to its last part, so there the upper bound is part of it. */
const within = (operator: '<' | '<=') => ` AND t.token_hash >= $3 AND t.token_hash ${operator} $4`

/** Lines of records with separators between them, and the ids of those whose documents are older than asked for. */
type LinesRow = [lines: string | null, stale: string[] | null]

/** One row for all: with a row each this process took a third more time for a page. */
const selectLines = (stale: string, rest: string) => `
SELECT string_agg(line, E'\\x${lineSeparator.charCodeAt(0).toString(16)}' ORDER BY token_hash DESC),
  array_agg(token_id::text) FILTER (WHERE stale)
FROM (SELECT t.token_hash, t.token_id, ${recordLine} AS line, m.tried_at < ${stale} AS stale ${tokens}${rest}) page`

const selectPage = (operator: '<' | '<=') =>
  selectLines('$6', `${within(operator)} ORDER BY t.token_hash DESC LIMIT $5`)
const selectPageBelow = selectPage('<')
const selectPageToTop = selectPage('<=')

const selectToken = selectLines('$4', ' AND t.token_hash = $3')

const selectCount = (operator: '<' | '<=') =>
  `SELECT count(*) FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0${within(operator)}`
const countBelow = selectCount('<')
const countToTop = selectCount('<=')

const lowest = '00000000000000000000000000000000'
const highest = 'ffffffffffffffffffffffffffffffff'

export type NftQueryOptions = {
  db: Database
  /** What everything is read with; `db` where there is none of its own. */
  reader?: Sql
  /** Where clients reach this server, for the addresses of previews. */
  publicUrl?: () => string
  /** Documents older than this are read again when somebody sees them, in milliseconds; null: never. */
  refreshAfterMs?: number | null
}

export function createNftQuery(options: NftQueryOptions): NftQuery {
  const { db, reader = db, publicUrl = () => '', refreshAfterMs = null } = options
  const staleBefore = () => (refreshAfterMs === null ? null : new Date(Date.now() - refreshAfterMs))

  async function readLines(sql: string, values: unknown[]): Promise<{ lines: RecordLine[]; stale: string[] }> {
    const [row] = await reader.rows<LinesRow>(sql, values)
    const [lines, stale] = row ?? [null, null]
    return { lines: lines === null ? [] : lines.split(lineSeparator), stale: stale ?? [] }
  }

  /** `stale`: ids of tokens whose documents are read again where one of the lines shows them. */
  async function refresh(state: CollectionState, lines: readonly RecordLine[], stale: readonly string[]) {
    if (stale.length === 0) return
    const ids = new Set(stale)
    const seen = lines.filter((line) => ids.has(idOf(line)))
    const tokens = seen.map((line) => ({ hash: hashOf(line), tokenId: idOf(line) }))
    if (tokens.length > 0) await makeDue(db, state, tokens)
  }

  async function render(
    state: CollectionState,
    address: Address,
    lines: readonly RecordLine[],
    options: RecordOptions,
  ): Promise<string> {
    const text = collectionText({ address, ...state })
    const { hex } = options
    if (!options.normalized && !options.media) return renderRecords(lines, text, { hex })
    const extras = await readExtras(reader, { state, hashes: lines.map(hashOf), options, publicUrl: publicUrl() })
    return renderRecords(lines, text, { hex, extras })
  }

  return {
    async state(chainId, address) {
      const [row] = await reader.rows<StateRow>(selectState, [
        partitionOf(chainId, address),
        chainId,
        hexToBuffer(address),
      ])
      return row && stateOf(row)
    },

    async page({ state, address, range, after, limit: asked, ...options }) {
      const upper = after ?? range.to
      const key = [state.partition, state.id, range.from ?? lowest, upper ?? highest]
      const limit = isWide(state, asked)
        ? await pageWidth(reader, { key, toTop: !upper, limit: asked, options })
        : asked
      const values = [...key, limit + 1, staleBefore()]
      const { lines, stale } = await readLines(upper ? selectPageBelow : selectPageToTop, values)
      const more = lines.length > limit
      if (more) lines.pop()
      await refresh(state, lines, stale)
      return {
        records: await render(state, address, lines, options),
        count: lines.length,
        last: more ? hashOf(lines.at(-1)!) : null,
      }
    },

    async count(state, range) {
      if (!range.from && !range.to) return Number(state.tokens)
      const key = [state.partition, state.id, range.from ?? lowest, range.to ?? highest]
      const [row] = await reader.rows<[bigint]>(range.to ? countBelow : countToTop, key)
      return Number(row?.[0] ?? 0n)
    },

    async token(state, address, tokenId, options) {
      const key = [state.partition, state.id, tokenHash(address, String(tokenId))]
      const { lines, stale } = await readLines(selectToken, [...key, staleBefore()])
      await refresh(state, lines, stale)
      return lines.length === 0 ? undefined : render(state, address, lines, options)
    },
  }
}
