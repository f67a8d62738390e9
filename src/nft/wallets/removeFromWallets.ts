import type { Sql } from '../../db/database.ts'
import { partitionSql } from '../../sync/partition.ts'

/** A collection that was removed. */
type Removed = { partition: number; id: bigint; chainId: bigint }

/** Transfers whose wallets are looked at in one step. */
const transfersAtOnce = 2_500

/** Rows that one statement removes. */
const rowsAtOnce = 5_000

/**
 * Removes what wallets have of a collection that was taken away, in small steps, before its transfers and its rows in the queue are removed:
 * these name every wallet that has something of it. After a crash it begins anew.
 */
export async function removeFromWallets(sql: Sql, removed: Removed, signal?: AbortSignal): Promise<void> {
  const { partition, id, chainId } = removed
  await sql.run(endIndexing, [partition, id])
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
  const wallets = [...new Map(moved.map(([wallet]) => [wallet.toString('hex'), wallet])).values()]
  for (;;) {
    const rows = await sql.run(deleteTokens, [chainId, id, wallets])
    if (rows < rowsAtOnce) break
  }
  await sql.run(deleteCollections, [chainId, id, wallets])
  const placed = moved.filter(([, position]) => position !== null)
  await sql.run(deleteTransfers, [chainId, id, ...[0, 1, 2].map((column) => placed.map((row) => row[column]))])
}

/** Waits for a transaction that works on the collection. Any later one finds that the collection is gone: see workOff.ts. */
const endIndexing = `
INSERT INTO owner_count (partition, collection_id, owners) VALUES ($1, $2, 0)
ON CONFLICT (partition, collection_id) DO UPDATE SET owners = 0`

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

// Rows are named by their places, as in nft/store/removals.ts. LIMIT keeps the planner to one look-up by key for each wallet.

const ofWallet = (wallet: string) =>
  `h.partition = ${partitionSql('$1::bigint', wallet)} AND h.chain_id = $1 AND h.wallet = ${wallet} AND h.collection_id = $2`

const deleteTokens = `
DELETE FROM wallet_token WHERE ctid = ANY(ARRAY(
  SELECT h.ctid FROM unnest($3::bytea[]) AS v (wallet)
  CROSS JOIN LATERAL (SELECT h.ctid FROM wallet_token h WHERE ${ofWallet('v.wallet')} LIMIT ${rowsAtOnce}) h
  LIMIT ${rowsAtOnce}
))`

const deleteCollections = `
DELETE FROM wallet_collection WHERE ctid = ANY(ARRAY(
  SELECT h.ctid FROM unnest($3::bytea[]) AS v (wallet)
  CROSS JOIN LATERAL (SELECT h.ctid FROM wallet_collection h WHERE ${ofWallet('v.wallet')} LIMIT 1) h
))`

const deleteTransfers = `
DELETE FROM wallet_transfer WHERE ctid = ANY(ARRAY(
  SELECT h.ctid FROM unnest($3::bytea[], $4::bigint[], $5::integer[]) AS v (wallet, position, item)
  CROSS JOIN LATERAL (
    SELECT h.ctid FROM wallet_transfer h WHERE ${ofWallet('v.wallet')} AND h.position = v.position AND h.item = v.item LIMIT 1
  ) h
))`
