import type { Sql } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../../util/hex.ts'
import type { CollectionState, DiscoveredOrder } from '../../query.ts'
import { decodeNamedState, selectKnownStates } from './state.ts'

/** Position of a contract in a list: `value` is the sort key, `block` its first block with transfers. All four descend. */
export type DiscoveredPlace = { value: bigint; chainId: bigint; block: bigint; address: Address }

/** A discovered contract with its transfers of the last day. `state`: of its collection, if there is one or it is known. */
export type DiscoveredContract = {
  chainId: bigint
  address: Address
  firstBlock: bigint
  /** Seconds since 1970. */
  firstTime: bigint
  transfers: bigint
  mints: bigint
  state: CollectionState | undefined
}

const listedRow = defineRow({
  chainId: column.int8('chain_id'),
  address: column.bytea('address').map(bufferToHex),
  firstBlock: column.int8('first_block'),
  firstTime: column.int8('first_time'),
  transfers: column.int8('transfers'),
  mints: column.int8('mints'),
})

const columnOf = { first_seen: 'first_time', activity: 'transfers' } as const

/** Most contracts that a count scans. */
const mostCounted = 100_000

/** At most `limit` contracts of some chains. `next`: where the list continues; null: it ends. */
export async function listDiscovered(
  sql: Sql,
  options: { chains: readonly bigint[]; order: DiscoveredOrder; after: DiscoveredPlace | null; limit: number },
): Promise<{ contracts: DiscoveredContract[]; next: DiscoveredPlace | null }> {
  const { chains, order, after, limit } = options
  const place = ({ chainId, firstBlock, address, ...row }: Omit<DiscoveredContract, 'state'>): DiscoveredPlace => ({
    ...{ value: { first_seen: row.firstTime, activity: row.transfers }[order], chainId, block: firstBlock, address },
  })
  // By chain, as each chain's index has the order.
  const found = await Promise.all(
    chains.map(async (chainId) => {
      const rows = await sql.rows(select(columnOf[order]), [chainId, ...startOf(chainId, after), limit + 1])
      return rows.map(listedRow.decode)
    }),
  )
  const all = found.flat().toSorted((a, b) => descending(place(a), place(b)))
  const listed = all.slice(0, limit)
  const states = new Map<string, CollectionState>()
  for (const [chainId, own] of Map.groupBy(listed, (row) => row.chainId)) {
    const partitions = own.map(({ address }) => partitionOf(chainId, address))
    const rows = await sql.rows(selectKnownStates, [
      chainId,
      partitions,
      own.map(({ address }) => hexToBuffer(address)),
    ])
    for (const [address, state] of rows.map(decodeNamedState)) states.set(`${chainId} ${address}`, state)
  }
  return {
    contracts: listed.map((row) => ({ ...row, state: states.get(`${row.chainId} ${row.address}`) })),
    next: all.length > limit ? place(listed.at(-1)!) : null,
  }
}

const select = (value: string) => `
SELECT ${listedRow.columns} FROM discovered_contract
WHERE chain_id = $1 AND (${value}, first_block, address) < ($2::int8, $3::int8, $4::bytea)
ORDER BY ${value} DESC, first_block DESC, address DESC LIMIT $5`

const highest = 9_223_372_036_854_775_807n

/** Where the list of one chain continues: among equal values, contracts of higher chains come first. */
function startOf(chainId: bigint, after: DiscoveredPlace | null): [value: bigint, block: bigint, address: Buffer] {
  if (!after) return [highest, 0n, Buffer.alloc(0)]
  if (chainId === after.chainId) return [after.value, after.block, hexToBuffer(after.address)]
  return [chainId < after.chainId ? after.value + 1n : after.value, -1n, Buffer.alloc(0)]
}

function descending(a: DiscoveredPlace, b: DiscoveredPlace): number {
  for (const key of ['value', 'chainId', 'block', 'address'] as const)
    if (a[key] !== b[key]) return a[key] > b[key] ? -1 : 1
  return 0
}

/** Number of discovered contracts of these chains, up to `mostCounted`. */
export async function countDiscovered(sql: Sql, chains: readonly bigint[]): Promise<number> {
  const [row] = await sql.rows<[bigint]>(
    `SELECT count(*) FROM (SELECT 1 FROM discovered_contract WHERE chain_id = ANY($1::int8[]) LIMIT ${mostCounted}) d`,
    [chains],
  )
  return Number(row![0])
}
