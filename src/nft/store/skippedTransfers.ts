import type { Sql, Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { hexToBuffer } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import { raisedVersion } from '../collection/version.ts'
import type { SkippedTransfers } from '../transfers/decodeTransfers.ts'
import { firstPositionOf } from '../transfers/position.ts'

type Key = { partition: number; id: bigint }

/** What `maxTokens` limits: rows of a collection's tokens, and tokens of ConsecutiveTransfers beyond the first of each. */
export type Holdings = { rows: number; rangeMoves: number }

/** Counts the rows if their number is not stored, at 50 ms per million. */
export const readHoldings = (sql: Sql, key: Key): Promise<Holdings> =>
  selectHoldings(sql, key, '(SELECT count(*) FROM token t WHERE t.partition = $1 AND t.collection_id = $2)')

/** As `readHoldings`, with an upper bound of the rows: each had a transfer. Takes one lookup. */
export const readMostHoldings = (sql: Sql, key: Key): Promise<Holdings> => selectHoldings(sql, key, 'c.transfers')

/** `rowsIfUnknown`: SQL of the number of rows if it is not stored. */
async function selectHoldings(sql: Sql, { partition, id }: Key, rowsIfUnknown: string): Promise<Holdings> {
  const [row] = await sql.rows<[bigint, bigint]>(
    `SELECT coalesce(c.token_rows, ${rowsIfUnknown}), c.range_moves FROM collection c WHERE c.partition = $1 AND c.id = $2`,
    [partition, id],
  )
  const [rows, rangeMoves] = row ?? [0n, 0n]
  return { rows: Number(rows), rangeMoves: Number(rangeMoves) }
}

const entries = defineLists<SkippedTransfers>({
  position: list.int8((entry) => entry.position),
  reason: list.text((entry) => entry.reason),
  transfers: list.numeric((entry) => entry.transfers),
  range_moves: list.int8((entry) => entry.rangeMoves),
  transaction_hash: list.bytea((entry) => hexToBuffer(`0x${entry.transactionHash}`)),
})

/**
 * Stores omissions of logs, moved tokens, and whether topics find all logs. Must be called after `raiseVersions`, which resets the number of rows.
 */
export async function storeOmissions(
  tx: Transaction,
  chainId: bigint,
  { partition, id }: Key,
  found: { skipped: readonly SkippedTransfers[]; rangeMoves: number; rows?: number; unindexed: boolean },
): Promise<void> {
  const { skipped, rangeMoves, rows, unindexed } = found
  if (unindexed)
    await tx.run('UPDATE collection SET unindexed = true WHERE partition = $1 AND id = $2 AND NOT unindexed', [
      ...[partition, id],
    ])
  if (skipped.length === 0 && rangeMoves === 0 && rows === undefined) return
  if (skipped.length > 0)
    await tx.run(
      `INSERT INTO left_out (partition, collection_id, chain_id, ${entries.columns})
       SELECT $1, $2, $3, v.* FROM ${entries.unnest(4)}`,
      [partition, id, chainId, ...entries.lists(skipped)],
    )
  const oversized = skipped.filter(({ reason }) => reason === 'wide').length
  const overLimit = skipped.reduce((sum, entry) => sum + (entry.reason === 'surplus' ? entry.transfers : 0n), 0n)
  await tx.run(
    `UPDATE collection SET range_moves = range_moves + $3, wide_logs = wide_logs + $4, surplus_transfers = surplus_transfers + $5,
       token_rows = $6, ${raisedVersion()}
     WHERE partition = $1 AND id = $2`,
    [partition, id, rangeMoves, oversized, overLimit, rows ?? null],
  )
}

/**
 * Deletes omitted logs above block `fork` of collections that are live or catch up in parts. A running history has only blocks that the nodes report
 * as final, even if they are above the fork: the chain may have been followed on another one.
 */
export async function revertSkipped(tx: Transaction, chainId: bigint, fork: bigint): Promise<void> {
  await tx.run(
    `WITH gone AS (
       DELETE FROM left_out l USING collection o
       WHERE l.chain_id = $1 AND l.position >= $2 AND o.partition = l.partition AND o.id = l.collection_id
         AND (o.status = 'live' OR o.stored_of_next IS NOT NULL)
       RETURNING l.*
     ), sums AS (
       SELECT partition, collection_id, count(*) FILTER (WHERE reason = 'wide') AS wide,
         coalesce(sum(transfers) FILTER (WHERE reason = 'surplus'), 0)::bigint AS surplus,
         sum(range_moves)::bigint AS moves
       FROM gone GROUP BY partition, collection_id
     )
     UPDATE collection c SET wide_logs = c.wide_logs - s.wide, surplus_transfers = c.surplus_transfers - s.surplus,
       range_moves = c.range_moves - s.moves, ${raisedVersion('c')}
     FROM sums s WHERE c.partition = s.partition AND c.id = s.collection_id`,
    [chainId, firstPositionOf(fork + 1n)],
  )
}

/** Logs omissions of a collection with the reason. */
export function warnSkipped(
  log: Log,
  fields: { chain: string; collection: string },
  skipped: readonly SkippedTransfers[],
): void {
  for (const reason of ['wide', 'surplus'] as const) {
    const own = skipped.filter((entry) => entry.reason === reason)
    const [first] = own
    if (!first) continue
    const transfers = String(own.reduce((sum, entry) => sum + entry.transfers, 0n))
    const why = reason === 'wide' ? 'oversized logs skipped' : 'transfers over sync.maxTokens skipped'
    log.warn({ ...fields, logs: own.length, transfers, first: `0x${first.transactionHash}` }, why)
  }
}
