import type { Database, Row, Sql } from '../../../db/database.ts'
import { column, defineRow, type RowOf } from '../../../db/defineRow.ts'
import { type Finder, type Found, type SearchOptions, searchWithin } from '../../../db/searchWithin.ts'
import { bufferToHex } from '../../../util/hex.ts'
import { isCollection } from '../../collection/coveredTo.ts'
import type { CollectionStatus } from '../../query.ts'

const foundRow = defineRow({
  chainId: column.int8('c.chain_id'),
  address: column.bytea('c.address').map(bufferToHex),
  name: column.text('c.name').orNull(),
  status: column.text<CollectionStatus>('c.status'),
  /** Number of listed tokens. */
  tokens: column.int8('c.tokens'),
})

/** A found collection. */
export type FoundCollection = RowOf<typeof foundRow>

/** Most collections that are scanned for a text within a name. */
const mostLookedAt = 10_000

/** Characters of a name in the index `collection_name`. */
const indexedLength = 100

/** Chains with collections; each takes one step in the index. */
export async function readChains(sql: Sql): Promise<bigint[]> {
  const chains: bigint[] = []
  for (;;) {
    const [row] = await sql.rows<[bigint]>(
      `SELECT chain_id FROM collection WHERE chain_id > $1 AND ${isCollection()} ORDER BY chain_id, address LIMIT 1`,
      [chains.at(-1) ?? -1n],
    )
    if (!row) return chains
    chains.push(row[0])
  }
}

/** Collections whose address or name begins with a text, then those whose name contains it. */
export function searchCollections(db: Database, options: SearchOptions): Promise<Found<FoundCollection>> {
  const { text } = options
  const finders: Finder<FoundCollection>[] = [byName(text), withinName(text)]
  if (/^0x[0-9a-f]{1,40}$/i.test(text)) finders.unshift(byAddress(text))
  return searchWithin(db, options, ({ chainId, address }) => `${chainId}:${address}`, finders)
}

function byAddress(text: string): Finder<FoundCollection> {
  const digits = text.slice(2).toLowerCase()
  const bounds = [digits.padEnd(40, '0'), digits.padEnd(40, 'f')].map((hex) => Buffer.from(hex, 'hex'))
  return async (sql, most) => ({
    items: itemsOf(
      await sql.rows(
        `SELECT ${foundRow.columns} FROM collection c WHERE chain_id = ANY($4::int8[]) AND address BETWEEN $1 AND $2 AND ${isCollection('c')}
         ORDER BY chain_id, address LIMIT $3`,
        [...bounds, most, await readChains(sql)],
      ),
    ),
  })
}

function byName(text: string): Finder<FoundCollection> {
  const indexed = `lower(left(c.name, ${indexedLength}))`
  const begin = `lower(left($1, ${indexedLength}))`
  return async (sql, most) => ({
    items: itemsOf(
      await sql.rows(
        `SELECT ${foundRow.columns} FROM collection c
         WHERE c.name IS NOT NULL AND ${isCollection('c')} AND ${indexed} ~>=~ ${begin} AND ${indexed} ~<~ (${begin} || chr(1114111))
           AND starts_with(lower(c.name), lower($1))
         ORDER BY ${indexed} USING ~<~ LIMIT $2`,
        [text, most],
      ),
    ),
  })
}

function withinName(text: string): Finder<FoundCollection> {
  return async (sql, most) => {
    const rows = await sql.rows(
      `SELECT ${foundRow.columns} FROM (SELECT * FROM collection WHERE ${isCollection()} ORDER BY chain_id, address LIMIT ${mostLookedAt}) c
       WHERE strpos(lower(c.name), lower($1)) > 0 LIMIT $2`,
      [text, most],
    )
    const beyond = await sql.rows(
      `SELECT 1 FROM collection WHERE ${isCollection()} ORDER BY chain_id, address OFFSET ${mostLookedAt} LIMIT 1`,
    )
    return { items: itemsOf(rows), cutShort: beyond.length > 0 }
  }
}

function itemsOf(rows: readonly Row[]): FoundCollection[] {
  return rows.map(foundRow.decode)
}
