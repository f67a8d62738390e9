import pg from 'pg'
import type { Sql, Transaction } from '../../db/database.ts'
import { ownSchema } from '../../db/ownSchema.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { run } from '../../sync/run.ts'
import type { Log } from '../../util/log.ts'
import { forgetRemovedUpdates } from '../metadata/store/undoUpdates.ts'
import { removeFromWallets } from '../wallets/removeFromWallets.ts'

type Key = { partition: number; id: bigint }

/** Number of deleted rows of a collection. */
export type Removed = { tokens: number; transfers: number }

/** Rows deleted per statement: it takes 20 ms to 200 ms, and nothing else waits for it. */
const rowsAtOnce = 5_000

/** How long no other process takes over a removal after a step. */
const heldSeconds = 60

/**
 * Schedules the deletion of all rows of the collections that satisfy `which`, in the transaction that deletes their rows in `collection`. After its
 * commit nothing writes to their other rows, and no lookup finds these, as all lookups use a collection's id. So they can be deleted step by step,
 * with a crash after any step. `held`: the caller deletes them; a server does so only if the caller made no step for a minute.
 */
export async function noteRemovals(tx: Transaction, which: string, values: unknown[], held = false): Promise<void> {
  await tx.run(
    `INSERT INTO collection_removal (partition, id, chain_id, due_at)
     SELECT partition, id, chain_id, now() + make_interval(secs => ${held ? heldSeconds : 0}) FROM collection WHERE ${which}`,
    values,
  )
  await forgetRemovedUpdates(tx)
}

/** A removal in these partitions without a working process. */
export async function nextRemoval(sql: Sql, partitions: readonly bigint[]): Promise<Key | undefined> {
  const [row] = await sql.rows<[number, bigint]>(
    `SELECT partition, id FROM collection_removal WHERE partition = ANY($1::smallint[]) AND due_at <= now()
     ORDER BY due_at, partition, id LIMIT 1`,
    [partitions],
  )
  return row && { partition: row[0], id: row[1] }
}

/**
 * Deletes the remaining rows of a removed collection, a few thousand per transaction. Several processes may do so concurrently. Returns the number of
 * rows deleted by this call.
 */
export async function removeRows(sql: Sql, { partition, id }: Key, signal?: AbortSignal): Promise<Removed> {
  const key = [partition, id]
  const [[chainId] = []] = await sql.rows<[bigint?]>(
    'SELECT chain_id FROM collection_removal WHERE partition = $1 AND id = $2',
    key,
  )
  // First, as the transfers are needed to find the wallets.
  if (chainId !== undefined) await removeFromWallets(sql, { partition, id, chainId }, signal)
  const tables = await tablesOfCollections(sql)
  const removed = new Map<string, number>()
  // While one table still had rows, another process may have inserted rows into a table that was already emptied.
  for (let found = true; found; ) {
    found = false
    for (const table of tables)
      for (;;) {
        signal?.throwIfAborted()
        const rows = (await sql.run(removeFirst(table), key)) || (await sql.run(removeOrphans(table), key))
        if (rows === 0) break
        found = true
        removed.set(table.name, (removed.get(table.name) ?? 0) + rows)
        await sql.run(
          `UPDATE collection_removal SET due_at = now() + interval '${heldSeconds} s' WHERE partition = $1 AND id = $2`,
          key,
        )
      }
  }
  await settle(sql, key)
  return { tokens: removed.get('token') ?? 0, transfers: removed.get('transfer') ?? 0 }
}

/** Ends a removal that is a minute old; a younger one is checked again then, as an earlier page may still request previews. */
async function settle(sql: Sql, key: unknown[]): Promise<void> {
  const late = `noted_at < now() - interval '${heldSeconds} s'`
  await sql.run(`DELETE FROM collection_removal WHERE partition = $1 AND id = $2 AND ${late}`, key)
  await sql.run(
    `UPDATE collection_removal SET due_at = (SELECT noted_at + interval '${heldSeconds} s') WHERE partition = $1 AND id = $2`,
    key,
  )
}

const ofCollection = 'partition = $1 AND collection_id = $2'

/** A table with rows of collections, and the rest of its key. */
type Table = { name: string; key: string[] }

/** Deletes the first rows by key, if there are more than the limit: reads and deletes in index order, whatever the statistics are. */
function removeFirst({ name, key }: Table): string {
  const table = pg.escapeIdentifier(name)
  const columns = key.map((column) => pg.escapeIdentifier(column)).join(', ')
  const last = `SELECT ${columns} FROM ${table} WHERE ${ofCollection} ORDER BY ${columns} OFFSET ${rowsAtOnce - 1} LIMIT 1`
  return key.length === 0
    ? removeOrphans({ name, key })
    : `DELETE FROM ${table} WHERE ${ofCollection} AND (${columns}) <= (${last})`
}

function removeOrphans({ name }: Table): string {
  return `DELETE FROM ${pg.escapeIdentifier(name)} WHERE ${ofCollection}`
}

/**
 * Every table with rows of collections. The tables of pending work and of transfer ranges come first, as they must not refer to removed collections:
 * a page of a chain's transfers ends if its ranges have none. Wallet rows of a collection are in other partitions: see removeFromWallets.ts.
 */
async function tablesOfCollections(sql: Sql): Promise<Table[]> {
  const rows = await sql.rows<[string, string[]]>(
    `SELECT c.relname::text, array(SELECT a.attname::text FROM unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
       WHERE a.attname NOT IN ('partition', 'collection_id') ORDER BY k.place)
     FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
     WHERE c.relnamespace = ${ownSchema} AND c.relkind = 'r' AND c.relpersistence = 'p' AND c.relname <> 'collection'
       AND 2 = (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attisdropped
         AND a.attname IN ('partition', 'collection_id'))
       AND NOT EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'wallet')
     ORDER BY c.relname NOT IN ('media', 'media_turn', 'metadata_due', 'transfer_range'), c.relname`,
  )
  return rows.map(([name, key]) => ({ name, key }))
}

export type RemoveCollectionsOptions = { leases: Leases; db: Sql; log: Log; signal: AbortSignal }

/** Deletes remaining rows of removed collections in this process's partitions. Ends with the signal. */
export async function removeCollections({ leases, db, log, signal }: RemoveCollectionsOptions): Promise<void> {
  async function step(): Promise<'moved' | 'idle'> {
    const removal = await nextRemoval(db, [...leases.held('partition')])
    if (!removal) return 'idle'
    const removed = await removeRows(db, removal, signal)
    if (removed.tokens + removed.transfers > 0) log.info({ ...removed }, 'rows of a removed collection deleted')
    return 'moved'
  }

  await run({ name: 'delete rows of removed collections', step, idleMs: 2_000, signal, log })
}
