import type { Sql } from '../db/database.ts'
import { column, defineRow } from '../db/defineRow.ts'
import { type Address, bufferToHex } from '../util/hex.ts'
import type { CollectionState, CollectionStatus } from './query.ts'
import { stateColumns, stateOf, statesFrom } from './state.ts'

/** A collection with the chain and the address that it is known by. */
export type ListedCollection = { chainId: bigint; address: Address; state: CollectionState }

export type CollectionListOptions = {
  /** null: of all chains. */
  chainId: bigint | null
  /** null: whatever it is. */
  status: CollectionStatus | null
  /** Part of the name, in any case, or how the address begins; null: all. */
  search: string | null
  limit: number
  /** The last one of the page before; null: from the first one on. */
  after: { chainId: bigint; address: Address } | null
}

const listedRow = defineRow({
  chainId: column.int8('c.chain_id'),
  address: column.bytea('c.address').map(bufferToHex),
  ...stateColumns,
})

/** Collections by chain and address, at most `limit`. */
export async function listCollections(sql: Sql, options: CollectionListOptions): Promise<ListedCollection[]> {
  const { chainId, status, search, limit, after } = options
  const rows = await sql.rows(
    `SELECT ${listedRow.columns} ${statesFrom}
     WHERE ($1::bigint IS NULL OR c.chain_id = $1) AND ($2::text IS NULL OR c.status = $2)
       AND ($3::text IS NULL OR strpos(lower(c.name), lower($3)) > 0 OR starts_with('0x' || encode(c.address, 'hex'), lower($3)))
       AND ($4::bigint IS NULL OR (c.chain_id, c.address) > ($4, $5::bytea))
     ORDER BY c.chain_id, c.address LIMIT $6`,
    [chainId, status, search, after?.chainId ?? null, after ? Buffer.from(after.address.slice(2), 'hex') : null, limit],
  )
  return rows
    .map(listedRow.decode)
    .map(({ chainId: chain, address, ...row }) => ({ chainId: chain, address, state: stateOf(row) }))
}
