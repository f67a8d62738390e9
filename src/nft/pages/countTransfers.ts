import type { Sql } from '../../db/database.ts'
import { partitionCount, partitionOf } from '../../sync/partition.ts'
import { hexToBuffer } from '../../util/hex.ts'
import type { TransferRange, TransferSource } from '../transferQuery.ts'
import { firstPositionOf, positionsPerBlock } from '../transfers/position.ts'
import { tokenHash } from '../transfers/tokenHash.ts'

/** Most transfers that are counted one by one for a request: it takes 30 ms. */
const mostCounted = 100_000

/**
 * How many transfers a source has. Of a whole contract and of a whole token that is a counter; everything else is counted, up to
 * `mostCounted`. null: there are more.
 */
export async function countTransfers(sql: Sql, source: TransferSource, range: TransferRange): Promise<number | null> {
  const isWhole = range.from === null && range.to === null
  const bounds = [
    firstPositionOf(range.from ?? 0n),
    range.to === null ? 2n ** 63n - 1n : firstPositionOf(range.to + 1n),
  ]
  const read = async (text: string, values: unknown[]) => Number((await sql.rows<[bigint]>(text, values))[0]?.[0] ?? 0n)
  const counted = async (from: string, values: unknown[]) => {
    const count = await read(`SELECT count(*) FROM (SELECT FROM ${from} LIMIT ${mostCounted + 1}) n`, [
      ...bounds,
      ...values,
    ])
    return count > mostCounted ? null : count
  }
  if (source.of === 'wallet') {
    const { chainId, wallet } = source
    return counted(ofWallet, [partitionOf(chainId, wallet), chainId, hexToBuffer(wallet)])
  }
  if (source.of === 'chain') {
    const { chainId, hash } = source
    if (isWhole && !hash)
      return read('SELECT coalesce(sum(transfers), 0)::int8 FROM collection WHERE chain_id = $1', [chainId])
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

const within = (row: string) => `${row}.position >= $1::int8 AND ${row}.position < $2::int8`

const ofContract = `transfer t WHERE t.partition = $3 AND t.collection_id = $4 AND ${within('t')}`
/** The bounds name the token, so that the index that leads with it is used: see transferSql.ts. */
const ofToken = `transfer t WHERE t.partition = $3 AND t.collection_id = $4
  AND (t.token_id, t.position) >= ($5::numeric, $1::int8) AND (t.token_id, t.position) < ($5::numeric, $2::int8)`
const ofWallet = `wallet_transfer w WHERE w.partition = $3 AND w.chain_id = $4 AND w.wallet = $5::bytea AND ${within('w')}`
const ofChain = (byHash: boolean) => `generate_series(0, ${partitionCount - 1}) AS p (partition) CROSS JOIN LATERAL (
    SELECT * FROM transfer_block b WHERE b.partition = p.partition AND b.chain_id = $3
      AND b.number >= $1::int8 / ${positionsPerBlock} AND b.number < $2::int8 / ${positionsPerBlock}${byHash ? ' AND b.hash = $4::bytea' : ''}
    LIMIT ${mostCounted + 1}
  ) b CROSS JOIN LATERAL (
    SELECT FROM transfer t WHERE t.partition = b.partition AND t.collection_id = b.collection_id
      AND t.position >= b.number * ${positionsPerBlock} AND t.position < (b.number + 1) * ${positionsPerBlock}
    LIMIT ${mostCounted + 1}
  ) t`
