import type { Sql, Transaction } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import type { BlockRange } from '../../sync/blockRange.ts'
import { bufferToHex } from '../../util/hex.ts'
import { raisedVersion } from '../collection/version.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'
import type { CollectionKey } from '../transfers/transferGroup.ts'

/** A collection that can join the head: `toBlock` is the last block that its history covers. */
export type Joinable = CollectionKey & { toBlock: bigint }

type Key = Pick<CollectionKey, 'partition' | 'id'>

const key = {
  partition: column.int2('partition'),
  id: column.int8('id'),
  chainId: column.int8('chain_id'),
  address: column.bytea('address').map(bufferToHex),
  standard: column.text<Standard>('standard'),
  idInData: column.bool('id_in_data'),
}
const keyRow = defineRow(key)
const joinableRow = defineRow({ toBlock: column.int8('to_block'), ...key })

/** The followed collections of a chain. */
export async function readLive(sql: Sql, chainId: bigint): Promise<CollectionKey[]> {
  const text = `SELECT ${keyRow.columns} FROM collection WHERE chain_id = $1 AND status = 'live'`
  return (await sql.rows(text, [chainId])).map(keyRow.decode)
}

/** Collections whose history ends within `range`, with nothing stored beyond that, so that only followed blocks are missing. */
export async function readJoinable(sql: Sql, chainId: bigint, range: BlockRange, limit: number): Promise<Joinable[]> {
  const rows = await sql.rows(
    `SELECT ${joinableRow.columns} FROM collection
     WHERE chain_id = $1 AND status = 'syncing' AND to_block BETWEEN $2 AND $3 AND upper(coverage) = to_block + 1
       AND standard IS NOT NULL AND NOT (reason IS NOT NULL AND retry_at > now()) ORDER BY to_block DESC LIMIT $4`,
    [chainId, range.from, range.to, limit],
  )
  return rows.map(joinableRow.decode)
}

/** Stores why a collection could not join the head; the next try is in `seconds`. */
export async function postponeJoin(sql: Sql, key: Key, reason: string, seconds: number): Promise<void> {
  await sql.run(
    `UPDATE collection SET reason = $3, retry_at = now() + make_interval(secs => $4)
     WHERE partition = $1 AND id = $2 AND status = 'syncing'`,
    [key.partition, key.id, reason, seconds],
  )
}

/**
 * Makes a collection live: from here on the chain's cursor is its coverage. Returns the last block that its history covers, which may have
 * gone on since it was read; undefined where the history does not end within `range`.
 */
export async function goLive(tx: Transaction, key: Key, range: BlockRange): Promise<bigint | undefined> {
  const [row] = await tx.rows<[bigint]>(
    `UPDATE collection SET status = 'live', live_since = coalesce(live_since, (SELECT now())), reason = NULL, retry_at = NULL, attempts = 0, ${raisedVersion()},
       metadata_unswept = true, metadata_swept_at = NULL, metadata_swept_to = NULL,
       metadata_stale = metadata_stale + metadata_sweeping, metadata_sweeping = '{}'
     WHERE partition = $1 AND id = $2 AND status = 'syncing' AND to_block BETWEEN $3 AND $4 AND upper(coverage) = to_block + 1
     RETURNING to_block`,
    [key.partition, key.id, range.from, range.to],
  )
  return row?.[0]
}

/** Makes the live collections of a chain syncing again, covered up to `number`. */
export async function releaseLive(tx: Transaction, chainId: bigint, number: bigint): Promise<void> {
  await tx.run(
    `UPDATE collection SET status = 'syncing', ${raisedVersion()}, turn_at = now(),
       to_block = CASE WHEN from_block <= $2 THEN $2 END,
       coverage = CASE WHEN from_block <= $2 THEN int8multirange(int8range(from_block, $2, '[]')) ELSE '{}' END
     WHERE chain_id = $1 AND status = 'live'`,
    [chainId, number],
  )
}
