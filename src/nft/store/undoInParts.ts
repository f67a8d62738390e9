import type { Sql, Transaction } from '../../db/database.ts'
import { lockUndone } from '../collection/lock.ts'
import { raisedVersion } from '../collection/version.ts'
import { blockOfPosition, firstPlaceOf, firstPositionOf } from '../transfers/position.ts'
import type { CollectionKey } from '../transfers/transferGroup.ts'
import { raiseVersions } from './collectionStore.ts'
import { coveredUpTo, keyRow } from './liveCollections.ts'
import { revertPart } from './revertPart.ts'

type Key = Pick<CollectionKey, 'partition' | 'id' | 'chainId'>

/** Collections of a chain that still have transfers of undone blocks. */
export async function readUndoing(sql: Sql, chainId: bigint): Promise<CollectionKey[]> {
  const text = `SELECT ${keyRow.columns} FROM collection WHERE chain_id = $1 AND stored_of_next IS NOT NULL AND undo_above IS NOT NULL`
  return (await sql.rows(text, [chainId])).map(keyRow.decode)
}

/**
 * The collections with most transfers above block `fork`, without which the others have at most `most`. `except`: ids of collections that already
 * undo in parts.
 */
export async function readLargeUndos(
  tx: Transaction,
  { chainId, fork, most, except }: { chainId: bigint; fork: bigint; most: number; except: readonly bigint[] },
): Promise<CollectionKey[]> {
  const rows = await tx.fresh.rows(selectUndone, [chainId, fork, except, firstPositionOf(fork + 1n), most + 1])
  const moved = rows.map((row) => ({ key: keyRow.decode(row.slice(1)), transfers: Number(row[0]) }))
  let sum = moved.reduce((all, { transfers }) => all + transfers, 0)
  const large: CollectionKey[] = []
  for (const { key, transfers } of moved.sort((a, b) => b.transfers - a.transfers)) {
    if (sum <= most) break
    large.push(key)
    sum -= transfers
  }
  return large
}

/** By collection of chain $1: number of transfers from position $4, counted up to $5. In key order. */
const selectUndone = `
SELECT undone, ${keyRow.columns} FROM (
  SELECT n.undone, c.* FROM (
    SELECT DISTINCT partition, collection_id FROM token_undo
    WHERE chain_id = $1 AND block_number > $2 AND NOT collection_id = ANY($3::int8[])
  ) u
  JOIN collection c ON c.partition = u.partition AND c.id = u.collection_id
  CROSS JOIN LATERAL (
    SELECT count(*) AS undone FROM (
      SELECT 1 FROM transfer t WHERE t.partition = u.partition AND t.collection_id = u.collection_id AND t.position >= $4
      ORDER BY t.position DESC, t.item DESC LIMIT $5
    ) t
  ) n
) c`

/**
 * Stops following a collection because blocks above `fork` are undone: it is covered up to there, and its later transfers are undone in parts,
 * between two blocks of its chain. Until then its pages may show tokens of these blocks. False: it is not followed.
 */
export async function beginUndo(tx: Transaction, key: Pick<Key, 'partition' | 'id'>, fork: bigint): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE collection SET status = 'syncing', stored_of_next = 0, undo_above = $3, retry_at = NULL, ${raisedVersion()}, ${coveredUpTo('$3')}
     WHERE partition = $1 AND id = $2 AND (status = 'live' OR stored_of_next IS NOT NULL)`,
    [key.partition, key.id, fork],
  )
  return changed === 1
}

/** Number of undone transfers. `next`: where the collection continues when nothing is left to undo. */
export type UndoneInPart = { transfers: number; next?: 'head' | 'history' }

/** Undoes at most `most` transfers of a collection, all of one block. undefined: nothing to undo, or the collection was removed. */
export async function undoNextPart(tx: Transaction, key: Key, most: number): Promise<UndoneInPart | undefined> {
  const { partition, id } = key
  const fork = await lockUndone(tx, key)
  if (fork === undefined) return undefined
  const [last] = await tx.fresh.rows<[bigint]>(
    `SELECT position FROM transfer WHERE partition = $1 AND collection_id = $2 AND position >= $3
     ORDER BY position DESC, item DESC LIMIT 1`,
    [partition, id, firstPositionOf(fork + 1n)],
  )
  if (!last) return { transfers: 0, next: await endUndo(tx, key) }
  const block = blockOfPosition(last[0])
  const [first] = await tx.fresh.rows<[bigint, number]>(
    `SELECT position, item FROM transfer WHERE partition = $1 AND collection_id = $2 AND position >= $3
     ORDER BY position DESC, item DESC OFFSET $4 LIMIT 1`,
    [partition, id, firstPositionOf(block), most - 1],
  )
  const from = first ? { position: first[0], item: first[1] } : firstPlaceOf(block)
  const change = await revertPart(tx, { ...key, fork, block, from })
  await raiseVersions(tx, [change])
  return { transfers: -Number(change.transfers) }
}

/** Nothing is left to undo. If the last covered block is not stored any more, as after a long outage, history continues from there. */
async function endUndo(tx: Transaction, { partition, id, chainId }: Key): Promise<'head' | 'history'> {
  const [row] = await tx.rows<[boolean]>(
    `UPDATE collection SET undo_above = NULL, turn_at = now(), ${raisedVersion()}, stored_of_next = CASE
       WHEN EXISTS (SELECT 1 FROM block b WHERE b.chain_id = $3 AND b.number = undo_above) THEN 0
     END
     WHERE partition = $1 AND id = $2 RETURNING stored_of_next IS NULL`,
    [partition, id, chainId],
  )
  return row?.[0] ? 'history' : 'head'
}
