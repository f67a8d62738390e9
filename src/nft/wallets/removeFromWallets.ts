import { untilDecided } from '../../db/cluster/inDoubt.ts'
import type { Sql } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { partitionOf } from '../../sync/partition.ts'
import { bufferToHex } from '../../util/hex.ts'

/** First number of these advisory locks, distinct from other locks. */
const lockClass = 7206

/**
 * SQL of the two numbers of the advisory lock for writing a collection's wallet rows. Collections whose ids differ by a multiple of 2^31 share one.
 */
export const indexingLock = (collectionId: string) => `${lockClass}, (${collectionId} & 2147483647)::int4`

/** A removed collection. */
type Removed = { partition: number; id: bigint; chainId: bigint }

/** Transfers whose wallets are handled per step. */
const transfersAtOnce = 2_500

/**
 * Deletes wallet rows of a removed collection in small steps, before its transfers and queue rows, which contain the wallets. Restarts after a crash.
 */
export async function removeFromWallets(sql: Sql, removed: Removed, signal?: AbortSignal): Promise<void> {
  const { partition, id, chainId } = removed
  await sql.rows(endIndexing, [id])
  // A node that was lost during the commit of a slice may still have to commit it: until then its writes are invisible.
  await untilDecided(sql, signal)
  const undone = await sql.rows<Moved>(selectUndone, [partition, id])
  await removeMoved(sql, removed, undone)
  for (let after: [bigint, number] = [-1n, 0]; ; ) {
    signal?.throwIfAborted()
    const part = await sql.rows<Moved>(selectTransfers, [partition, id, ...after])
    if (part.length === 0) return
    await removeMoved(sql, { partition, id, chainId }, part)
    const [, position, item] = part.at(-1)!
    after = [position!, item!]
  }
}

type Moved = [wallet: Buffer, position: bigint | null, item: number | null]

async function removeMoved(sql: Sql, { id, chainId }: Removed, moved: readonly Moved[]): Promise<void> {
  const rows = moved.map(([wallet, position, item]) => ({
    partition: partitionOf(chainId, bufferToHex(wallet)),
    wallet,
    position,
    item,
  }))
  const wallets = new Map(rows.map((row) => [row.wallet.toString('hex'), row]))
  await sql.run(deleteTokens, [chainId, id, ...walletLists.lists([...wallets.values()])])
  await sql.run(deleteCollections, [chainId, id, ...walletLists.lists([...wallets.values()])])
  await sql.run(deleteTransfers, [chainId, id, ...placeLists.lists(rows.filter(({ position }) => position !== null))])
}

type Place = { partition: number; wallet: Buffer; position: bigint | null; item: number | null }

const wallet = {
  partition: list.int2((place: Place) => place.partition),
  wallet: list.bytea((place: Place) => place.wallet),
}
const walletLists = defineLists<Place>(wallet)
const placeLists = defineLists<Place>({
  ...wallet,
  position: list.int8(({ position }) => position),
  item: list.int4(({ item }) => item),
})

/** Waits for a running transaction on the collection. Later ones find that the collection was removed: see updateWallets.ts. */
const endIndexing = `SELECT pg_advisory_xact_lock(${indexingLock('$1::int8')})`

const selectUndone = `
SELECT u.wallet, u.position, u.item FROM wallet_due d
CROSS JOIN LATERAL unnest(d.undone_wallets, d.undone_positions, d.undone_items) AS u (wallet, position, item)
WHERE d.partition = $1 AND d.collection_id = $2`

const selectTransfers = `
SELECT side.wallet, t.position, t.item FROM (
  SELECT position, item, from_address, to_address FROM transfer
  WHERE partition = $1 AND collection_id = $2 AND (position, item) > ($3, $4)
  ORDER BY position, item LIMIT ${transfersAtOnce}
) t CROSS JOIN LATERAL (VALUES (t.from_address), (t.to_address)) AS side (wallet)
ORDER BY t.position, t.item`

const ofWallet = 'h.partition = v.partition AND h.chain_id = $1 AND h.wallet = v.wallet AND h.collection_id = $2'

const deleteTokens = `DELETE FROM wallet_token h USING ${walletLists.unnest(3)} WHERE ${ofWallet}`

const deleteCollections = `DELETE FROM wallet_collection h USING ${walletLists.unnest(3)} WHERE ${ofWallet}`

const deleteTransfers = `
DELETE FROM wallet_transfer h USING ${placeLists.unnest(3)}
WHERE ${ofWallet} AND h.position = v.position AND h.item = v.item`
