import type { Database } from '../db/database.ts'
import { type Address, hexToBuffer } from '../util/hex.ts'
import { makeDue } from './metadata/metadataStore.ts'
import { readExtras } from './metadata/readExtras.ts'
import { isWide, pageWidth } from './pageWidth.ts'
import { partitionOf } from './partition.ts'
import type { CollectionState, NftQuery, RecordOptions } from './query.ts'
import { collectionText, hashOf, type RecordRow, recordColumns, renderRecord } from './record.ts'
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

const selectPage = (operator: '<' | '<=') =>
  `SELECT ${recordColumns('$6')} ${tokens}${within(operator)} ORDER BY t.token_hash DESC LIMIT $5`
const selectPageBelow = selectPage('<')
const selectPageToTop = selectPage('<=')

const selectToken = `SELECT ${recordColumns('$4')} ${tokens} AND t.token_hash = $3`

const selectCount = (operator: '<' | '<=') =>
  `SELECT count(*) FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0${within(operator)}`
const countBelow = selectCount('<')
const countToTop = selectCount('<=')

const lowest = '00000000000000000000000000000000'
const highest = 'ffffffffffffffffffffffffffffffff'

export type NftQueryOptions = {
  db: Database
  /** Where clients reach this server, for the addresses of previews. */
  publicUrl?: () => string
  /** Documents older than this are read again when somebody sees them, in milliseconds; null: never. */
  refreshAfterMs?: number | null
}

export function createNftQuery({ db, publicUrl = () => '', refreshAfterMs = null }: NftQueryOptions): NftQuery {
  const staleBefore = () => (refreshAfterMs === null ? null : new Date(Date.now() - refreshAfterMs))

  async function render(
    state: CollectionState,
    address: Address,
    rows: readonly RecordRow[],
    options: RecordOptions,
  ): Promise<string[]> {
    const text = collectionText({ address, ...state })
    const stale = rows.filter((row) => row[2])
    if (stale.length > 0)
      await makeDue(
        db,
        state,
        stale.map((row) => ({ hash: hashOf(row), tokenId: row[0] })),
      )
    if (!options.normalized && !options.media) return rows.map((row) => renderRecord(row, text, options.hex))
    const extras = await readExtras(db, { state, hashes: rows.map(hashOf), options, publicUrl: publicUrl() })
    return rows.map((row) => renderRecord(row, text, options.hex, extras.get(hashOf(row))))
  }

  return {
    async state(chainId, address) {
      const [row] = await db.rows<StateRow>(selectState, [partitionOf(chainId, address), chainId, hexToBuffer(address)])
      return row && stateOf(row)
    },

    async page({ state, address, range, after, limit: asked, ...options }) {
      const upper = after ?? range.to
      const key = [state.partition, state.id, range.from ?? lowest, upper ?? highest]
      const limit = isWide(state, asked) ? await pageWidth(db, { key, toTop: !upper, limit: asked, options }) : asked
      const rows = await db.rows<RecordRow>(upper ? selectPageBelow : selectPageToTop, [
        ...key,
        limit + 1,
        staleBefore(),
      ])
      const more = rows.length > limit
      if (more) rows.pop()
      return { records: await render(state, address, rows, options), last: more ? hashOf(rows.at(-1)!) : null }
    },

    async count(state, range) {
      if (!range.from && !range.to) return Number(state.tokens)
      const key = [state.partition, state.id, range.from ?? lowest, range.to ?? highest]
      const [row] = await db.rows<[bigint]>(range.to ? countBelow : countToTop, key)
      return Number(row?.[0] ?? 0n)
    },

    async token(state, address, tokenId, options) {
      const key = [state.partition, state.id, tokenHash(address, String(tokenId))]
      const rows = await db.rows<RecordRow>(selectToken, [...key, staleBefore()])
      const [record] = await render(state, address, rows, options)
      return record
    },
  }
}
