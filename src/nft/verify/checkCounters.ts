import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { positionsPerRange } from '../transfers/position.ts'

/**
 * A counter of a collection, or a sum over its tokens, that differs from a recount. Of `tokens with wrong …`, `stored` is 0, and `recounted` the number
 * of these tokens.
 */
export type CounterFault = {
  counter:
    | 'tokens'
    | 'transfers'
    | 'transfers of tokens'
    | 'tokens with wrong transfers'
    | 'tokens with wrong holders'
    | 'ranges with transfers'
    | 'owners'
    | 'kept holders'
    | 'rows of kept holders'
    | 'pieces of kept holders'
  stored: bigint
  recounted: bigint
}

const of = (table: string) => `FROM ${table} t WHERE t.partition = $1 AND t.collection_id = $2`

/** Tokens whose stored number of transfers is not that of their transfers, and transfers without a token. */
const wrongTransfers = `(SELECT count(*) FROM (SELECT t.token_id, t.transfers ${of('token')}) t
  FULL JOIN (SELECT t.token_id, count(*) AS kept ${of('transfer')} GROUP BY t.token_id) m ON m.token_id = t.token_id
  WHERE coalesce(t.transfers, 0) <> coalesce(m.kept, 0))`

/** Tokens of ERC-1155 whose row has another number of holders than their balances, or another single holder. */
const wrongHolders = `(SELECT count(*) FROM (SELECT t.token_hash, t.holders, encode(t.owner, 'hex') AS owner ${of('token')} AND t.erc1155) t
  LEFT JOIN (SELECT t.token_hash, count(*) AS kept, min(encode(t.holder, 'hex')) AS first ${of('balance')} AND t.amount > 0
    GROUP BY t.token_hash) b ON b.token_hash = t.token_hash
  WHERE t.holders <> coalesce(b.kept, 0) OR t.owner IS DISTINCT FROM CASE WHEN b.kept = 1 THEN b.first END)`

const countedRow = defineRow({
  tokens: column.int8('c.tokens'),
  listed: column.int8(`(SELECT count(*) ${of('token')} AND t.amount > 0)`),
  transfers: column.int8('c.transfers'),
  ofTokens: column.int8(`(SELECT coalesce(sum(t.transfers), 0)::int8 ${of('token')})`),
  wrongTransfers: column.int8(wrongTransfers),
  wrongHolders: column.int8(wrongHolders),
  kept: column.int8(`(SELECT count(*) ${of('transfer')})`),
  ranges: column.int8(`(SELECT count(*) ${of('transfer_range')} AND t.chain_id = c.chain_id)`),
  moved: column.int8(`(SELECT count(DISTINCT t.position / ${positionsPerRange}) ${of('transfer')})`),
  owners: column.int8(`coalesce((SELECT t.owners ${of('owner_count')}), 0)`),
  holding: column.int8(`(SELECT count(DISTINCT u.holder) FROM (
      SELECT t.holder ${of('balance')} AND t.amount > 0 UNION ALL SELECT t.owner ${of('token')} AND t.amount > 0 AND NOT t.erc1155
    ) u)`),
  /** Owners are counted from a queue, after the transfers. */
  hasPendingUpdates: column.bool(`EXISTS (SELECT ${of('wallet_due')})`),
  /** Null without a holder list. */
  listedHolders: column.int8(`(SELECT t.holders ${of('holder_index')} AND t.built)`).orNull(),
  listedRows: column.int8(`(SELECT count(*) ${of('holder')})`),
  listedAmount: column.text(`(SELECT coalesce(sum(t.amount), 0)::text ${of('holder')})`),
  totalAmount: column.text(`(SELECT coalesce(sum(t.amount), 0)::text ${of('token')} AND t.amount > 0)`),
})

/** Recounts a collection's counters in one snapshot: a row and its counter change in one transaction. */
export async function checkCounters(
  sql: Sql,
  { partition, id }: { partition: number; id: bigint },
): Promise<CounterFault[]> {
  const rows = await sql.rows(`SELECT ${countedRow.columns} FROM collection c WHERE c.partition = $1 AND c.id = $2`, [
    partition,
    id,
  ])
  return rows.map(countedRow.decode).flatMap((found) => {
    const faults: CounterFault[] = [
      { counter: 'tokens', stored: found.tokens, recounted: found.listed },
      { counter: 'transfers', stored: found.transfers, recounted: found.kept },
      { counter: 'transfers of tokens', stored: found.ofTokens, recounted: found.kept },
      { counter: 'tokens with wrong transfers', stored: 0n, recounted: found.wrongTransfers },
      { counter: 'tokens with wrong holders', stored: 0n, recounted: found.wrongHolders },
      { counter: 'ranges with transfers', stored: found.ranges, recounted: found.moved },
    ]
    if (!found.hasPendingUpdates) faults.push({ counter: 'owners', stored: found.owners, recounted: found.holding })
    if (found.listedHolders !== null)
      faults.push(
        { counter: 'kept holders', stored: found.listedHolders, recounted: found.holding },
        { counter: 'rows of kept holders', stored: found.listedRows, recounted: found.holding },
        { counter: 'pieces of kept holders', stored: BigInt(found.listedAmount), recounted: BigInt(found.totalAmount) },
      )
    return faults.filter(({ stored, recounted }) => stored !== recounted)
  })
}
