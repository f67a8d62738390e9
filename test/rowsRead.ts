import type { Database, Sql } from '../src/db/database.ts'

/**
 * How many rows `work` reads from a table, and entries from its indexes, in this transaction. This measures the cost of its plans,
 * independent of the machine's speed.
 */
export async function rowsRead(tx: Sql, table: string, work: () => Promise<unknown>): Promise<number> {
  const before = await counted(tx, table)
  await work()
  return Number((await counted(tx, table)) - before)
}

/** The counters of this connection. They may include reads of earlier transactions. */
async function counted(tx: Sql, table: string): Promise<bigint> {
  const [row] = await tx.rows<[bigint]>(
    `SELECT (pg_stat_get_xact_tuples_returned($1::regclass)
       + coalesce((SELECT sum(pg_stat_get_xact_tuples_returned(indexrelid)) FROM pg_index WHERE indrelid = $1::regclass), 0))::int8`,
    [table],
  )
  return row![0]
}

/** The same for every table, by name. Tables without reads are omitted. */
export async function allRowsRead(tx: Sql, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = new Map(await tx.rows<[string, bigint]>(selectCounted))
  await work()
  const after = await tx.rows<[string, bigint]>(selectCounted)
  const read = after.map(([table, rows]) => [table, Number(rows - (before.get(table) ?? 0n))] as const)
  return Object.fromEntries(read.filter(([, rows]) => rows > 0))
}

const selectCounted = `
SELECT c.relname::text, (pg_stat_get_xact_tuples_returned(c.oid)
  + coalesce((SELECT sum(pg_stat_get_xact_tuples_returned(indexrelid)) FROM pg_index WHERE indrelid = c.oid), 0))::int8
FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace`

/** A database whose transactions report how many rows of each table they read, as `allRowsRead` counts them. */
export const countingRows = (db: Database, onRead: (read: Record<string, number>) => void): Database => ({
  ...db,
  transaction: (work, settings) =>
    db.transaction(async (tx) => {
      const results: Awaited<ReturnType<typeof work>>[] = []
      onRead(await allRowsRead(tx, async () => results.push(await work(tx))))
      return results[0]!
    }, settings),
})

/** How many pages of a table and its indexes `work` reads in this transaction, from memory or disk: a scan that skips entries reads few rows. */
export async function pagesRead(tx: Sql, table: string, work: () => Promise<unknown>): Promise<number> {
  const before = await countedPages(tx, table)
  await work()
  return Number((await countedPages(tx, table)) - before)
}

async function countedPages(tx: Sql, table: string): Promise<bigint> {
  const [row] = await tx.rows<[bigint]>(
    `SELECT (pg_stat_get_xact_blocks_fetched($1::regclass)
       + coalesce((SELECT sum(pg_stat_get_xact_blocks_fetched(indexrelid)) FROM pg_index WHERE indrelid = $1::regclass), 0))::int8`,
    [table],
  )
  return row![0]
}
