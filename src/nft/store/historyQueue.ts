import type { Sql, Transaction } from '../../db/database.ts'
import { column, defineRow, type RowDefinition } from '../../db/defineRow.ts'
import type { BlockRange } from '../../sync/blockRange.ts'
import { isServed, isServedBy, type Served, servedValues } from '../../sync/leases/served.ts'
import { lockServedCollection, skipHeld } from '../collection/lock.ts'
import { raisedVersion } from '../collection/version.ts'
import { countCovered } from './readingRate.ts'

/**
 * A table of subjects with a history: contracts (`collection`) or wallets (`wallet`). Both have the queue's columns: partition, id, chain_id, status,
 * reason, attempts, retry_at, turn_at, from_block, coverage, to_block, version, and those of `countCovered`.
 */
export type HistoryTable = {
  name: 'collection' | 'wallet'
  /** SQL condition: no other part of the program currently writes blocks of the row. */
  free: string
}

export const collectionHistory: HistoryTable = { name: 'collection', free: 'stored_of_next IS NULL' }

export type SubjectKey = { partition: number; id: bigint }

/** SQL of the time since which a subject waits for a time slice, or until which it pauses: the order of the queue's index. */
export const dueSince = 'greatest(turn_at, retry_at)'

/** SQL condition: the history of a row has to be read. */
export const isWaiting = ({ free }: HistoryTable) => `status IN ('queued', 'syncing', 'failed') AND ${free}`

/** Starts the time slice of one subject, unless another transaction has locked it or it is not due any more. */
const takeSlice = (table: HistoryTable, columns: string) => `
WITH due AS MATERIALIZED (
  SELECT partition, id FROM ${table.name}
  WHERE partition = $1 AND id = $2 AND ${isWaiting(table)} AND ${dueSince} <= now() ${skipHeld}
)
UPDATE ${table.name} c SET turn_at = now() FROM due
WHERE c.partition = $1 AND c.partition = due.partition AND c.id = due.id
RETURNING ${columns}`

const selectWaiting = (table: HistoryTable) => `
SELECT partition, id, upper(coverage) FROM ${table.name}
WHERE ${isServed('partition', 'chain_id')} AND chain_id = $5 AND NOT id = ANY($6::bigint[])
  AND ${isWaiting(table)} AND ${dueSince} <= now()
ORDER BY ${dueSince} LIMIT $7`

/** A due subject. `coveredTo`: the block before which its history is covered; null: none. */
export type WaitingSubject = SubjectKey & { coveredTo: bigint | null }

/**
 * Starts time slices of the `limit` longest waiting subjects of a chain, without those of `except` and those that other transactions have locked.
 * `row`: columns of each, as `c`. `choose`: selects those that start; the others keep their place.
 */
export async function takeSlicesOf<T>(
  sql: Sql,
  table: HistoryTable,
  row: RowDefinition<T>,
  options: {
    served: Served
    chain: bigint
    except: readonly bigint[]
    limit: number
    choose?: (waiting: readonly WaitingSubject[]) => readonly SubjectKey[]
  },
): Promise<T[]> {
  const { served, chain, except, limit, choose } = options
  const found = await sql.rows<[number, bigint, bigint | null]>(selectWaiting(table), [
    ...servedValues(served),
    ...[chain, except, limit],
  ])
  const waiting = found.map(([partition, id, coveredTo]) => ({ partition, id, coveredTo }))
  const text = takeSlice(table, row.columns)
  const started = (choose?.(waiting) ?? waiting).map(({ partition, id }) => sql.rows(text, [partition, id]))
  return (await Promise.all(started)).flat().map(row.decode)
}

/** Stores why a subject cannot continue; it is retried after `retrySeconds`. */
export async function setFailedOf(
  sql: Sql,
  table: HistoryTable,
  { partition, id }: SubjectKey,
  reason: string,
  retrySeconds: number,
): Promise<void> {
  await sql.run(
    `UPDATE ${table.name} SET status = 'failed', reason = $3, attempts = attempts + 1, retry_at = now() + make_interval(secs => $4),
       ${raisedVersion(table.name)}
     WHERE partition = $1 AND id = $2 AND ${isWaiting(table)}`,
    [partition, id, reason, retrySeconds],
  )
}

const retryRow = defineRow({ retryAt: column.timestamptz('retry_at').map(Number) })

/** Retries a failed subject immediately. Returns that time in Unix milliseconds; undefined: it had not failed. */
export async function retryNowOf(
  sql: Sql,
  table: HistoryTable,
  { partition, id }: SubjectKey,
): Promise<number | undefined> {
  const [row] = await sql.rows(
    `UPDATE ${table.name} SET retry_at = now() WHERE partition = $1 AND id = $2 AND status = 'failed' RETURNING ${retryRow.columns}`,
    [partition, id],
  )
  return row && retryRow.decode(row).retryAt
}

/** The history of a subject is read up to the finalized block: its next time slice begins in `seconds`. */
export async function postponeSlice(
  sql: Sql,
  table: HistoryTable,
  { partition, id }: SubjectKey,
  seconds: number,
): Promise<void> {
  await sql.run(
    `UPDATE ${table.name} SET retry_at = now() + make_interval(secs => $3) WHERE partition = $1 AND id = $2 AND status = 'syncing'`,
    [partition, id, seconds],
  )
}

/** Stores why a subject could not join the head; the next attempt is in `seconds`. */
export async function postponeJoinOf(
  sql: Sql,
  table: HistoryTable,
  { partition, id }: SubjectKey,
  reason: string,
  seconds: number,
): Promise<void> {
  await sql.run(
    `UPDATE ${table.name} SET reason = $3, retry_at = now() + make_interval(secs => $4)
     WHERE partition = $1 AND id = $2 AND status = 'syncing'`,
    [partition, id, reason, seconds],
  )
}

/** `[from, to]` as PostgreSQL's text of an int8range. */
function rangeText({ from, to }: BlockRange): string {
  return `[${from},${to}]`
}

/**
 * Adds a range to a subject's coverage. False if that is not allowed: another worker serves the subject, it is live by now, or a block of the range
 * is covered. Locks the subject until the transaction ends.
 */
export async function coverOf(
  tx: Transaction,
  table: HistoryTable,
  key: SubjectKey,
  range: BlockRange,
  worker: number,
): Promise<boolean> {
  if (!(await lockServedCollection(tx, key, worker, table.name))) return false
  const changed = await tx.run(`UPDATE ${table.name} SET ${covers('$3::int8range')} WHERE ${isCoverable(table)}`, [
    key.partition,
    key.id,
    rangeText(range),
  ])
  return changed === 1
}

/** SQL of a SET clause that adds a range of blocks to a coverage. */
const covers = (range: string) => `coverage = coverage + ${range}::int8multirange, attempts = 0,
  ${countCovered(`upper(${range}) - lower(${range})`)},
  to_block = (SELECT upper(r) - 1 FROM unnest(coverage + ${range}::int8multirange) r WHERE r @> from_block)`

/** Whether `coverOf` would add the range now. */
export async function mayCoverOf(
  sql: Sql,
  table: HistoryTable,
  key: SubjectKey,
  range: BlockRange,
  worker: number,
): Promise<boolean> {
  const values = [key.partition, key.id, rangeText(range)]
  const [row] = await sql.rows<[bigint]>(`SELECT chain_id FROM ${table.name} WHERE ${isCoverable(table)}`, values)
  return row !== undefined && isServedBy(sql, { partition: key.partition, chainId: row[0] }, worker)
}

/** SQL condition on row $1, $2 and range $3. */
const isCoverable = ({ free }: HistoryTable) =>
  `partition = $1 AND id = $2 AND status = 'syncing' AND ${free} AND NOT coverage && $3::int8range`
