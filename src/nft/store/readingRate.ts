import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { type RowKey, rowKeys } from '../../db/rowKeys.ts'

/** Reading speed of a collection's history. */
export type ReadingRate = {
  /** Over the last minutes, including pauses between time slices; null: nothing was read for a while, or the history is not being read. */
  blocksPerSecond: number | null
  /** Estimated time until the history is read at that rate; null: no estimate. */
  secondsLeft: number | null
}

/** Blocks read this long ago have a third of the weight of recent ones. */
const memorySeconds = 60

/** Pauses are capped at this length, and end the rate. */
const longestPauseSeconds = 300

/** SQL of the time since the last read, in seconds. */
const paused = `least(extract(epoch FROM statement_timestamp() - coalesce(covered_at, turn_at)), ${longestPauseSeconds})`

/** SQL of the decay weight of earlier counts since their last update. */
const decay = `(SELECT exp(-${paused} / ${memorySeconds}))`

/** SQL of a SET clause of `collection` that counts newly covered blocks of history; `blocks`: SQL of their number. */
export const countCovered = (blocks: string) => `covered_at = statement_timestamp(),
  recent_blocks = recent_blocks * ${decay} + ${blocks},
  recent_seconds = recent_seconds * ${decay}
    + (SELECT ${paused})`

const rateRow = defineRow({
  id: column.int8('id'),
  rate: column.float8('rate').orNull(),
  seconds: column.float8('missing / nullif(rate, 0)').orNull(),
})

/** Rates of collections by id; only for those whose history is being read. */
export async function readRates(sql: Sql, keys: readonly RowKey[]): Promise<Map<bigint, ReadingRate>> {
  const rows = await sql.rows(
    `SELECT ${rateRow.columns} FROM (
       SELECT c.id,
         (c.recent_blocks / nullif(c.recent_seconds + extract(epoch FROM now() - c.covered_at), 0))::float8 AS rate,
         greatest(h.head_number - c.from_block + 1 - (SELECT sum(upper(r) - lower(r)) FROM unnest(c.coverage) r), 0)::float8 AS missing
       FROM ${rowKeys.unnest()}
         JOIN collection c ON c.partition = v.partition AND c.id = v.id LEFT JOIN chain h ON h.id = c.chain_id
       WHERE c.status = 'syncing' AND c.covered_at > now() - interval '${longestPauseSeconds} s'
     ) counted`,
    rowKeys.lists(keys),
  )
  return new Map(
    rows
      .map(rateRow.decode)
      .map(({ id, rate, seconds }) => [
        id,
        { blocksPerSecond: rounded(rate), secondsLeft: seconds === null ? null : Math.ceil(seconds) },
      ]),
  )
}

/** Three significant digits. */
function rounded(rate: number | null): number | null {
  return rate === null ? null : Number(rate.toPrecision(3))
}
