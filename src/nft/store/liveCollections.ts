import type { Sql, Transaction } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import type { BlockRange } from '../../sync/blockRange.ts'
import { bufferToHex } from '../../util/hex.ts'
import { isNameless } from '../collection/coveredTo.ts'
import { raisedVersion } from '../collection/version.ts'
import { announceContracts } from '../metadata/store/contractStore.ts'
import { sweepAnew } from '../metadata/store/sweep.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'
import type { CollectionKey } from '../transfers/transferGroup.ts'

/** A collection that can join the head: `toBlock` is the last covered block of its history. `wasLive`: it was followed before. */
export type Joinable = (CollectionKey | UndecidedKey) & { toBlock: bigint; coins: boolean; wasLive: boolean }

/** A collection without token transfers so far. `coins`: its Transfers without an indexed token id are of coins. */
export type UndecidedKey = Omit<CollectionKey, 'standard'> & { standard: null; coins: boolean }

/** Whether it already had token transfers, which showed its standard. */
export const isDecided = (joinable: Joinable): joinable is Joinable & CollectionKey => joinable.standard !== null

type Key = Pick<CollectionKey, 'partition' | 'id'>

const key = {
  partition: column.int2('partition'),
  id: column.int8('id'),
  chainId: column.int8('chain_id'),
  address: column.bytea('address').map(bufferToHex),
  standard: column.text<Standard>('standard'),
  idInData: column.bool('id_in_data'),
}
export const keyRow = defineRow(key)
const undecided = { ...key, standard: column.text<Standard>('standard').orNull(), coins: column.bool('coins') }
const undecidedRow = defineRow(undecided)
const joinableRow = defineRow({
  toBlock: column.int8('to_block'),
  wasLive: column.bool('live_since IS NOT NULL'),
  ...undecided,
})

/** Collections of a chain that catch up with the head in parts. */
export async function readCatchingUp(sql: Sql, chainId: bigint): Promise<CollectionKey[]> {
  const text = `SELECT ${keyRow.columns} FROM collection WHERE chain_id = $1 AND stored_of_next IS NOT NULL`
  return (await sql.rows(text, [chainId])).map(keyRow.decode)
}

/** The followed collections of a chain. */
export async function readLive(sql: Sql, chainId: bigint): Promise<CollectionKey[]> {
  const text = `SELECT ${keyRow.columns} FROM collection WHERE chain_id = $1 AND status = 'live' AND standard IS NOT NULL`
  return (await sql.rows(text, [chainId])).map(keyRow.decode)
}

/** A collection that lacks only followed blocks: its history ends within $3 to $4, or it catches up in parts without remaining undone blocks. */
const endsNearHead = `status = 'syncing' AND to_block >= $3 AND (to_block <= $4 OR stored_of_next IS NOT NULL) AND undo_above IS NULL
  AND upper(coverage) = to_block + 1`

/** Followed collections of a chain without token transfers so far. */
export async function readUndecided(sql: Sql, chainId: bigint): Promise<UndecidedKey[]> {
  const text = `SELECT ${undecidedRow.columns} FROM collection WHERE chain_id = $1 AND status = 'live' AND standard IS NULL`
  return (await sql.rows(text, [chainId])).map(undecidedRow.decode).map((row) => ({ ...row, standard: null }))
}

/**
 * Queues live collections without token transfers, as a log of block `number` may show their standard. The contract is queried again, as a proxy may
 * have its name only now. Only final blocks stay covered: later ones have no undo data, and are read again.
 */
export async function releaseUndecided(tx: Transaction, keys: readonly Key[], number: bigint): Promise<void> {
  for (const { partition, id } of keys)
    await tx.run(
      `UPDATE collection c SET status = 'queued', turn_at = now(), retry_at = NULL, ${raisedVersion('c')},
         to_block = CASE WHEN c.from_block <= f.number THEN f.number END,
         coverage = CASE WHEN c.from_block <= f.number THEN int8multirange(int8range(c.from_block, f.number, '[]')) ELSE '{}' END
       FROM (SELECT h.id AS chain_id, least(h.finalized_number, $3 - 1) AS number FROM chain h) f
       WHERE c.partition = $1 AND c.id = $2 AND c.status = 'live' AND f.chain_id = c.chain_id`,
      [partition, id, number],
    )
}

/** Collections that lack only followed blocks: their history ends within `range`, with nothing stored beyond. */
export async function readJoinable(sql: Sql, chainId: bigint, range: BlockRange, limit: number): Promise<Joinable[]> {
  const rows = await sql.rows(
    `SELECT ${joinableRow.columns} FROM collection
     WHERE chain_id = $1 AND ${endsNearHead}
       AND NOT (reason IS NOT NULL AND retry_at > now()) ORDER BY to_block DESC LIMIT $2`,
    [chainId, limit, range.from, range.to],
  )
  return rows.map(joinableRow.decode).map((row) => row as Joinable)
}

/** A collection with more tokens without a name is not expected to get one. */
const fewTokens = 1_000

/**
 * Makes a collection live: from now on the chain's cursor is its coverage. Metadata that was read before it is live for the first time is read
 * again, as nobody followed changes of it. The same for the name of one with few tokens that has none, as they may be its first.
 * Returns the last covered block of its history, which may have continued since it was read; undefined if the history does not end within `range`.
 */
export async function goLive(tx: Transaction, key: Key, range: BlockRange): Promise<bigint | undefined> {
  const [row] = await tx.rows<[bigint, boolean]>(
    `UPDATE collection SET status = 'live', live_since = coalesce(live_since, (SELECT now())), reason = NULL, attempts = 0,
       retry_at = CASE WHEN tokens BETWEEN 1 AND ${fewTokens} AND ${isNameless()} THEN 'epoch'::timestamptz END,
       stored_of_next = NULL, learned_block = greatest(learned_block, to_block), ${raisedVersion()},
       ${sweepAnew(`CASE WHEN live_since IS NULL THEN '{(,)}' ELSE metadata_stale + metadata_sweeping END`)}
     WHERE partition = $1 AND id = $2 AND ${endsNearHead}
     RETURNING to_block, upper_inf(metadata_stale)`,
    [key.partition, key.id, range.from, range.to],
  )
  if (row?.[1]) await announceContracts(tx, [key], 0)
  return row?.[0]
}

/** Progress of a collection that catches up in parts: all blocks up to `toBlock`, and `ofNext` transfers of the next one. */
export type PartsStored = { toBlock: bigint; ofNext: number }

/** SQL of a SET clause: the collection is covered up to block `to`. */
export const coveredUpTo = (to: string) => `to_block = CASE WHEN from_block <= ${to} THEN ${to} END,
  coverage = CASE WHEN from_block <= ${to} THEN int8multirange(int8range(from_block, ${to}, '[]')) ELSE '{}' END`

/** Stops following a live collection after block `toBlock`: from there it catches up with the head in parts. */
export async function demoteCollection(tx: Transaction, key: Key, toBlock: bigint): Promise<void> {
  await tx.run(
    `UPDATE collection SET status = 'syncing', stored_of_next = 0, retry_at = NULL, ${raisedVersion()}, ${coveredUpTo('$3')}
     WHERE partition = $1 AND id = $2 AND status = 'live'`,
    [key.partition, key.id, toBlock],
  )
}

/** Starts or continues catching up in parts. Locks the collection. undefined: as for `goLive`. */
export async function beginPart(tx: Transaction, key: Key, range: BlockRange): Promise<PartsStored | undefined> {
  const [row] = await tx.rows<[bigint, bigint]>(
    `UPDATE collection SET stored_of_next = coalesce(stored_of_next, 0)
     WHERE partition = $1 AND id = $2 AND ${endsNearHead} RETURNING to_block, stored_of_next`,
    [key.partition, key.id, range.from, range.to],
  )
  return row && { toBlock: row[0], ofNext: Number(row[1]) }
}

/** Ends a part with this progress. */
export async function endPart(tx: Transaction, key: Key, { toBlock, ofNext }: PartsStored): Promise<void> {
  await tx.run(
    `UPDATE collection SET stored_of_next = $4, ${raisedVersion()}, ${coveredUpTo('$3')} WHERE partition = $1 AND id = $2`,
    [key.partition, key.id, toBlock, ofNext],
  )
}

/** Resets collections that catch up to `fork`: their later blocks were undone, or are undone in parts, with those of an earlier fork. */
export async function revertParts(tx: Transaction, chainId: bigint, fork: bigint): Promise<void> {
  await tx.run(
    `UPDATE collection SET stored_of_next = 0, undo_above = CASE WHEN undo_above IS NOT NULL THEN least(undo_above, $2) END,
       ${raisedVersion()}, ${coveredUpTo('$2')}
     WHERE chain_id = $1 AND stored_of_next IS NOT NULL AND to_block >= $2`,
    [chainId, fork],
  )
}

/** Collections of a chain that catch up, without remaining undone blocks, covered to a block below `number`. */
export async function readPartsBelow(sql: Sql, chainId: bigint, number: bigint): Promise<(Key & PartsStored)[]> {
  const rows = await sql.rows<[number, bigint, bigint, bigint]>(
    `SELECT partition, id, coalesce(to_block, from_block - 1), stored_of_next FROM collection
     WHERE chain_id = $1 AND stored_of_next IS NOT NULL AND undo_above IS NULL AND coalesce(to_block, from_block - 1) < $2
     ORDER BY partition, id`,
    [chainId, number],
  )
  return rows.map(([partition, id, toBlock, ofNext]) => ({ partition, id, toBlock, ofNext: Number(ofNext) }))
}

/** Returns a collection that catches up to history, which continues after its last whole block. It has nothing of the next one. */
export async function releaseParts(tx: Transaction, key: Key): Promise<void> {
  await tx.run(
    `UPDATE collection SET stored_of_next = NULL, turn_at = now(), ${raisedVersion()}
     WHERE partition = $1 AND id = $2 AND stored_of_next IS NOT NULL`,
    [key.partition, key.id],
  )
}

/** Makes the live collections of a chain syncing again, covered up to `number`. */
export async function releaseLive(tx: Transaction, chainId: bigint, number: bigint): Promise<void> {
  await tx.run(
    `UPDATE collection SET status = 'syncing', ${raisedVersion()}, turn_at = now(), retry_at = NULL, ${coveredUpTo('$2')}
     WHERE chain_id = $1 AND status = 'live'`,
    [chainId, number],
  )
}
