import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { type RowKey, rowKeys } from '../../db/rowKeys.ts'

/** How fast the history of a collection is read. */
export type ReadingRate = {
  /** Of the last minutes, with the pauses between turns; null: nothing was read for a while, or the history is not being read. */
  blocksPerSecond: number | null
  /** Until the history is read at that rate: an estimate, as blocks differ in what is in them; null: none can be made. */
  secondsLeft: number | null
}

/** Blocks that were read so many seconds ago count for a third of those that are read now. */
const memorySeconds = 60

/** A longer pause counts as one of so many seconds, and there is no rate after it. */
const longestPauseSeconds = 300

/** SQL for how long nothing was read, in seconds. */
const paused = `least(extract(epoch FROM statement_timestamp() - coalesce(covered_at, turn_at)), ${longestPauseSeconds})`

/** SQL for the part of the earlier counts that is left after the pause since they were last raised. */
const left = `(SELECT exp(-${paused} / ${memorySeconds}))`

/** SQL of a SET clause of `collection` that counts newly covered blocks of history; `blocks`: SQL for their number. */
export const countCovered = (blocks: string) => `covered_at = statement_timestamp(),
  recent_blocks = recent_blocks * ${left} + ${blocks},
  recent_seconds = recent_seconds * ${left}
    + (SELECT ${paused})`

const rateRow = defineRow({
  id: column.int8('id'),
  rate: column.float8('rate').orNull(),
  seconds: column.float8('missing / nullif(rate, 0)').orNull(),
})

/** Rates of collections by id; a collection whose history is not being read has none. */
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

/** Three digits show all that such a figure can. */
function rounded(rate: number | null): number | null {
  return rate === null ? null : Number(rate.toPrecision(3))
}
