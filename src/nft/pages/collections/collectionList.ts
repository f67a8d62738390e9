import type { Sql } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../../util/hex.ts'
import { isCollection } from '../../collection/coveredTo.ts'
import type { CollectionState, CollectionStatus } from '../../query.ts'
import { stateColumns, stateOf, statesOf } from './state.ts'

/** Position of a collection in the list. */
export type CollectionPlace = { chainId: bigint; address: Address }

/** A collection with its chain and address. */
export type ListedCollection = CollectionPlace & { state: CollectionState }

export type CollectionFilter = {
  /** null: all chains. */
  chainId: bigint | null
  /** null: any status. */
  status: CollectionStatus | null
  /** Part of the name, in any case, or a prefix of the address; null: all. */
  search: string | null
}

/** Most collections that one page scans, as matches may be rare. */
const mostLookedAt = 10_000

/** Most collections that a count scans. */
const mostCounted = 100_000

/** SQL condition: collection `c` matches the filter. `status` and `search` are parameters, such as `$5`. */
const matches = (status: string, search: string) => `(${status}::text IS NULL OR c.status = ${status})
  AND (${search}::text IS NULL OR strpos(lower(c.name), lower(${search})) > 0
    OR starts_with('0x' || encode(c.address, 'hex'), lower(${search})))`

const place = { chainId: column.int8('c.chain_id'), address: column.bytea('c.address').map(bufferToHex) }
const placeRow = defineRow(place)
const listedRow = defineRow({ ...place, ...stateColumns })

const highestChainId = 9_223_372_036_854_775_807n
const aboveAllAddresses = Buffer.alloc(21, 0xff)

/** Collections after place ($1, $2) and before ($3, $4). Both bounds are places, so that the index `collection_place` defines the order. */
const between = `collection WHERE (chain_id, address) > ($1::bigint, $2::bytea) AND (chain_id, address) < ($3::bigint, $4::bytea) AND ${isCollection()}`
const inOrder = `SELECT * FROM ${between} ORDER BY chain_id, address`

/** The four parameters of `between`. `last`: the last included place; default: the end of the chain, or of all chains. */
function boundsOf(chainId: bigint | null, after: CollectionPlace | null, last?: CollectionPlace): unknown[] {
  const from = after ?? { chainId: chainId ?? -1n, address: '0x' }
  const begin = [from.chainId, hexToBuffer(from.address)]
  // The next place after `last` has one more byte.
  if (last) return [...begin, last.chainId, Buffer.concat([hexToBuffer(last.address), Buffer.alloc(1)])]
  return [...begin, chainId ?? highestChainId, aboveAllAddresses]
}

/**
 * At most `limit` collections, by chain and address. `next`: where the list continues; null: it ends. A page may be shorter although the list
 * continues, as it scans `mostLookedAt` collections.
 */
export async function listCollections(
  sql: Sql,
  options: CollectionFilter & { limit: number; after: CollectionPlace | null },
): Promise<{ collections: ListedCollection[]; next: CollectionPlace | null }> {
  const { chainId, status, search, limit, after } = options
  // Reads the last possible place of this page first, so that a concurrent removal cannot make the page skip another collection.
  const isFiltered = status !== null || search !== null
  const end = isFiltered ? await lastLookedAt(sql, boundsOf(chainId, after)) : undefined
  const rows = await sql.rows(
    `SELECT ${listedRow.columns} ${statesOf(`(${inOrder})`)}
     WHERE ${matches('$5', '$6')} ORDER BY c.chain_id, c.address LIMIT $7`,
    [...boundsOf(chainId, after, end), status, search, limit + 1],
  )
  const collections = rows
    .slice(0, limit)
    .map(listedRow.decode)
    .map(({ chainId: chain, address, ...row }): ListedCollection => ({ chainId: chain, address, state: stateOf(row) }))
  const last = collections.at(-1)
  if (rows.length > limit && last) return { collections, next: { chainId: last.chainId, address: last.address } }
  return { collections, next: end ?? null }
}

/** Place of the last collection that a page scans; undefined: fewer are left. */
async function lastLookedAt(sql: Sql, bounds: unknown[]): Promise<CollectionPlace | undefined> {
  const [row] = await sql.rows(
    `SELECT ${placeRow.columns} FROM (${inOrder} OFFSET ${mostLookedAt - 1} LIMIT 1) c`,
    bounds,
  )
  return row && placeRow.decode(row)
}

/** Number of matches among the first `mostCounted` collections. */
export async function countCollections(sql: Sql, { chainId, status, search }: CollectionFilter): Promise<number> {
  const [row] = await sql.rows<[bigint]>(
    `SELECT count(*) FROM (SELECT * FROM ${between} LIMIT ${mostCounted}) c WHERE ${matches('$5', '$6')}`,
    [...boundsOf(chainId, null), status, search],
  )
  return Number(row![0])
}
