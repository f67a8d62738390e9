import { type Database, isUniqueViolation, joinByKeys, type Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { heldBy } from '../../sync/leases/lease.ts'
import { partitionSql } from '../../sync/partition.ts'
import { sameToken, tokenHashSql } from '../transfers/tokenHash.ts'
import { zeroBytes } from '../transfers/transfer.ts'
import type { DueRow } from './walletDue.ts'

/** A process that freezes within the transaction does not keep the collections from others. */
const settings = `${joinByKeys}; SET LOCAL idle_in_transaction_session_timeout = '20s'`

/**
 * Works rows of the queue off: what the wallets have of these transfers and their tokens is then as `transfer`, `token` and `balance`
 * are. Returns how many rows were worked off; none of a collection that another transaction works on, that is gone, or whose
 * partition worker `worker` does not hold.
 *
 * Each statement sees what was committed before it. So a merge that commits meanwhile may be seen in part; its own row of the queue
 * is not among these, as it was not there when these were read, and working it off later makes the rest right. One transaction at a
 * time works on a collection (the row of `owner_count`), and no two collections share rows, so nothing else waits here.
 */
export async function workOff(db: Database, due: readonly DueRow[], worker: number): Promise<number> {
  const keys = collectionKey.lists([...new Map(due.map((row) => [row.collectionId, row])).values()])
  await db.run(insertCounts, keys)
  const work = (insert: string) =>
    db.transaction(async (tx) => {
      const locked = await lockCollections(tx, keys, worker)
      const own = due.filter(({ collectionId }) => locked.has(collectionId))
      if (own.length === 0) return own
      const rows = dueKey.lists(own)
      await tx.fresh.run(insert, rows)
      await tx.fresh.run(deleteUndone, rows)
      await tx.fresh.run(recompute, rows)
      return own
    }, settings)
  const done = await work(insertMoved).catch((error: unknown) => {
    if (isUniqueViolation(error)) return work(insertMissing)
    throw error
  })
  if (done.length === 0) return 0
  // After the commit: the queue says how far the tables go, and on a cluster other nodes have the rows of the wallets.
  return db.transaction((tx) => tx.fresh.run(deleteDue, dueKey.lists(done)), settings)
}

const dueKey = defineLists<DueRow>({
  partition: list.int2((row) => row.partition),
  collection_id: list.int8((row) => row.collectionId),
  id: list.int8((row) => row.id),
})

type Key = { partition: number; collectionId: bigint }

const collectionKey = defineLists<Key>({
  partition: list.int2((key) => key.partition),
  collection_id: list.int8((key) => key.collectionId),
})

/** The ids of those of the collections that nobody else works on. */
async function lockCollections(tx: Transaction, keys: unknown[][], worker: number): Promise<Set<bigint>> {
  const locked = await tx.fresh.rows<[number, bigint]>(lockCounts, [...keys, worker])
  // Looked at again, now that they are locked: a removal begins with this lock too, once its collection is gone.
  const ours = collectionKey.lists(locked.map(([partition, collectionId]) => ({ partition, collectionId })))
  const rows = await tx.fresh.rows<[bigint]>(selectExisting, ours)
  return new Set(rows.map(([id]) => id))
}

/** On its own, so that nobody waits for a row until a transaction ends; in the order of the key, so that no two of these wait for each other. */
const insertCounts = `
INSERT INTO owner_count (partition, collection_id, owners)
SELECT k.partition, k.collection_id, 0 FROM ${collectionKey.unnest(1, 'k')}
WHERE EXISTS (SELECT 1 FROM collection c WHERE c.partition = k.partition AND c.id = k.collection_id)
ORDER BY k.partition, k.collection_id
ON CONFLICT DO NOTHING`

const lockCounts = `
SELECT o.partition, o.collection_id FROM ${collectionKey.unnest(1, 'k')}
JOIN owner_count o ON o.partition = k.partition AND o.collection_id = k.collection_id
WHERE ${heldBy('partition', 'o.partition', '$3')}
FOR UPDATE OF o SKIP LOCKED`

const selectExisting = `
SELECT c.id FROM ${collectionKey.unnest(1, 'k')} JOIN collection c ON c.partition = k.partition AND c.id = k.collection_id`

/** The rows of the queue, as `d`. */
const dueRows = `${dueKey.unnest(1, 'k')}
  JOIN wallet_due d ON d.partition = k.partition AND d.collection_id = k.collection_id AND d.id = k.id`

/** The transfers of the rows `d`, as `t`; none of those that were undone. */
const moved = `transfer t ON t.partition = d.partition AND t.collection_id = d.collection_id
  AND t.position >= d.from_position AND t.position <= d.to_position AND d.undone_wallets IS NULL`

/**
 * Both sides of each transfer, one of a transfer to oneself. Usually none of these rows is there, and looking for them takes
 * half as long again. Where a block was undone, two rows of the queue may name the place of what replaced it.
 */
const insertMoved = `
INSERT INTO wallet_transfer (partition, chain_id, wallet, position, item, collection_id, collection_partition)
SELECT ${partitionSql('d.chain_id', 'side.wallet')} AS wallet_partition, d.chain_id, side.wallet, t.position, t.item, d.collection_id, d.partition
FROM ${dueRows} JOIN ${moved}
CROSS JOIN LATERAL (VALUES (t.from_address), (CASE WHEN t.to_address <> t.from_address THEN t.to_address END)) AS side (wallet)
WHERE side.wallet <> ${zeroBytes}
ORDER BY wallet_partition, d.chain_id, side.wallet, t.position, t.item`
const insertMissing = `${insertMoved} ON CONFLICT DO NOTHING`

/** What was undone and is not there again: another block of the same number may have the same transfer in the same place. */
const deleteUndone = `
DELETE FROM wallet_transfer WHERE ctid = ANY(ARRAY(
  SELECT h.ctid
  FROM ${dueRows}
  CROSS JOIN LATERAL unnest(d.undone_wallets, d.undone_positions, d.undone_items) AS u (wallet, position, item)
  JOIN wallet_transfer h ON h.partition = ${partitionSql('d.chain_id', 'u.wallet')} AND h.chain_id = d.chain_id AND h.wallet = u.wallet
    AND h.position = u.position AND h.item = u.item AND h.collection_id = d.collection_id
  WHERE NOT EXISTS (
    SELECT 1 FROM transfer t
    WHERE t.partition = d.partition AND t.collection_id = d.collection_id AND t.position = u.position AND t.item = u.item
      AND (t.from_address = u.wallet OR t.to_address = u.wallet)
  )
))`

/**
 * Who touched which token, compared with what they hold now. A contract that breaks the standard may have a token pass to somebody
 * although its holder gave nothing, so the receiver before the first transfer of an ERC-721 token is touched too: whichever transfer
 * took a token from a wallet follows the one that gave it, and was queued.
 *
 * Rows are named by their places (`ctid`): nothing else changes them while the collections are locked. They are looked up in the order
 * of their keys, as neighbours lie on one page.
 */
const recompute = `
WITH moved AS MATERIALIZED (
  SELECT d.partition, d.collection_id, d.id, d.chain_id, c.standard = 'ERC721' AS owned, t.token_id,
    ${tokenHashSql('c.address', 't.token_id')} AS token_hash, t.from_address, t.to_address, t.position
  FROM ${dueRows} JOIN collection c ON c.partition = d.partition AND c.id = d.collection_id JOIN ${moved}
), undone AS MATERIALIZED (
  SELECT d.partition, d.collection_id, d.chain_id, c.standard = 'ERC721' AS owned, u.token_hash, u.wallet
  FROM ${dueRows} JOIN collection c ON c.partition = d.partition AND c.id = d.collection_id
  CROSS JOIN LATERAL unnest(d.undone_wallets, d.undone_tokens) AS u (wallet, token_hash)
), owned AS MATERIALIZED (
  SELECT f.*, t.first_position, CASE WHEN t.amount > 0 THEN t.owner END AS owner
  FROM (
    SELECT partition, collection_id, chain_id, id, token_hash, token_id, min(position) AS position FROM moved WHERE owned
    GROUP BY partition, collection_id, chain_id, id, token_hash, token_id
    UNION ALL
    SELECT DISTINCT partition, collection_id, chain_id, NULL::bigint, token_hash, NULL::numeric, NULL::bigint FROM undone WHERE owned
    ORDER BY partition, collection_id, token_hash
  ) f
  JOIN token t ON ${sameToken('t', 'f')}
), touched AS (
  SELECT partition, collection_id, chain_id, owned, token_hash, from_address AS wallet, false AS owns FROM moved
  UNION ALL
  SELECT partition, collection_id, chain_id, owned, token_hash, to_address, false FROM moved
  UNION ALL
  SELECT *, false FROM undone
  UNION ALL
  SELECT partition, collection_id, chain_id, true, token_hash, owner, true FROM owned
  UNION ALL
  -- By (token_id, position) as one value, which only the index transfer_token has in its order: one row is read for each token.
  SELECT f.partition, f.collection_id, f.chain_id, true, f.token_hash, before.to_address, false
  FROM owned f CROSS JOIN LATERAL (
    SELECT t.token_id, t.to_address FROM transfer t
    WHERE t.partition = f.partition AND t.collection_id = f.collection_id AND (t.token_id, t.position) < (f.token_id, f.position)
    ORDER BY t.token_id DESC, t.position DESC, t.item DESC LIMIT 1
  ) before
  WHERE f.position > f.first_position AND before.token_id = f.token_id
), pair AS MATERIALIZED (
  SELECT *, ${partitionSql('chain_id', 'wallet')} AS wallet_partition
  FROM (
    SELECT partition, collection_id, chain_id, owned, token_hash, wallet, bool_or(owns) AS owns FROM touched WHERE wallet <> ${zeroBytes}
    GROUP BY partition, collection_id, chain_id, owned, token_hash, wallet
  ) p
  ORDER BY wallet_partition, chain_id, wallet, collection_id, token_hash
), change AS MATERIALIZED (
  SELECT p.*, h.amount AS amount_before, h.ctid AS place
  FROM (
    SELECT p.wallet_partition, p.chain_id, p.wallet, p.partition, p.collection_id, p.token_hash,
      CASE WHEN p.owned THEN CASE WHEN p.owns THEN 1::numeric END ELSE b.amount END AS amount
    FROM pair p LEFT JOIN balance b ON NOT p.owned AND ${sameToken('b', 'p')} AND b.holder = p.wallet AND b.amount > 0
  ) p
  LEFT JOIN wallet_token h ON h.partition = p.wallet_partition AND h.chain_id = p.chain_id AND h.wallet = p.wallet
    AND h.collection_id = p.collection_id AND h.token_hash = p.token_hash
  WHERE p.amount IS DISTINCT FROM h.amount
), gone AS (
  DELETE FROM wallet_token WHERE ctid = ANY(ARRAY(SELECT place FROM change WHERE amount IS NULL))
), altered AS (
  UPDATE wallet_token h SET amount = c.amount FROM change c WHERE h.ctid = c.place AND c.amount IS NOT NULL
), added AS (
  INSERT INTO wallet_token (partition, chain_id, wallet, collection_id, token_hash, amount)
  SELECT wallet_partition, chain_id, wallet, collection_id, token_hash, amount FROM change WHERE amount_before IS NULL
  ORDER BY wallet_partition, chain_id, wallet, collection_id, token_hash
), held AS MATERIALIZED (
  SELECT m.*, o.tokens AS tokens_before, o.ctid AS place, coalesce(o.tokens, 0) + m.more AS tokens
  FROM (
    SELECT wallet_partition, chain_id, wallet, partition, collection_id, sum((amount IS NOT NULL)::int - (amount_before IS NOT NULL)::int) AS more
    FROM change GROUP BY wallet_partition, chain_id, wallet, partition, collection_id
    ORDER BY wallet_partition, chain_id, wallet, collection_id
  ) m
  LEFT JOIN wallet_collection o ON o.partition = m.wallet_partition AND o.chain_id = m.chain_id AND o.wallet = m.wallet
    AND o.collection_id = m.collection_id
  WHERE m.more <> 0
), left_all AS (
  DELETE FROM wallet_collection WHERE ctid = ANY(ARRAY(SELECT place FROM held WHERE tokens <= 0))
), counted AS (
  UPDATE wallet_collection o SET tokens = h.tokens FROM held h WHERE o.ctid = h.place AND h.tokens > 0
), came AS (
  INSERT INTO wallet_collection (partition, chain_id, wallet, collection_id, collection_partition, tokens)
  SELECT wallet_partition, chain_id, wallet, collection_id, partition, tokens FROM held WHERE tokens > 0 AND tokens_before IS NULL
  ORDER BY wallet_partition, chain_id, wallet, collection_id
)
UPDATE owner_count o SET owners = o.owners + h.more
FROM (
  SELECT partition, collection_id, sum((tokens > 0)::int - (tokens_before IS NOT NULL)::int) AS more FROM held GROUP BY partition, collection_id
) h
WHERE o.partition = h.partition AND o.collection_id = h.collection_id AND h.more <> 0`

/** Those of a collection that was removed since `lockCollections` stay, as its removal finds by them what wallets have of it. */
const deleteDue = `
DELETE FROM wallet_due d USING ${dueKey.unnest(1, 'k')}
WHERE d.partition = k.partition AND d.collection_id = k.collection_id AND d.id = k.id
  AND EXISTS (SELECT 1 FROM collection c WHERE c.partition = d.partition AND c.id = d.collection_id)`
