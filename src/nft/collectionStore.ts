import type { Sql, Transaction } from '../db/database.ts'
import { type BlockRange, parseMultirange } from '../sync/blockRange.ts'
import { heldBy } from '../sync/lease.ts'
import { type Address, bufferToHex } from '../util/hex.ts'
import type { Standard, TransferForm } from './decodeTransfers.ts'
import type { CollectionKey, ListedChange } from './storeTransfers.ts'

/** A collection whose history is due. */
export type DueCollection = {
  partition: number
  id: bigint
  chainId: bigint
  address: Address
  status: 'queued' | 'syncing' | 'failed'
  attempts: number
  /** null: not decided yet. */
  form: TransferForm | null
  fromBlock: bigint | null
  toBlock: bigint | null
  coverage: BlockRange[]
}

/** `[from, to]` in Postgres' text for an int8range. */
function rangeText({ from, to }: BlockRange): string {
  return `[${from},${to}]`
}

/** Since when a collection waits for its turn, or until when it rests: the order of the index `collection_due`. */
const dueSince = 'greatest(turn_at, retry_at)'

/** The chains that have collections whose turn has come, the one that waited longest first. */
export async function readDueChains(
  sql: Sql,
  partitions: readonly bigint[],
  chains: readonly bigint[],
): Promise<bigint[]> {
  const rows = await sql.rows<[bigint]>(
    `SELECT v.id FROM unnest($2::bigint[]) AS v (id), LATERAL (
       SELECT ${dueSince} AS since FROM collection
       WHERE chain_id = v.id AND status IN ('queued', 'syncing', 'failed') AND ${dueSince} <= now() AND partition = ANY($1::smallint[])
       ORDER BY ${dueSince} LIMIT 1
     ) due ORDER BY due.since`,
    [partitions, chains],
  )
  return rows.map(([id]) => id)
}

/** The `limit` collections of these partitions that waited longest, those of `except` left out; their turn begins now. */
export async function takeTurns(
  sql: Sql,
  options: { partitions: readonly bigint[]; chain: bigint; except: readonly bigint[]; limit: number },
): Promise<DueCollection[]> {
  const rows = await sql.rows<
    [
      number,
      bigint,
      bigint,
      Buffer,
      DueCollection['status'],
      number,
      Standard | null,
      boolean,
      bigint | null,
      bigint | null,
      string,
    ]
  >(
    `UPDATE collection c SET turn_at = now() FROM (
       SELECT partition, id FROM collection
       WHERE partition = ANY($1::smallint[]) AND chain_id = $2 AND NOT id = ANY($3::bigint[])
         AND status IN ('queued', 'syncing', 'failed') AND ${dueSince} <= now()
       ORDER BY ${dueSince} LIMIT $4
     ) due
     WHERE c.partition = due.partition AND c.id = due.id
     RETURNING c.partition, c.id, c.chain_id, c.address, c.status, c.attempts, c.standard, c.id_in_data,
       c.from_block, c.to_block, c.coverage::text`,
    [options.partitions, options.chain, options.except, options.limit],
  )
  return rows.map((row) => {
    const [partition, id, chainId, address, status, attempts, standard, idInData, fromBlock, toBlock, coverage] = row
    return {
      partition,
      id,
      chainId,
      address: bufferToHex(address),
      status,
      attempts,
      form: standard && { standard, idInData },
      fromBlock,
      toBlock,
      coverage: parseMultirange(coverage),
    }
  })
}

type Key = { partition: number; id: bigint }

/** What a contract said of itself: from here on its history is read. */
export async function beginSyncing(
  sql: Sql,
  key: Key,
  identity: { form: TransferForm | undefined; name: string | null; symbol: string | null; fromBlock: bigint },
): Promise<void> {
  await sql.run(
    `UPDATE collection SET status = 'syncing', reason = NULL, retry_at = NULL, checked_at = now(), standard = $3, id_in_data = $4,
       name = $5, symbol = $6, from_block = coalesce(from_block, $7), version = version + 1
     WHERE partition = $1 AND id = $2 AND status IN ('queued', 'failed', 'syncing')`,
    [
      key.partition,
      key.id,
      identity.form?.standard ?? null,
      identity.form?.idInData ?? false,
      identity.name,
      identity.symbol,
      identity.fromBlock,
    ],
  )
}

/** The contract's logs told how it tells its transfers. */
export async function setForm(sql: Sql, key: Key, { standard, idInData }: TransferForm): Promise<void> {
  await sql.run(
    `UPDATE collection SET standard = $3, id_in_data = $4, version = version + 1
     WHERE partition = $1 AND id = $2 AND standard IS NULL`,
    [key.partition, key.id, standard, idInData],
  )
}

/** It ends here: no contract, or none of NFTs. A `reason` says that this may change: see lookAgain.ts. */
export async function endWithout(
  sql: Sql,
  key: Key,
  status: 'none' | 'nocode',
  reason: string | null = null,
): Promise<void> {
  await sql.run(
    `UPDATE collection SET status = $3, reason = $4, retry_at = NULL, checked_at = now(), attempts = 0, version = version + 1
     WHERE partition = $1 AND id = $2 AND status IN ('queued', 'failed', 'syncing')`,
    [key.partition, key.id, status, reason],
  )
}

/** It cannot go on now; it is tried again after `retrySeconds`. */
export async function setFailed(sql: Sql, key: Key, reason: string, retrySeconds: number): Promise<void> {
  await sql.run(
    `UPDATE collection SET status = 'failed', reason = $3, attempts = attempts + 1, retry_at = now() + make_interval(secs => $4),
       version = version + 1
     WHERE partition = $1 AND id = $2 AND status IN ('queued', 'failed', 'syncing')`,
    [key.partition, key.id, reason, retrySeconds],
  )
}

/** Its history is read as far as it can be: its next turn is `seconds` away. */
export async function rest(sql: Sql, key: Key, seconds: number): Promise<void> {
  await sql.run(
    `UPDATE collection SET retry_at = now() + make_interval(secs => $3) WHERE partition = $1 AND id = $2 AND status = 'syncing'`,
    [key.partition, key.id, seconds],
  )
}

/**
 * Adds a range to the coverage. False where it may not be: this worker lost the partition, the collection is followed by
 * now, or a block of the range is covered. Locks the collection until the transaction ends.
 */
export async function cover(tx: Transaction, key: Key, range: BlockRange, worker: number): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE collection SET coverage = coverage + $3::int8range::int8multirange, attempts = 0,
       to_block = (SELECT upper(r) - 1 FROM unnest(coverage + $3::int8range::int8multirange) r WHERE r @> from_block)
     WHERE ${coverable}`,
    [key.partition, key.id, rangeText(range), worker],
  )
  return changed === 1
}

/** Whether `cover` would add the range now. */
export async function mayCover(sql: Sql, key: Key, range: BlockRange, worker: number): Promise<boolean> {
  const values = [key.partition, key.id, rangeText(range), worker]
  return (await sql.rows(`SELECT FROM collection WHERE ${coverable}`, values)).length === 1
}

const coverable = `partition = $1 AND id = $2 AND status = 'syncing' AND NOT coverage && $3::int8range
  AND ${heldBy('partition', '$1', '$4')}`

/** Counts what became listed and raises the versions, so that pages made before are stale. */
export async function raiseVersions(tx: Transaction, changes: readonly ListedChange[]): Promise<void> {
  if (changes.length === 0) return
  await tx.run(
    `UPDATE collection c SET tokens = c.tokens + v.listed, token_rows = NULL, version = c.version + 1
     FROM unnest($1::smallint[], $2::bigint[], $3::bigint[]) AS v (partition, id, listed)
     WHERE c.partition = v.partition AND c.id = v.id`,
    [changes.map((c) => c.partition), changes.map((c) => c.id), changes.map((c) => c.listed)],
  )
}

export async function readLive(sql: Sql, chainId: bigint): Promise<CollectionKey[]> {
  const rows = await sql.rows<[number, bigint, Buffer, Standard, boolean]>(
    `SELECT partition, id, address, standard, id_in_data FROM collection WHERE chain_id = $1 AND status = 'live'`,
    [chainId],
  )
  return rows.map(([partition, id, address, standard, idInData]) => ({
    partition,
    id,
    address: bufferToHex(address),
    standard,
    idInData,
  }))
}

/** Those of these chains that have collections which are followed or on their way. */
export async function readWantedChains(sql: Sql, chains: readonly bigint[]): Promise<bigint[]> {
  const rows = await sql.rows<[bigint]>(
    `SELECT id FROM unnest($1::bigint[]) AS v (id), LATERAL (
       SELECT FROM collection WHERE chain_id = v.id AND status IN ('live', 'syncing') LIMIT 1
     ) wanted`,
    [chains],
  )
  return rows.map(([id]) => id)
}

/**
 * Collections whose history ends within `range`, with nothing stored beyond that, so that only followed blocks are missing.
 */
export async function readJoinable(
  sql: Sql,
  chainId: bigint,
  range: BlockRange,
  limit: number,
): Promise<(CollectionKey & { toBlock: bigint })[]> {
  const rows = await sql.rows<[number, bigint, Buffer, Standard, boolean, bigint]>(
    `SELECT partition, id, address, standard, id_in_data, to_block FROM collection
     WHERE chain_id = $1 AND status = 'syncing' AND to_block BETWEEN $2 AND $3 AND upper(coverage) = to_block + 1
       AND standard IS NOT NULL AND NOT (reason IS NOT NULL AND retry_at > now()) ORDER BY to_block DESC LIMIT $4`,
    [chainId, range.from, range.to, limit],
  )
  return rows.map(([partition, id, address, standard, idInData, toBlock]) => ({
    partition,
    id,
    address: bufferToHex(address),
    standard,
    idInData,
    toBlock,
  }))
}

/** It could not join the head; the next try is `seconds` away. */
export async function postponeJoin(sql: Sql, key: Key, reason: string, seconds: number): Promise<void> {
  await sql.run(
    `UPDATE collection SET reason = $3, retry_at = now() + make_interval(secs => $4)
     WHERE partition = $1 AND id = $2 AND status = 'syncing'`,
    [key.partition, key.id, reason, seconds],
  )
}

/**
 * From here on the chain's cursor covers it. Answers the last block that its history covers, which may have gone on meanwhile;
 * undefined where that does not end within `range`.
 */
export async function goLive(tx: Transaction, key: Key, range: BlockRange): Promise<bigint | undefined> {
  const [row] = await tx.rows<[bigint]>(
    `UPDATE collection SET status = 'live', live_since = coalesce(live_since, now()), reason = NULL, retry_at = NULL, attempts = 0, version = version + 1,
       metadata_unswept = true, metadata_swept_at = NULL
     WHERE partition = $1 AND id = $2 AND status = 'syncing' AND to_block BETWEEN $3 AND $4 AND upper(coverage) = to_block + 1
     RETURNING to_block`,
    [key.partition, key.id, range.from, range.to],
  )
  return row?.[0]
}

/** Followed collections of a chain go back to reading history, covered up to `number`. */
export async function releaseLive(tx: Transaction, chainId: bigint, number: bigint): Promise<void> {
  await tx.run(
    `UPDATE collection SET status = 'syncing', version = version + 1, turn_at = now(),
       to_block = CASE WHEN from_block <= $2 THEN $2 END,
       coverage = CASE WHEN from_block <= $2 THEN int8multirange(int8range(from_block, $2, '[]')) ELSE '{}' END
     WHERE chain_id = $1 AND status = 'live'`,
    [chainId, number],
  )
}

/** Addresses without code that nobody asked for again leave no trace, nor those that never got as far as being looked at. */
export async function forgetCodeless(sql: Sql, seconds: number): Promise<void> {
  await sql.run(`DELETE FROM collection WHERE status = 'nocode' AND checked_at < now() - make_interval(secs => $1)`, [
    seconds,
  ])
  await sql.run(
    `DELETE FROM collection WHERE status = 'failed' AND from_block IS NULL AND requested_at < now() - interval '1 day'`,
  )
}

export async function countByStatus(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql.rows<[string, bigint]>('SELECT status, count(*) FROM collection GROUP BY status')
  return Object.fromEntries(rows.map(([status, count]) => [status, Number(count)]))
}
