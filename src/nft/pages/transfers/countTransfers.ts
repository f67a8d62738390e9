import type { Sql } from '../../../db/database.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { hexToBuffer } from '../../../util/hex.ts'
import { isCollection } from '../../collection/coveredTo.ts'
import type { TransferRange, TransferSource } from '../../transferQuery.ts'
import { firstPositionOf, positionsPerRange } from '../../transfers/position.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import { ofBlock } from './transferSql.ts'
import { countWholeTransfersSql } from './wholeTransferSql.ts'

/** Most transfers that are counted for a request, which takes 30 ms. */
export const mostCounted = 100_000

/**
 * Number of transfers of a source. A whole contract or token has a counter; everything else is counted up to `mostCounted`. For some collections of a
 * wallet, this scans those of the others too. null: there are more. Removed collections do not count, even if rows are left.
 */
export async function countTransfers(sql: Sql, source: TransferSource, range: TransferRange): Promise<number | null> {
  const isWhole = range.from === null && range.to === null
  const bounds = [
    firstPositionOf(range.from ?? 0n),
    range.to === null ? 2n ** 63n - 1n : firstPositionOf(range.to + 1n),
  ]
  const read = async (text: string, values: unknown[]) => Number((await sql.rows<[bigint]>(text, values))[0]?.[0] ?? 0n)
  const counted = async (from: string, values: unknown[]) => {
    const count = await read(`SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT ${mostCounted + 1}) n`, [
      ...bounds,
      ...values,
    ])
    return count > mostCounted ? null : count
  }
  if (source.of === 'wallet') {
    const { chainId, wallet, only } = source
    const key = [partitionOf(chainId, wallet), chainId, hexToBuffer(wallet)]
    const wanted = only ? [only.map(({ id }) => id)] : []
    const removed = await removedOn(sql, chainId)
    const values = [...bounds, ...key, removed, ...wanted]
    const [row] = await sql.rows<[bigint, bigint]>(countOfWallet(only !== undefined), values)
    return row![1] > mostCounted ? null : Number(row![0])
  }
  if (source.of === 'wholeWallet') return countWhole(sql, source, bounds)
  if (source.of === 'chain') {
    const { chainId, hash } = source
    if (isWhole && !hash)
      return read(
        `SELECT coalesce(sum(transfers), 0)::int8 FROM collection WHERE chain_id = $1 AND ${isCollection()}`,
        [chainId],
      )
    return counted(ofChain(hash !== undefined), [chainId, ...(hash ? [hexToBuffer(hash)] : [])])
  }
  const { state, address, tokenId } = source
  const key = [state.partition, state.id]
  if (tokenId === undefined)
    return isWhole
      ? read('SELECT transfers FROM collection WHERE partition = $1 AND id = $2', key)
      : counted(ofContract, key)
  return isWhole
    ? read('SELECT transfers::int8 FROM token WHERE partition = $1 AND collection_id = $2 AND token_hash = $3::uuid', [
        ...key,
        tokenHash(address, String(tokenId)),
      ])
    : counted(ofToken, [...key, tokenId])
}

async function countWhole(
  sql: Sql,
  { chainId, wallet, whole, contracts }: Extract<TransferSource, { of: 'wholeWallet' }>,
  bounds: readonly bigint[],
): Promise<number | null> {
  const values = [
    ...bounds,
    whole.partition,
    whole.id,
    contracts?.map(hexToBuffer) ?? null,
    chainId,
    hexToBuffer(wallet),
  ]
  const [row] = await sql.rows<[bigint, bigint]>(countWholeTransfersSql(whole.complete), [...values, mostCounted + 1])
  return row![1] > mostCounted ? null : Number(row![0])
}

const within = (row: string) => `${row}.position >= $1::int8 AND ${row}.position < $2::int8`

const ofContract = `transfer t WHERE t.partition = $3 AND t.collection_id = $4 AND ${within('t')}`
/** The bounds contain the token, so that the index that leads with it is used: see transferSql.ts. */
const ofToken = `transfer t WHERE t.partition = $3 AND t.collection_id = $4
  AND (t.token_id, t.position) >= ($5::numeric, $1::int8) AND (t.token_id, t.position) < ($5::numeric, $2::int8)`
const ofWallet = `wallet_transfer w WHERE w.partition = $3 AND w.chain_id = $4 AND w.wallet = $5::bytea AND ${within('w')}`
/** Transfers of the requested collections that are not being removed, and the number of scanned ones. */
const countOfWallet = (only: boolean) => `
SELECT count(*) FILTER (WHERE NOT n.collection_id = ANY($6::int8[]) ${only ? 'AND n.collection_id = ANY($7::int8[])' : ''}), count(*)
FROM (SELECT w.collection_id FROM ${ofWallet} LIMIT ${mostCounted + 1}) n`
const ofChain = (
  byHash: boolean,
) => `transfer_range r JOIN collection c ON c.partition = r.partition AND c.id = r.collection_id CROSS JOIN LATERAL (
    SELECT 1 FROM transfer t WHERE t.partition = r.partition AND t.collection_id = r.collection_id
      AND t.position >= r.range * ${positionsPerRange} AND t.position < (r.range + 1) * ${positionsPerRange}
      AND ${within('t')}${byHash ? ` AND ${ofBlock('$3', '$4')}` : ''}
    LIMIT ${mostCounted + 1}
  ) t WHERE r.chain_id = $3 AND r.range >= $1::int8 / ${positionsPerRange} AND r.range <= $2::int8 / ${positionsPerRange}`

/**
 * Collections of a chain that are being removed, usually none. The query excludes these instead of listing the others, so that an index-only scan
 * suffices. It is separate, as this table is on every node, and a wallet's transfers are on one.
 */
async function removedOn(sql: Sql, chainId: bigint): Promise<bigint[]> {
  const rows = await sql.rows<[bigint]>('SELECT id FROM collection_removal WHERE chain_id = $1', [chainId])
  return rows.map(([id]) => id)
}
