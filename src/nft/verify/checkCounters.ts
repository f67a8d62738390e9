import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'

/** A counter in a collection's row, or the sum of one in the rows of its tokens, that is not the number of rows that it counts. */
export type CounterFault = {
  counter: 'tokens' | 'transfers' | 'transfers of tokens'
  stored: bigint
  recounted: bigint
}

const countedRow = defineRow({
  tokens: column.int8('c.tokens'),
  listed: column.int8(
    '(SELECT count(*) FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0)',
  ),
  transfers: column.int8('c.transfers'),
  ofTokens: column.int8(
    '(SELECT coalesce(sum(t.transfers), 0)::int8 FROM token t WHERE t.partition = $1 AND t.collection_id = $2)',
  ),
  kept: column.int8('(SELECT count(*) FROM transfer t WHERE t.partition = $1 AND t.collection_id = $2)'),
})

const selectCounted = `SELECT ${countedRow.columns} FROM collection c WHERE c.partition = $1 AND c.id = $2`

/** Recounts what the counters of a collection stand for, in one snapshot: a row and its counter change in one transaction. */
export async function checkCounters(
  sql: Sql,
  { partition, id }: { partition: number; id: bigint },
): Promise<CounterFault[]> {
  const rows = await sql.rows(selectCounted, [partition, id])
  return rows.map(countedRow.decode).flatMap(({ tokens, listed, transfers, ofTokens, kept }) => {
    const faults: CounterFault[] = [
      { counter: 'tokens', stored: tokens, recounted: listed },
      { counter: 'transfers', stored: transfers, recounted: kept },
      { counter: 'transfers of tokens', stored: ofTokens, recounted: kept },
    ]
    return faults.filter(({ stored, recounted }) => stored !== recounted)
  })
}
