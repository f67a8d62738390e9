import type { Sql, Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { rowKeys } from '../../db/rowKeys.ts'
import { onlyPartition, type Within, within } from '../../db/staging/stagingTables.ts'
import { firstPositionOf, type Place } from '../transfers/position.ts'
import { sameToken, tokenHashSql } from '../transfers/tokenHash.ts'
import { byErc1155, type UndoneTransfers, undoneOf, zeroBytes } from '../transfers/transfer.ts'
import type { TransferGroup } from '../transfers/transferGroup.ts'

/** Notified when transfers at the head were stored or undone. */
export const walletUpdatesChannel = 'mintmark_wallet_due'

/** With the items of the first and last transfer: a log may be stored in parts. */
const storedGroup = defineLists<TransferGroup & { atHead: boolean }>({
  at_head: list.bool(({ atHead }) => atHead),
  partition: list.int2(({ collection }) => collection.partition),
  collection_id: list.int8(({ collection }) => collection.id),
  chain_id: list.int8(({ collection }) => collection.chainId),
  from_position: list.int8(({ first }) => first.position),
  from_item: list.int4(({ first }) => first.item),
  to_position: list.int8(({ last }) => last.position),
  to_item: list.int4(({ last }) => last.item),
  transfers: list.int4(({ count }) => count),
})

/** Ids of the collections of groups that are followed, or were before: listeners of wallets wait for their transfers, final or not. */
export async function readFollowed(tx: Transaction, groups: readonly TransferGroup[]): Promise<ReadonlySet<bigint>> {
  const keys = groups.map(({ collection }) => collection)
  const rows = await tx.fresh.rows<[bigint]>(selectFollowed(within(onlyPartition(keys))), rowKeys.lists(keys))
  return new Set(rows.map(([id]) => id))
}

const selectFollowed = (of: Within) => `
SELECT c.id FROM ${rowKeys.unnest(1, 'k')} JOIN collection c ON c.partition = k.partition AND c.id = k.id${of('c')} WHERE c.live_since IS NOT NULL`

/**
 * Queues transfers for the wallet tables, in the transaction that stores them: no other transfer of the collection is between the first and last of a
 * group. `followed`: ids of collections whose transfers are at the head.
 */
export async function noteStored(
  tx: Transaction,
  groups: readonly TransferGroup[],
  followed: ReadonlySet<bigint>,
): Promise<void> {
  const moved = groups.filter(({ count }) => count > 0)
  if (moved.length === 0) return
  const queued = moved.map((group) => ({ ...group, atHead: followed.has(group.collection.id) }))
  await tx.run(insertStored, storedGroup.lists(queued))
  if (queued.some(({ atHead }) => atHead)) await tx.rows('SELECT pg_notify($1, $2)', [walletUpdatesChannel, ''])
}

const insertStored = `INSERT INTO wallet_due (${storedGroup.columns}) SELECT * FROM ${storedGroup.unnest()}`

/**
 * Queues all recipients of an ERC-721 token before a merge makes it an ERC-1155 one: one of them has it, and loses it without sending it. Must be
 * called with the staged data of the groups.
 */
export async function noteConverted(
  tx: Transaction,
  groups: readonly TransferGroup[],
  { followed, of }: { followed: ReadonlySet<bigint>; of: Within },
): Promise<void> {
  const collections = rowKeys.lists(groups.map(({ collection }) => collection))
  const mixed = await tx.fresh.rows<[bigint]>(selectMixed(of), collections)
  if (mixed.length > 0) await tx.fresh.run(insertConverted(of), [[...followed], mixed.map(([id]) => id)])
}

const selectMixed = (of: Within) => `
SELECT c.id FROM ${rowKeys.unnest(1, 'k')} JOIN collection c ON c.partition = k.partition AND c.id = k.id${of('c')} WHERE c.mixed`

const insertConverted = (of: Within) => `
INSERT INTO wallet_due (partition, collection_id, chain_id, at_head, from_position, to_position, transfers,
  undone_wallets, undone_tokens, undone_positions, undone_items)
SELECT partition, collection_id, chain_id, collection_id = ANY($1::int8[]), min(first_position), max(last_position), count(*),
  array_agg(to_address), array_agg(token_hash), array_agg(NULL::bigint), array_agg(NULL::int4)
FROM (
  SELECT s.partition, s.collection_id, c.chain_id, s.token_hash, x.to_address, min(s.first_position) AS first_position, max(s.last_position) AS last_position
  FROM stage_token s JOIN token t ON ${sameToken('t', 's')} JOIN collection c ON c.partition = s.partition AND c.id = s.collection_id
  JOIN transfer x ON x.partition = s.partition AND x.collection_id = s.collection_id AND x.token_id = s.token_id
    AND NOT ${byErc1155('x')} AND x.to_address <> ${zeroBytes}
  WHERE s.summed AND s.collection_id = ANY($2::int8[]) AND NOT t.erc1155${of('s', 't', 'c', 'x')}
  GROUP BY s.partition, s.collection_id, c.chain_id, s.token_hash, x.to_address
) received
GROUP BY partition, collection_id, chain_id`

/**
 * Queues the wallet changes of undone transfers, before these are deleted and their tokens are restored. The former tokens with their owners are in
 * `stage_undo`. Until the queue is processed, wallets do not have their state at the end of `keptBlock`, the last kept block. So that block is also
 * not covered.
 */
export async function noteUndone(
  tx: Transaction,
  { chainId, keptBlock, from }: { chainId: bigint; keptBlock: bigint; from: Place },
  undone: UndoneTransfers,
): Promise<void> {
  const kept = keptBlock > 0n ? firstPositionOf(keptBlock) : 0n
  const noted = await tx.fresh.run(insertUndone(undone), [from.position, from.item, chainId, kept])
  if (noted > 0) await tx.rows('SELECT pg_notify($1, $2)', [walletUpdatesChannel, ''])
}

/** If an earlier part undid the transfer that gave a token to its present owner, none of these transfers has that owner. */
const presentOwners = (of: UndoneTransfers['of']) => `
  UNION ALL
  SELECT s.partition, s.collection_id, t.owner, s.token_hash, NULL, NULL
  FROM stage_undo s JOIN token t ON ${sameToken('t', 's')}${of('t', 's')} WHERE NOT s.summed AND t.owner IS NOT NULL`

const insertUndone = ({ collections, of, isPart }: UndoneTransfers) => `
INSERT INTO wallet_due (partition, collection_id, chain_id, at_head, from_position, to_position, transfers,
  undone_wallets, undone_tokens, undone_positions, undone_items)
SELECT partition, collection_id, $3, true, $4::int8, coalesce(max(position), $1), count(*),
  array_agg(wallet), array_agg(token_hash), array_agg(position), array_agg(item)
FROM (
  SELECT t.partition, t.collection_id, side.wallet, ${tokenHashSql('c.address', 't.token_id')} AS token_hash, t.position, t.item
  FROM ${collections} JOIN ${undoneOf}
  CROSS JOIN LATERAL (VALUES (t.from_address), (t.to_address)) AS side (wallet)
  WHERE side.wallet <> ${zeroBytes}
  UNION ALL
  SELECT s.partition, s.collection_id, s.owner, s.token_hash, NULL, NULL FROM stage_undo s WHERE NOT s.summed AND s.owner IS NOT NULL${of('s')}${isPart ? presentOwners(of) : ''}
) touched
GROUP BY partition, collection_id`

/**
 * A queue row. `undone`: of undone transfers. `tokensLater`: only its transfers are written now, as in `writeTransfers`, and wallets get the tokens
 * of the collection's whole history at once later.
 */
export type PendingUpdate = RowOf<typeof updateRow>

/** SQL: wallets may have holdings of collection `c`. Before that, its tokens can be built without looking up earlier holdings. */
const isBuilt = `EXISTS (SELECT 1 FROM owner_count o WHERE o.partition = c.partition AND o.collection_id = c.id)`

/** SQL: the history of collection `c` is being read and will be complete soon. A long or stalled history does not delay its tokens in wallets. */
const isGrowing = `(c.status IN ('queued', 'syncing') AND coalesce(c.covered_at, c.requested_at) > now() - interval '30 seconds'
  AND c.requested_at > now() - interval '5 minutes')`

/** SQL: the queue has history rows of collection `c` that satisfy a condition on `o`. */
export const hasPending = (condition: string) =>
  `EXISTS (SELECT 1 FROM wallet_due o WHERE o.partition = c.partition AND o.collection_id = c.id AND NOT o.at_head${condition})`

const updateRow = defineRow({
  partition: column.int2('d.partition'),
  collectionId: column.int8('d.collection_id'),
  id: column.int8('d.id'),
  transfers: column.int4('d.transfers'),
  undone: column.bool('d.undone_wallets IS NOT NULL'),
  tokensLater: column.bool(
    `NOT d.at_head AND NOT ${isBuilt} AND (c.transfers > $5 OR ${isGrowing} OR ${hasPending(' AND o.transfers_written')})`,
  ),
})

/** Rows per slice: those of the head are small. Each collection among them takes a server lock, of which there are a few thousand. */
const mostRows = 250

/** A collection with more transfers gets its tokens at once, even if its history is already complete. */
const fewTransfers = 25_000

/**
 * The next queue rows in these partitions, of the head or of history: at most `most` transfers or a single row, all to be processed in the same way.
 * `except`: ids of collections in progress. At the head, excludes collections whose history is not in the wallet tables yet.
 */
export async function nextUpdates(
  sql: Sql,
  options: {
    atHead: boolean
    partitions: readonly bigint[]
    except: readonly bigint[]
    most: number
    few?: number
  },
): Promise<PendingUpdate[]> {
  const { atHead, partitions, except, most, few = fewTransfers } = options
  const rows = (await sql.rows(selectUpdates, [atHead, partitions, except, mostRows, few])).map(updateRow.decode)
  return fitting(
    rows.filter(({ tokensLater }) => tokensLater === rows[0]!.tokensLater),
    most,
  )
}

/** The first rows with at most `most` transfers together, or only the first one. */
function fitting<T extends { transfers: number }>(rows: readonly T[], most: number): T[] {
  let sum = 0
  return rows.filter(({ transfers }, place) => {
    sum += transfers
    return place === 0 || sum <= most
  })
}

/** Rows of a removed collection are left to its removal. */
const selectUpdates = `
SELECT ${updateRow.columns} FROM wallet_due d JOIN collection c ON c.partition = d.partition AND c.id = d.collection_id
WHERE d.at_head = $1 AND NOT d.transfers_written AND d.partition = ANY($2::smallint[]) AND NOT d.collection_id = ANY($3::bigint[])
  AND (NOT d.at_head OR ${isBuilt} OR NOT ${hasPending('')})
ORDER BY d.id LIMIT $4`

/** A collection with written transfers but without built tokens. `newest`: its last queue row; `transfers`: of all rows. */
export type PendingBuild = { partition: number; collectionId: bigint; newest: bigint; transfers: number }

const buildRow = defineRow({
  partition: column.int2('d.partition'),
  collectionId: column.int8('d.collection_id'),
  newest: column.int8('max(d.id)'),
  transfers: column.int8('sum(d.transfers)::int8').map(Number),
})

/** The next collections whose tokens can be built: at most `most` transfers, or a single one. */
export async function nextBuilds(
  sql: Sql,
  options: { partitions: readonly bigint[]; except: readonly bigint[]; most: number },
): Promise<PendingBuild[]> {
  const { partitions, except, most } = options
  const rows = await sql.rows(selectBuilds, [partitions, except, mostRows])
  return fitting(rows.map(buildRow.decode), most)
}

const selectBuilds = `
SELECT ${buildRow.columns} FROM wallet_due d JOIN collection c ON c.partition = d.partition AND c.id = d.collection_id
WHERE d.transfers_written AND d.partition = ANY($1::smallint[]) AND NOT d.collection_id = ANY($2::bigint[])
  AND (${isBuilt} OR (NOT ${isGrowing} AND NOT ${hasPending(' AND NOT o.transfers_written')}))
GROUP BY d.partition, d.collection_id ORDER BY min(d.id) LIMIT $3`

/** Number of unprocessed transfers of history queued after row `id`, and the newest such row. */
export async function storedSince(sql: Sql, id: bigint): Promise<{ transfers: number; newest: bigint }> {
  const [[transfers, newest] = [0n, null]] = await sql.rows<[bigint, bigint | null]>(
    'SELECT coalesce(sum(transfers), 0)::int8, max(id) FROM wallet_due WHERE NOT at_head AND id > $1',
    [id],
  )
  return { transfers: Number(transfers), newest: newest ?? id }
}

/** Number of queued transfers. */
export async function countPendingTransfers(sql: Sql): Promise<number> {
  const [[transfers] = [0n]] = await sql.rows<[bigint]>('SELECT coalesce(sum(transfers), 0)::int8 FROM wallet_due')
  return Number(transfers)
}
