import type { Row } from '../../../db/database.ts'
import { column, defineRow, type RowOf } from '../../../db/defineRow.ts'
import { parseMultirange } from '../../../sync/blockRange.ts'
import { headAgeColumns, headAgeOf, isOld } from '../../../sync/headAge.ts'
import { smaller } from '../../../util/extremes.ts'
import { bufferToHex } from '../../../util/hex.ts'
import { unconfirmed } from '../../query.ts'
import { blockOfPosition } from '../../transfers/position.ts'
import type { WholeState } from '../../walletQuery.ts'
import { hasPending } from '../../wallets/walletUpdates.ts'
import { blocksIn, progressOf } from '../collections/state.ts'

/**
 * SQL: the tables that follow collections show the holdings of collection `c`, as its contract indexes no address. Before its history is complete in
 * these tables, they have holdings that ended later.
 */
export const shownByTables = `c.unindexed AND c.status = 'live' AND NOT ${hasPending('')}`

const isShown = `(c.status = 'live' AND o.id IS NULL)`

/** `chain`: a parameter. */
const rowOf = (chain: string) =>
  defineRow({
    partition: column.int2('w.partition'),
    id: column.int8('w.id'),
    status: column.text<WholeState['status']>('w.status'),
    reason: column.text('w.reason').orNull(),
    isRequestedLongAgo: column.bool(`w.asked_at < now() - interval '1 hour'`),
    /** A wallet over its limit never becomes live: its history ends with the last block that fits. */
    complete: column.bool(`w.live_since IS NOT NULL OR w.status = 'full'`),
    fromBlock: column.int8('w.from_block').orNull(),
    storedTo: column.int8('w.to_block').orNull(),
    coverage: column.text('w.coverage').map(parseMultirange),
    oversizedLogs: column.int8('w.wide_logs'),
    transfers: column.int8('w.transfers'),
    cursor: column.int8('h.block_number').orNull(),
    cursorHash: column.bytea('h.block_hash').map(bufferToHex).orNull(),
    headBlock: column.int8('h.head_number').orNull(),
    contradicted: column.bool('coalesce(h.contradicted, false)'),
    chainFailure: column.text('h.failure').orNull(),
    /**
     * Counts of collections that `shownByTables` selects, and of those whose history is being read or not in the tables yet; the first pending position
     * of the former. Citus rejects a column of `w` in it.
     */
    tabled: column
      .text(
        `(SELECT concat_ws(' ', count(*) FILTER (WHERE ${isShown}), count(*) FILTER (WHERE NOT ${isShown}), min(d.from_position) FILTER (WHERE ${isShown}))
    FROM collection c LEFT JOIN wallet_due d ON d.partition = c.partition AND d.collection_id = c.id AND d.at_head
      LEFT JOIN wallet_due o ON o.partition = c.partition AND o.collection_id = c.id AND NOT o.at_head
    WHERE c.chain_id = ${chain} AND c.unindexed AND c.status IN ('queued', 'syncing', 'live'))`,
      )
      .map((text) => text.split(' ')),
    ...headAgeColumns('h'),
  })

const from = (chain: string, wallet: string) => `FROM wallet w LEFT JOIN chain h ON h.id = w.chain_id
WHERE w.partition = $1 AND w.chain_id = ${chain} AND w.address = ${wallet} AND w.status <> 'removed'`

const stateRow = rowOf('$2')

/** The row of a wallet. $1: its partition, $2: its chain, $3: its address. */
export const selectState = `SELECT ${stateRow.columns} ${from('$2', '$3')}`

/** The state from a row of `selectState`. */
export const decodeState = (row: Row): WholeState => stateOf(stateRow.decode(row))

/** SQL of the row as one text, for a statement with other parameters; NULL without the wallet. See `stateIn`. */
export const stateText = ({ chain, wallet }: { chain: string; wallet: string }) =>
  `(SELECT ${rowOf(chain).json} ${from(chain, wallet)})`

/** The state from `stateText`. */
export const stateIn = (text: string): WholeState => stateOf(stateRow.parse(text))

function stateOf(row: RowOf<typeof stateRow>): WholeState {
  const {
    storedTo,
    coverage,
    cursor,
    cursorHash,
    contradicted,
    chainFailure,
    confirmedAt,
    queriedAt,
    tabled: [shown, pending, firstPending],
    ...others
  } = row
  const { maxHeadAgeMs, ...state } = others
  const head = headAgeOf(row)
  const isLive = state.status === 'live'
  const reached = firstPending === undefined ? null : blockOfPosition(BigInt(firstPending)) - 1n
  const covered = isLive ? cursor : storedTo
  const toBlock = covered !== null && reached !== null ? smaller(covered, reached) : covered
  const { headBlock } = state
  const isAtCursor = isLive && toBlock === cursor
  // The rows of a wallet that left the head, and of one that is ahead of the tables, are of later blocks.
  const hasLater = isLive ? !isAtCursor : state.complete && (state.status !== 'full' || coverage.length > 1)
  const isUncertain = contradicted || isOld(head)
  const isComplete = isLive && pending === '0'
  const synced = isComplete && !isUncertain && toBlock !== null && headBlock !== null && toBlock >= headBlock
  const reason = state.reason ?? chainFailure ?? (isLive && isUncertain ? unconfirmed(maxHeadAgeMs) : null)
  return {
    ...state,
    ...{ head, toBlock, synced, shownAt: hasLater ? toBlock : null },
    hasTabled: !state.complete || shown !== '0',
    reason: synced ? null : reason,
    progress: synced ? 1 : progressOf(0n, headBlock, isLive ? (toBlock ?? 0n) + 1n : blocksIn(coverage)),
    block: isAtCursor && cursor !== null && cursorHash !== null ? { number: cursor, hash: cursorHash } : null,
  }
}
