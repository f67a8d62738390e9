import type { Sql, Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { onlyPartition, within } from '../../db/staging/stagingTables.ts'
import { parseMultirange } from '../../sync/blockRange.ts'
import { bufferToHex } from '../../util/hex.ts'
import { isCollection, isNameless, isUnchecked } from '../collection/coveredTo.ts'
import { raisedVersion } from '../collection/version.ts'
import type { Standard, TransferForm } from '../transfers/decodeTransfers.ts'
import { collectionHistory, takeSlicesOf } from './historyQueue.ts'
import type { CountChange } from './storeTransfers.ts'

const checkedStandard = (row: string) => `CASE WHEN NOT ${isUnchecked(row)} THEN ${row}.standard END`

/** Columns of a collection `c` in `takeSlices`. */
const dueRow = defineRow({
  partition: column.int2('c.partition'),
  id: column.int8('c.id'),
  chainId: column.int8('c.chain_id'),
  address: column.bytea('c.address').map(bufferToHex),
  status: column.text<'queued' | 'syncing' | 'failed'>('c.status'),
  attempts: column.int4('c.attempts'),
  standard: column.text<Standard>(checkedStandard('c')).orNull(),
  idInData: column.bool('c.id_in_data'),
  coins: column.bool('c.coins'),
  fromBlock: column.int8('c.from_block').orNull(),
  toBlock: column.int8('c.to_block').orNull(),
  coverage: column.text('c.coverage').map(parseMultirange),
  /** It was followed before, so its metadata is of the last followed block. */
  wasLive: column.bool('c.live_since IS NOT NULL'),
})

/** A collection with due history. */
export type DueCollection = Omit<RowOf<typeof dueRow>, 'standard' | 'idInData'> & {
  /** null: undecided. */
  form: TransferForm | null
}

/** Starts time slices of the `limit` longest waiting collections of a chain: see `takeSlicesOf`. */
export async function takeSlices(sql: Sql, options: Parameters<typeof takeSlicesOf>[3]): Promise<DueCollection[]> {
  const rows = await takeSlicesOf(sql, collectionHistory, dueRow, options)
  return rows.map(({ standard, idInData, ...subject }) => ({ ...subject, form: standard && { standard, idInData } }))
}

type Key = { partition: number; id: bigint }

/**
 * Stores a contract's answers, and starts the collection's history. A standard that a log showed before an error is kept, with the block of that log.
 */
export async function beginSyncing(
  sql: Sql,
  key: Key,
  identity: {
    form: TransferForm | undefined
    /** The contract itself returns its standard. */
    bySelf: boolean
    name: string | null
    symbol: string | null
    fromBlock: bigint
    /** The head after the contract was queried. */
    identifiedBlock: bigint
  },
): Promise<void> {
  await sql.run(
    `UPDATE collection SET status = 'syncing', reason = NULL, retry_at = NULL, checked_at = now(), standard = $3, id_in_data = $4, coins = false, by_self = $9,
       learned_block = $8, identity_undone = false,
       form_block = CASE WHEN standard IS NOT NULL THEN form_block END, name = $5, symbol = $6, from_block = coalesce(from_block, $7), ${raisedVersion()}
     WHERE partition = $1 AND id = $2 AND status IN ('queued', 'failed', 'syncing') AND stored_of_next IS NULL`,
    [
      key.partition,
      key.id,
      identity.form?.standard ?? null,
      identity.form?.idInData ?? false,
      identity.name,
      identity.symbol,
      identity.fromBlock,
      identity.identifiedBlock,
      identity.bySelf,
    ],
  )
}

/** Stores the transfer form of a contract, if only its logs showed that. `block`: of the log, if it is not final. */
export async function setForm(
  sql: Sql,
  key: Key,
  { standard, idInData }: TransferForm,
  block: bigint | null,
): Promise<void> {
  await sql.run(
    `UPDATE collection SET standard = $3, id_in_data = $4, form_block = $5, ${raisedVersion()}
     WHERE partition = $1 AND id = $2 AND standard IS NULL`,
    [key.partition, key.id, standard, idInData, block],
  )
}

/** Records that Transfers without an indexed token id are of coins, for a contract without a known standard. */
export async function setCoins(sql: Sql, key: Key): Promise<void> {
  await sql.run('UPDATE collection SET coins = true WHERE partition = $1 AND id = $2', [key.partition, key.id])
}

/** Ends a collection without a contract (`nocode`) or without NFTs (`none`). With a `reason` this may change: `lookAgainAt`. */
export async function endWithout(
  sql: Sql,
  key: Key,
  status: 'none' | 'nocode',
  reason: string | null = null,
): Promise<void> {
  await sql.run(
    `UPDATE collection SET status = $3, reason = $4, retry_at = NULL, checked_at = now(), attempts = 0, standard = ${checkedStandard('collection')},
       ${raisedVersion()}
     WHERE partition = $1 AND id = $2 AND status IN ('queued', 'failed', 'syncing') AND stored_of_next IS NULL`,
    [key.partition, key.id, status, reason],
  )
}

const countChange = defineLists<CountChange>({
  partition: list.int2((c) => c.partition),
  id: list.int8((c) => c.id),
  listed: list.int8((c) => c.listed),
  transfers: list.int8((c) => c.transfers),
})

/**
 * Counts newly listed tokens and stored transfers, and increments the versions, which invalidates cached pages. With the first token of a live
 * collection without a name, the name is read again: a proxy may have been empty until then.
 */
export async function raiseVersions(tx: Transaction, changes: readonly CountChange[]): Promise<void> {
  if (changes.length === 0) return
  const of = within(onlyPartition(changes))
  await tx.fresh.run(
    `UPDATE collection c SET tokens = c.tokens + v.listed, transfers = c.transfers + v.transfers, token_rows = NULL, ${raisedVersion('c')},
       retry_at = CASE WHEN c.status = 'live' AND c.tokens = 0 AND v.listed > 0 AND ${isNameless('c')} THEN 'epoch' ELSE c.retry_at END
     FROM ${countChange.unnest()}
     WHERE c.partition = v.partition AND c.id = v.id${of('c')}`,
    countChange.lists(changes),
  )
}

/**
 * Deletes addresses without code that were last checked `seconds` ago, and, a day after the request, those that failed before their contract was
 * known.
 */
export async function forgetCodeless(sql: Sql, seconds: number): Promise<void> {
  await sql.run(`DELETE FROM collection WHERE status = 'nocode' AND checked_at < now() - make_interval(secs => $1)`, [
    seconds,
  ])
  await sql.run(
    `DELETE FROM collection WHERE status = 'failed' AND from_block IS NULL AND requested_at < now() - interval '1 day'`,
  )
}

/** Number of collections by status; unused statuses are omitted. */
export async function countByStatus(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql.rows<[string, bigint]>(
    `SELECT status, count(*) FROM collection WHERE ${isCollection()} GROUP BY status ORDER BY status`,
  )
  return Object.fromEntries(rows.map(([status, count]) => [status, Number(count)]))
}
