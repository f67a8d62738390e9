import type { Sql, Transaction } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import type { BlockRange } from '../../sync/blockRange.ts'
import { bufferToHex } from '../../util/hex.ts'
import { raisedVersion } from '../collection/version.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'
import type { CollectionKey } from '../transfers/transferGroup.ts'

/** A collection that can join the head: `toBlock` is the last block that its history covers. */
export type Joinable = (CollectionKey | UndecidedKey) & { toBlock: bigint; coins: boolean }

/** A collection that moved no token yet. `coins`: its Transfers that index no token id are of coins. */
export type UndecidedKey = Omit<CollectionKey, 'standard'> & { standard: null; coins: boolean }

/** Whether it moved tokens already, which showed its standard. */
export const isDecided = (due: Joinable): due is Joinable & CollectionKey => due.standard !== null

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
const joinableRow = defineRow({ toBlock: column.int8('to_block'), ...undecided })

/** The collections of a chain that catch up with the head in parts. */
export async function readCatchingUp(sql: Sql, chainId: bigint): Promise<CollectionKey[]> {
  const text = `SELECT ${keyRow.columns} FROM collection WHERE chain_id = $1 AND stored_of_next IS NOT NULL`
  return (await sql.rows(text, [chainId])).map(keyRow.decode)
}

/** The followed collections of a chain. */
export async function readLive(sql: Sql, chainId: bigint): Promise<CollectionKey[]> {
  const text = `SELECT ${keyRow.columns} FROM collection WHERE chain_id = $1 AND status = 'live' AND standard IS NOT NULL`
  return (await sql.rows(text, [chainId])).map(keyRow.decode)
}

/**
 * A collection of which only followed blocks are missing: its history ends within $3 to $4, or it catches up with the head in parts and has
 * nothing left of undone blocks.
 */
const endsNearHead = `status = 'syncing' AND to_block >= $3 AND (to_block <= $4 OR stored_of_next IS NOT NULL) AND undo_above IS NULL
  AND upper(coverage) = to_block + 1`

/** The followed collections of a chain that moved no token yet. */
export async function readUndecided(sql: Sql, chainId: bigint): Promise<UndecidedKey[]> {
  const text = `SELECT ${undecidedRow.columns} FROM collection WHERE chain_id = $1 AND status = 'live' AND standard IS NULL`
  return (await sql.rows(text, [chainId])).map(undecidedRow.decode).map((row) => ({ ...row, standard: null }))
}

/**
 * Gives live collections that moved no token yet back to history, as a log of block `number` may show what they are. Only final blocks stay
 * covered: no undoing knows of the blocks above, which are read again.
 */
export async function releaseUndecided(tx: Transaction, keys: readonly Key[], number: bigint): Promise<void> {
  for (const { partition, id } of keys)
    await tx.run(
      `UPDATE collection c SET status = 'syncing', turn_at = now(), retry_at = NULL, ${raisedVersion('c')},
         to_block = CASE WHEN c.from_block <= f.number THEN f.number END,
         coverage = CASE WHEN c.from_block <= f.number THEN int8multirange(int8range(c.from_block, f.number, '[]')) ELSE '{}' END
       FROM (SELECT h.id AS chain_id, least(h.finalized_number, $3 - 1) AS number FROM chain h) f
       WHERE c.partition = $1 AND c.id = $2 AND c.status = 'live' AND f.chain_id = c.chain_id`,
      [partition, id, number],
    )
}

/** Collections whose history ends within `range`, with nothing stored beyond that, so that only followed blocks are missing. */
export async function readJoinable(sql: Sql, chainId: bigint, range: BlockRange, limit: number): Promise<Joinable[]> {
  const rows = await sql.rows(
    `SELECT ${joinableRow.columns} FROM collection
     WHERE chain_id = $1 AND ${endsNearHead}
       AND NOT (reason IS NOT NULL AND retry_at > now()) ORDER BY to_block DESC LIMIT $2`,
    [chainId, limit, range.from, range.to],
  )
  return rows.map(joinableRow.decode).map((row) => row as Joinable)
}

/**
 * Makes a collection live: from here on the chain's cursor is its coverage. Returns the last block that its history covers, which may have continued
 * since it was read; undefined if the history does not end within `range`.
 */
export async function goLive(tx: Transaction, key: Key, range: BlockRange): Promise<bigint | undefined> {
  const [row] = await tx.rows<[bigint]>(
    `UPDATE collection SET status = 'live', live_since = coalesce(live_since, (SELECT now())), reason = NULL, retry_at = NULL, attempts = 0, stored_of_next = NULL, ${raisedVersion()},
       metadata_unswept = true, metadata_swept_at = NULL, metadata_swept_to = NULL,
       metadata_stale = metadata_stale + metadata_sweeping, metadata_sweeping = '{}'
     WHERE partition = $1 AND id = $2 AND ${endsNearHead}
     RETURNING to_block`,
    [key.partition, key.id, range.from, range.to],
  )
  return row?.[0]
}

/** Where a collection that catches up in parts has come: all blocks up to `toBlock`, and so many transfers of the next one. */
export type PartsStored = { toBlock: bigint; ofNext: number }

/** SQL of a SET clause: the collection is covered up to block `to`, and no further. */
export const coveredUpTo = (to: string) => `to_block = CASE WHEN from_block <= ${to} THEN ${to} END,
  coverage = CASE WHEN from_block <= ${to} THEN int8multirange(int8range(from_block, ${to}, '[]')) ELSE '{}' END`

/** Takes a live collection out of what is followed, after block `toBlock`: from there it catches up with the head in parts. */
export async function leaveHead(tx: Transaction, key: Key, toBlock: bigint): Promise<void> {
  await tx.run(
    `UPDATE collection SET status = 'syncing', stored_of_next = 0, ${raisedVersion()}, ${coveredUpTo('$3')}
     WHERE partition = $1 AND id = $2 AND status = 'live'`,
    [key.partition, key.id, toBlock],
  )
}

/** Begins a part, or continues with the next one. Locks the collection. undefined: as for `goLive`. */
export async function beginPart(tx: Transaction, key: Key, range: BlockRange): Promise<PartsStored | undefined> {
  const [row] = await tx.rows<[bigint, bigint]>(
    `UPDATE collection SET stored_of_next = coalesce(stored_of_next, 0)
     WHERE partition = $1 AND id = $2 AND ${endsNearHead} RETURNING to_block, stored_of_next`,
    [key.partition, key.id, range.from, range.to],
  )
  return row && { toBlock: row[0], ofNext: Number(row[1]) }
}

/** Ends a part: the collection has come so far. */
export async function endPart(tx: Transaction, key: Key, { toBlock, ofNext }: PartsStored): Promise<void> {
  await tx.run(
    `UPDATE collection SET stored_of_next = $4, ${raisedVersion()}, ${coveredUpTo('$3')} WHERE partition = $1 AND id = $2`,
    [key.partition, key.id, toBlock, ofNext],
  )
}

/** What collections that catch up have of blocks above `fork` was taken back, or is taken back in parts with what they have of an earlier fork. */
export async function revertParts(tx: Transaction, chainId: bigint, fork: bigint): Promise<void> {
  await tx.run(
    `UPDATE collection SET stored_of_next = 0, undo_above = CASE WHEN undo_above IS NOT NULL THEN least(undo_above, $2) END,
       ${raisedVersion()}, ${coveredUpTo('$2')}
     WHERE chain_id = $1 AND stored_of_next IS NOT NULL AND to_block >= $2`,
    [chainId, fork],
  )
}

/** The collections of a chain that catch up, have nothing left of undone blocks and are covered to a block below `number`. */
export async function readPartsBelow(sql: Sql, chainId: bigint, number: bigint): Promise<(Key & PartsStored)[]> {
  const rows = await sql.rows<[number, bigint, bigint, bigint]>(
    `SELECT partition, id, coalesce(to_block, from_block - 1), stored_of_next FROM collection
     WHERE chain_id = $1 AND stored_of_next IS NOT NULL AND undo_above IS NULL AND coalesce(to_block, from_block - 1) < $2
     ORDER BY partition, id`,
    [chainId, number],
  )
  return rows.map(([partition, id, toBlock, ofNext]) => ({ partition, id, toBlock, ofNext: Number(ofNext) }))
}

/** Hands a collection that catches up over to its history, which continues after its last whole block. It has nothing of the next one. */
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
    `UPDATE collection SET status = 'syncing', ${raisedVersion()}, turn_at = now(), ${coveredUpTo('$2')}
     WHERE chain_id = $1 AND status = 'live'`,
    [chainId, number],
  )
}
