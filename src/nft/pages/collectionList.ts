import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../util/hex.ts'
import type { CollectionState, CollectionStatus } from '../query.ts'
import { stateColumns, stateOf, statesOf } from './state.ts'

/** The place of a collection in the list. */
export type CollectionPlace = { chainId: bigint; address: Address }

/** A collection with the chain and the address that it is known by. */
export type ListedCollection = CollectionPlace & { state: CollectionState }

export type CollectionFilter = {
  /** null: of all chains. */
  chainId: bigint | null
  /** null: whatever it is. */
  status: CollectionStatus | null
  /** Part of the name, in any case, or how the address begins; null: all. */
  search: string | null
}

/** Collections that one page looks at: those that are searched for may lie between many that are not. */
const mostLookedAt = 10_000

/** Collections that are looked at to count them. */
const mostCounted = 100_000

/** Of `c`; `status` and `search` name parameters. */
const matches = (status: string, search: string) => `(${status}::text IS NULL OR c.status = ${status})
  AND (${search}::text IS NULL OR strpos(lower(c.name), lower(${search})) > 0
    OR starts_with('0x' || encode(c.address, 'hex'), lower(${search})))`

const place = { chainId: column.int8('c.chain_id'), address: column.bytea('c.address').map(bufferToHex) }
const placeRow = defineRow(place)
const listedRow = defineRow({ ...place, ...stateColumns })

/** Above every chain id. */
const aboveAll = 9_223_372_036_854_775_807n

/** The collections after place ($1, $2) and before ($3, $4). Both ends by place, so that the index `collection_place` gives the order. */
const between =
  'collection WHERE (chain_id, address) > ($1::bigint, $2::bytea) AND (chain_id, address) < ($3::bigint, $4::bytea)'
const inOrder = `SELECT * FROM ${between} ORDER BY chain_id, address`

/** `last`: the last place that is within. */
function boundsOf(chainId: bigint | null, after: CollectionPlace | null, last?: CollectionPlace): unknown[] {
  const from = after ?? { chainId: chainId ?? -1n, address: '0x' }
  const begin = [from.chainId, hexToBuffer(from.address)]
  // The place behind one is its address with a byte more.
  if (last) return [...begin, last.chainId, Buffer.concat([hexToBuffer(last.address), Buffer.alloc(1)])]
  return [...begin, chainId === null ? aboveAll : chainId + 1n, Buffer.alloc(0)]
}

/**
 * Collections by chain and address, at most `limit`. `next`: the place after which the list goes on; null: it ends. There may be
 * fewer than `limit` where it goes on, as no more than some thousands are looked at.
 */
export async function listCollections(
  sql: Sql,
  options: CollectionFilter & { limit: number; after: CollectionPlace | null },
): Promise<{ collections: ListedCollection[]; next: CollectionPlace | null }> {
  const { chainId, status, search, limit, after } = options
  // Where this page ends at the latest, before it is read: what is removed meanwhile moves no collection behind the end unseen.
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

/** The last of the collections that one page looks at; undefined: there are fewer. */
async function lastLookedAt(sql: Sql, bounds: unknown[]): Promise<CollectionPlace | undefined> {
  const [row] = await sql.rows(
    `SELECT ${placeRow.columns} FROM (${inOrder} OFFSET ${mostLookedAt - 1} LIMIT 1) c`,
    bounds,
  )
  return row && placeRow.decode(row)
}

/** How many collections there are, of those that are looked at: the first hundred thousand. */
export async function countCollections(sql: Sql, { chainId, status, search }: CollectionFilter): Promise<number> {
  const [row] = await sql.rows<[bigint]>(
    `SELECT count(*) FROM (SELECT * FROM ${between} LIMIT ${mostCounted}) c WHERE ${matches('$5', '$6')}`,
    [...boundsOf(chainId, null), status, search],
  )
  return Number(row![0])
}
