import pg from 'pg'
import type { Sql, Transaction } from '../../db/database.ts'
import { forgetRemoved } from '../metadata/store/undoUpdates.ts'

type Key = { partition: number; id: bigint }

/** What was removed of a collection. */
export type Removed = { tokens: number; transfers: number }

/** Rows removed by one statement: 20 ms to 200 ms, during which nothing else waits. */
const rowsAtOnce = 5_000

/** For how long after a step a removal is its maker's alone. */
const heldSeconds = 60

/**
 * Notes that the collections for which `which` holds are to be removed, in the transaction that deletes their rows in `collection`.
 * From its commit on nothing writes to what is stored of them, and no lookup finds it: everything is looked up by a collection's id. So
 * it may go step by step, and be cut off at any of them. `held`: the caller does it; a server only where the caller says nothing for
 * a minute.
 */
export async function noteRemovals(tx: Transaction, which: string, values: unknown[], held = false): Promise<void> {
  await tx.run(
    `INSERT INTO collection_removal (partition, id, due_at)
     SELECT partition, id, now() + make_interval(secs => ${held ? heldSeconds : 0}) FROM collection WHERE ${which}`,
    values,
  )
  await forgetRemoved(tx)
}

/** One of the removals in these partitions that no process works on. */
export async function nextRemoval(sql: Sql, partitions: readonly bigint[]): Promise<Key | undefined> {
  const [row] = await sql.rows<[number, bigint]>(
    `SELECT partition, id FROM collection_removal WHERE partition = ANY($1::smallint[]) AND due_at <= now()
     ORDER BY due_at, partition, id LIMIT 1`,
    [partitions],
  )
  return row && { partition: row[0], id: row[1] }
}

/**
 * Removes what is left of a collection that was taken away, a few thousand rows at a time, each time in a transaction of its own.
 * Several may do so at once. Answers how many rows this call removed.
 */
export async function removeRows(sql: Sql, { partition, id }: Key, signal?: AbortSignal): Promise<Removed> {
  const key = [partition, id]
  const tables = await tablesOfCollections(sql)
  const removed = new Map<string, number>()
  // A row of one table may have been added from another one that was not empty yet.
  for (let found = true; found; ) {
    found = false
    for (const table of tables)
      for (;;) {
        signal?.throwIfAborted()
        const rows = await sql.run(removeSome(table), key)
        if (rows === 0 && !(await hasRows(sql, table, key))) break
        found = true
        removed.set(table, (removed.get(table) ?? 0) + rows)
        await sql.run(
          `UPDATE collection_removal SET due_at = now() + interval '${heldSeconds} s' WHERE partition = $1 AND id = $2`,
          key,
        )
      }
  }
  await settle(sql, key)
  return { tokens: removed.get('token') ?? 0, transfers: removed.get('transfer') ?? 0 }
}

/** Ends a removal; an early one is looked at again, as a page that was begun before it may still ask for previews. */
async function settle(sql: Sql, key: unknown[]): Promise<void> {
  const late = `noted_at < now() - interval '${heldSeconds} s'`
  await sql.run(`DELETE FROM collection_removal WHERE partition = $1 AND id = $2 AND ${late}`, key)
  await sql.run(
    `UPDATE collection_removal SET due_at = noted_at + interval '${heldSeconds} s' WHERE partition = $1 AND id = $2`,
    key,
  )
}

const ofCollection = 'partition = $1 AND collection_id = $2'

/**
 * By where the rows stand, and nothing else: with the collection's key as well, a table whose statistics do not know the collection
 * yet is read by that key, and each of its rows is compared with thousands of places. A statement sees one snapshot, so a place is a row.
 */
function removeSome(table: string): string {
  const name = pg.escapeIdentifier(table)
  return `DELETE FROM ${name} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${name} WHERE ${ofCollection} LIMIT ${rowsAtOnce}))`
}

async function hasRows(sql: Sql, table: string, key: unknown[]): Promise<boolean> {
  return (await sql.rows(`SELECT FROM ${pg.escapeIdentifier(table)} WHERE ${ofCollection} LIMIT 1`, key)).length > 0
}

/** Every table that keeps something of a collection; first those that say what is to be done. */
async function tablesOfCollections(sql: Sql): Promise<string[]> {
  const rows = await sql.rows<[string]>(
    `SELECT c.relname::text FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> 'collection'
       AND 2 = (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attisdropped
         AND a.attname IN ('partition', 'collection_id'))
     ORDER BY c.relname NOT IN ('media', 'media_turn', 'metadata_due'), c.relname`,
  )
  return rows.map(([name]) => name)
}
