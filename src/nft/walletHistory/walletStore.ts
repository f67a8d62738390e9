import type { Sql, Transaction } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { rowKeys } from '../../db/rowKeys.ts'
import { type BlockRange, parseMultirange } from '../../sync/blockRange.ts'
import { lockServedCollection } from '../collection/lock.ts'
import { raisedVersion } from '../collection/version.ts'
import { coverOf, type HistoryTable, takeSlicesOf } from '../store/historyQueue.ts'
import { coveredUpTo } from '../store/liveCollections.ts'
import type { Holder } from '../transfers/indexedLogs.ts'
import type { WalletKey } from './movesOf.ts'
import type { StoredMoves } from './storeMoves.ts'
import { keepFirstMoves, takeBackAfter } from './undoMoves.ts'

export const walletHistory: HistoryTable = { name: 'wallet', free: 'true' }

const holder = column.bytea('c.address').map((bytes): Holder => bytes.toString('hex'))

const dueRow = defineRow({
  partition: column.int2('c.partition'),
  id: column.int8('c.id'),
  chainId: column.int8('c.chain_id'),
  holder,
  attempts: column.int4('c.attempts'),
  transfers: column.int8('c.transfers').map(Number),
  coverage: column.text('c.coverage').map(parseMultirange),
  /** It was followed before. */
  wasLive: column.bool('c.live_since IS NOT NULL'),
})

/** A wallet with due history. */
export type DueWallet = RowOf<typeof dueRow>

/** Starts time slices of the `limit` longest waiting wallets of a chain: see `takeSlicesOf`. */
export const takeWalletSlices = (sql: Sql, options: Parameters<typeof takeSlicesOf>[3]): Promise<DueWallet[]> =>
  takeSlicesOf(sql, walletHistory, dueRow, options)

const ofKeys = (first: number) => `${rowKeys.unnest(first)} WHERE w.partition = v.partition AND w.id = v.id`

/** Starts the history of wallets. A wallet may have moves in any block of its chain. */
export async function beginWallets(sql: Sql, wallets: readonly WalletKey[]): Promise<void> {
  await sql.run(
    `UPDATE wallet w SET status = 'syncing', reason = NULL, retry_at = NULL, from_block = 0, ${raisedVersion('w')}
     FROM ${ofKeys(1)} AND w.status IN ('queued', 'failed')`,
    rowKeys.lists(wallets),
  )
}

/**
 * Adds a range to the coverage of wallets. Returns the ids of those to which it was added. Another worker may serve a wallet, it may be live or
 * removed by now, or a block of the range may be covered. Locks them until the transaction ends.
 */
export async function coverWallets(
  tx: Transaction,
  wallets: readonly WalletKey[],
  range: BlockRange,
  worker: number,
): Promise<Set<bigint>> {
  const covered = new Set<bigint>()
  // In the lock order of collections (collection/lock.ts), and one by one: on a cluster, the statement goes to one shard only.
  for (const wallet of wallets.toSorted((a, b) => a.partition - b.partition || Number(a.id - b.id)))
    if (await coverOf(tx, walletHistory, wallet, range, worker)) covered.add(wallet.id)
  return covered
}

/** Ends the reading of a wallet that exceeds its limit in the block after `block`, up to which it is covered. */
export async function endAfter(
  tx: Transaction,
  wallet: WalletKey,
  { block, maxTransfers, worker }: { block: bigint; maxTransfers: number; worker: number },
): Promise<void> {
  if (!(await lockServedCollection(tx, wallet, worker, walletHistory.name))) return
  const ended = await tx.run(
    `UPDATE wallet SET status = 'full', full_above = $3, ${raisedVersion('wallet')}
     WHERE partition = $1 AND id = $2 AND status = 'syncing'`,
    [wallet.partition, wallet.id, maxTransfers],
  )
  // It may have left the head, which it had followed further.
  if (ended > 0) await takeBackAfter(tx, wallet, block)
}

/** Ends the reading of wallets that exceed their limit. Returns their ids. */
export async function endFull(tx: Sql, wallets: readonly WalletKey[], maxTransfers: number): Promise<Set<bigint>> {
  if (wallets.length === 0) return new Set()
  const rows = await tx.rows<[bigint]>(
    `UPDATE wallet w SET status = 'full', full_above = $1, ${raisedVersion('w')} FROM ${ofKeys(2)}
     AND w.status IN ('live', 'syncing') AND w.transfers > $1 RETURNING w.id`,
    [maxTransfers, ...rowKeys.lists(wallets)],
  )
  return new Set(rows.map(([id]) => id))
}

/** The same for wallets with new transfers in followed blocks: transfers after the last fitting block are undone. */
export async function endFullAtHead(
  tx: Transaction,
  stored: StoredMoves['wallets'],
  maxTransfers: number,
): Promise<Set<bigint>> {
  const wallets = stored.filter(({ transfers }) => transfers > maxTransfers)
  const full = await endFull(tx, wallets, maxTransfers)
  for (const wallet of wallets) if (full.has(wallet.id)) await keepFirstMoves(tx, wallet, maxTransfers)
  return full
}

const liveRow = defineRow({ partition: column.int2('c.partition'), id: column.int8('c.id'), holder })

/** The followed wallets of a chain. */
export async function readLiveWallets(sql: Sql, chainId: bigint): Promise<(WalletKey & { holder: Holder })[]> {
  const rows = await sql.rows(`SELECT ${liveRow.columns} FROM wallet c WHERE chain_id = $1 AND status = 'live'`, [
    chainId,
  ])
  return rows.map(liveRow.decode)
}

/** A wallet that can join the head: `toBlock` is the last covered block of its history. */
export type JoinableWallet = WalletKey & { holder: Holder; toBlock: bigint }

const joinableRow = defineRow({
  partition: column.int2('c.partition'),
  id: column.int8('c.id'),
  holder,
  toBlock: column.int8('c.to_block'),
})

/** Wallets that lack only followed blocks. */
export async function readJoinableWallets(
  sql: Sql,
  chainId: bigint,
  range: BlockRange,
  limit: number,
): Promise<JoinableWallet[]> {
  const rows = await sql.rows(
    `SELECT ${joinableRow.columns} FROM wallet c
     WHERE chain_id = $1 AND status = 'syncing' AND to_block >= $3 AND to_block <= $4 AND upper(coverage) = to_block + 1
       AND NOT (reason IS NOT NULL AND retry_at > now()) ORDER BY to_block DESC, c.partition, c.id LIMIT $2`,
    [chainId, limit, range.from, range.to],
  )
  return rows.map(joinableRow.decode)
}

/** SQL condition on wallet `w`: it lacks only followed blocks, and its history ends within $1 to $2. */
const endsWithin = `w.status = 'syncing' AND w.to_block >= $1 AND w.to_block <= $2 AND upper(w.coverage) = w.to_block + 1`

/** Locks a wallet, and returns the last covered block of its history; undefined: that does not end within `range`. */
export async function lockJoinable(
  tx: Transaction,
  { partition, id }: WalletKey,
  range: BlockRange,
): Promise<bigint | undefined> {
  const [row] = await tx.rows<[bigint]>(
    `SELECT w.to_block FROM wallet w WHERE ${endsWithin} AND w.partition = $3 AND w.id = $4 FOR UPDATE`,
    [range.from, range.to, partition, id],
  )
  return row?.[0]
}

/**
 * Makes wallets live: from now on the chain's cursor is their coverage. Returns the last covered block of each history; omits those whose history
 * does not end within `range`. Locks them.
 */
export async function joinWallets(
  tx: Transaction,
  wallets: readonly WalletKey[],
  range: BlockRange,
): Promise<Map<bigint, bigint>> {
  const rows = await tx.rows<[bigint, bigint]>(
    `UPDATE wallet w SET status = 'live', live_since = least(live_since, statement_timestamp()), reason = NULL, retry_at = NULL, attempts = 0,
       ${raisedVersion('w')}
     FROM ${ofKeys(3)} AND ${endsWithin}
     RETURNING w.id, w.to_block`,
    [range.from, range.to, ...rowKeys.lists(wallets)],
  )
  return new Map(rows)
}

/** SQL of the last final block `f.number` up to which full wallet `w` is covered; -1: none. Moves of later ones may be missing. */
const coveredOfFull = 'least(f.number, coalesce(w.to_block, -1))'

/** SQL that makes wallets syncing again, covered up to the last final block of those up to $2. Later blocks are read again. */
const readAgain = `
UPDATE wallet w SET status = 'syncing', turn_at = now(), ${raisedVersion('w')},
  ${coveredUpTo(`CASE WHEN w.status = 'full' THEN ${coveredOfFull} ELSE f.number END`)}
FROM (SELECT least(h.finalized_number, $2) AS number FROM chain h WHERE h.id = $1) f`

/** Makes live and full wallets syncing again: their moves from block `number` stay, and are read again once these blocks are final. */
export async function demoteWallets(
  tx: Transaction,
  wallets: readonly WalletKey[],
  { chainId, number }: { chainId: bigint; number: bigint },
): Promise<void> {
  await tx.run(`${readAgain}, ${ofKeys(3)} AND w.status IN ('live', 'full')`, [
    ...[chainId, number - 1n],
    ...rowKeys.lists(wallets),
  ])
}

/** Reads full wallets again that have transfers above block `fork`, or exceeded their limit there: without these they may be within it. */
export async function resumeFull(tx: Transaction, chainId: bigint, fork: bigint): Promise<void> {
  await tx.run(
    `${readAgain}, (SELECT DISTINCT b.partition, b.wallet_id FROM wallet_move_block b WHERE b.chain_id = $1 AND b.block_number > $2) b
     WHERE w.partition = b.partition AND w.id = b.wallet_id AND w.status = 'full'`,
    [chainId, fork],
  )
}

/** Whether a reorg may still remove blocks of a full wallet, which then has to be followed again. */
export async function hasUnsettledFull(sql: Sql, chainId: bigint): Promise<boolean> {
  const rows = await sql.rows(
    `SELECT 1 FROM wallet_move_block b JOIN wallet w ON w.partition = b.partition AND w.id = b.wallet_id
     WHERE b.chain_id = $1 AND w.status = 'full' LIMIT 1`,
    [chainId],
  )
  return rows.length > 0
}

/** SQL condition on a wallet of chain $1: it exceeded a limit below $2. */
export const isFullBelow = `chain_id = $1 AND status = 'full' AND full_above < $2`

/** Continues full wallets of a chain that may now have `maxTransfers`. Must be called with the chain's row locked. */
export async function resumeRaised(tx: Transaction, chainId: bigint, maxTransfers: number): Promise<void> {
  await tx.run(
    `UPDATE wallet w SET status = 'syncing', turn_at = now(), ${raisedVersion('w')}, ${coveredUpTo(coveredOfFull)}
     FROM (SELECT h.finalized_number AS number FROM chain h WHERE h.id = $1) f WHERE ${isFullBelow}`,
    [chainId, maxTransfers],
  )
}

/** Makes the live wallets of a chain syncing again, covered up to `number`. */
export async function releaseWallets(tx: Transaction, chainId: bigint, number: bigint): Promise<void> {
  await tx.run(
    `UPDATE wallet SET status = 'syncing', ${raisedVersion('wallet')}, turn_at = now(), ${coveredUpTo('$2')}
     WHERE chain_id = $1 AND status = 'live'`,
    [chainId, number],
  )
}

/**
 * Stops following wallets of a chain without a request in `days`. Only their final blocks stay covered, as undone ones would not be read again. Must
 * be called with the chain's row locked. Returns the number of followed ones among them.
 */
export async function retireWallets(tx: Transaction, chainId: bigint, days: number): Promise<number> {
  const rows = await tx.rows<[boolean]>(
    `UPDATE wallet w SET status = 'idle', ${raisedVersion('w')},
       to_block = CASE WHEN o.status = 'live' THEN f.number ELSE w.to_block END,
       coverage = CASE WHEN o.status = 'live' THEN int8multirange(int8range(w.from_block, f.number, '[]')) ELSE w.coverage END
     FROM (SELECT h.id AS chain_id, least(h.finalized_number, h.block_number) AS number FROM chain h WHERE h.id = $1) f,
       (SELECT partition, id, status FROM wallet WHERE chain_id = $1 AND asked_at < now() - make_interval(days => $2)
          AND status IN ('live', 'syncing', 'queued', 'failed')) o
     WHERE w.partition = o.partition AND w.id = o.id AND w.chain_id = f.chain_id RETURNING o.status = 'live'`,
    [chainId, days],
  )
  return rows.filter(([wasLive]) => wasLive).length
}

/** Number of wallets by status; unused statuses are omitted. */
export async function countWalletsByStatus(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql.rows<[string, bigint]>('SELECT status, count(*) FROM wallet GROUP BY status ORDER BY status')
  return Object.fromEntries(rows.map(([status, count]) => [status, Number(count)]))
}
