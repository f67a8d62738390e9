import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { type Address, hexToBuffer } from '../../util/hex.ts'
import type { CollectionState, IdPage, NftQuery } from '../query.ts'
import { tokenHashSql } from '../transfers/tokenHash.ts'
import type { PageReader } from './createPageReader.ts'
import { fitting, isLarge, listedWidths } from './pageWidth.ts'

/** Most ids that one page scans, as many tokens may be burned. */
const mostLookedAt = 10_000

/** Most ids per statement. */
const mostAtOnce = 2_000

const next = (after: string) => `
  SELECT x.token_id::numeric FROM transfer x WHERE x.partition = $1 AND x.collection_id = $2 AND x.token_id > ${after}
  ORDER BY x.token_id LIMIT 1`

const stepRow = defineRow({
  /** Number of scanned ids. */
  looked: column.int4('count(i.token_id)::int'),
  /** The last of them. */
  last: column.text('max(i.token_id)::text').orNull(),
  /** Ids of listed tokens, each with its hash after a space. */
  listed: column
    .text(
      `string_agg(t.token_id::text || ' ' || encode(uuid_send(t.token_hash), 'hex'), ',' ORDER BY i.token_id) FILTER (WHERE t.amount > 0)`,
    )
    .orNull(),
})

/**
 * SQL of the next ids after $3, at most $4, of contract $5: each is one step in the index of transfers, which begins with the id. So no index of
 * tokens by id is needed. A token has a transfer as long as it has a row.
 */
const selectStep = `
WITH RECURSIVE ids (token_id, place) AS (
  SELECT (${next('$3::numeric')}), 1
  UNION ALL
  SELECT (${next('ids.token_id')}), ids.place + 1 FROM ids WHERE ids.token_id IS NOT NULL AND ids.place < $4
)
SELECT ${stepRow.columns} FROM ids i LEFT JOIN LATERAL (
  SELECT t.token_id, t.token_hash, t.amount FROM token t
  WHERE t.partition = $1 AND t.collection_id = $2 AND t.token_hash = ${tokenHashSql('$5::bytea', 'i.token_id')} LIMIT 1
) t ON i.token_id IS NOT NULL`

/** Reads pages of a collection in token id order. */
export function createIdPages({ sql, pages }: { sql: Sql; pages: PageReader }): Pick<NftQuery, 'pageOfIds'> {
  return {
    async pageOfIds({ state, address, after, limit, ...form }): Promise<IdPage> {
      const { found, end } = await walkIds(sql, { state, address, after, limit: limit + 1 })
      let shown = found.slice(0, limit)
      if (isLarge([{ state, tokens: shown.length }])) {
        const hashes = shown.map(({ hash }) => hash)
        shown = shown.slice(0, fitting(hashes, await listedWidths(sql, { state, hashes }, form)))
      }
      const last = shown.length < found.length ? shown.at(-1)!.id : end
      if (shown.length === 0) return { records: pages.picked([], []), count: 0, last }
      const page = await pages.page(state, 'chosen', [shown.map(({ hash }) => hash)], form)
      const lines = new Map(Array.from(page.lines.starts, (_, line) => [page.hashOf(line), line]))
      const writer = await pages.writerOf(state, address, page, { count: lines.size, hex: form.hex })
      const picked = shown.flatMap(({ hash }) => {
        const line = lines.get(hash)
        return line === undefined ? [] : [{ writer, line }]
      })
      return { records: pages.picked(picked, [page]), count: picked.length, last }
    },
  }
}

type Walk = {
  state: CollectionState
  address: Address
  after: bigint | null
  limit: number
}

/** Listed tokens in id order, at most `limit`. `end`: the last scanned id; null: no more. */
async function walkIds(
  sql: Sql,
  { state, address, after, limit }: Walk,
): Promise<{ found: { id: bigint; hash: string }[]; end: bigint | null }> {
  const found: { id: bigint; hash: string }[] = []
  let place = after ?? -1n
  let looked = 0
  for (let most = limit; ; most = Math.min(mostAtOnce, 4 * most)) {
    const values = [state.partition, state.id, String(place), most, hexToBuffer(address)]
    const [row] = await sql.rows(selectStep, values)
    const step = stepRow.decode(row!)
    for (const entry of step.listed?.split(',') ?? []) {
      const [id, hash] = entry.split(' ') as [string, string]
      if (found.length < limit) found.push({ id: BigInt(id), hash })
    }
    if (found.length === limit || step.looked < most) return { found, end: null }
    place = BigInt(step.last!)
    looked += step.looked
    if (looked >= mostLookedAt) return { found, end: place }
  }
}
