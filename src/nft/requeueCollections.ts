import pg from 'pg'
import type { Database, Transaction } from '../db/database.ts'
import { readChain, reviseChain } from '../sync/chainStore.ts'
import { type Address, hexToBuffer } from '../util/hex.ts'
import { demandChannel } from './createDemand.ts'
import { partitionOf } from './partition.ts'

/**
 * Removes everything that is stored of the collections of a chain, and queues those that are contracts again, in rows of their own:
 * whoever still writes or shows one of before finds it gone. Answers how many are queued.
 */
export async function requeueCollections(tx: Transaction, chainId: bigint): Promise<number> {
  // What is being committed to one of them is waited for, and removed with the rest.
  const rows = await tx.rows<[bigint]>('SELECT id FROM collection WHERE chain_id = $1 ORDER BY id FOR UPDATE', [
    chainId,
  ])
  if (rows.length === 0) return 0
  await removeRows(tx, 'c.chain_id = $1', [chainId])
  const queued = await moveAside(tx, 'chain_id = $1', [chainId], `status <> 'nocode'`)
  await tx.rows('SELECT pg_notify($1, $2)', [demandChannel, ''])
  return queued
}

/** What was removed of a collection. */
export type Removed = { tokens: number; transfers: number }

/**
 * Removes a collection and everything that is stored of it, beside running servers; with `requeue` it is queued again, in a row of
 * its own, with what an operator said of it. Its chain waits meanwhile. undefined: there is no such collection.
 */
export async function removeCollection(
  db: Database,
  { chainId, address, requeue }: { chainId: bigint; address: Address; requeue: boolean },
): Promise<Removed | undefined> {
  const partition = partitionOf(chainId, address)
  return db.transaction(async (tx) => {
    // The chain first, as those who follow it do.
    await readChain(tx, chainId, true)
    const [row] = await tx.rows<[bigint]>(
      'SELECT id FROM collection WHERE partition = $1 AND chain_id = $2 AND address = $3 FOR UPDATE',
      [partition, chainId, hexToBuffer(address)],
    )
    if (!row) return undefined
    const key = [partition, row[0]]
    const removed = await removeRows(tx, 'c.partition = $1 AND c.id = $2', key)
    if (requeue) await moveAside(tx, 'partition = $1 AND id = $2', key, 'true')
    else await tx.run('DELETE FROM collection WHERE partition = $1 AND id = $2', key)
    await reviseChain(tx, chainId)
    await tx.rows('SELECT pg_notify($1, $2)', [demandChannel, ''])
    return { tokens: removed.get('token') ?? 0, transfers: removed.get('transfer') ?? 0 }
  })
}

/** Removes what is stored of the collections `c` for which `which` holds, but for their rows. Answers how many rows, by table. */
async function removeRows(tx: Transaction, which: string, values: unknown[]): Promise<Map<string, number>> {
  const removed = new Map<string, number>()
  for (const table of await tablesOfCollections(tx)) {
    const rows = await tx.run(
      `DELETE FROM ${pg.escapeIdentifier(table)} t USING collection c
       WHERE ${which} AND t.partition = c.partition AND t.collection_id = c.id`,
      values,
    )
    removed.set(table, rows)
  }
  return removed
}

/** Puts a new row that is queued in the place of each collection for which `which` and `queue` hold; answers how many. */
async function moveAside(tx: Transaction, which: string, values: unknown[], queue: string): Promise<number> {
  await tx.script('CREATE TEMPORARY TABLE requeued ON COMMIT DROP AS SELECT * FROM collection LIMIT 0')
  await tx.run(`INSERT INTO requeued SELECT * FROM collection WHERE ${which}`, values)
  await tx.run(`DELETE FROM collection WHERE ${which}`, values)
  return tx.run(
    `INSERT INTO collection (partition, chain_id, address, requested_by, spam_override, verified_override)
     SELECT partition, chain_id, address, requested_by, spam_override, verified_override FROM requeued WHERE ${queue}`,
  )
}

/** Every table that keeps something of a collection. */
async function tablesOfCollections(tx: Transaction): Promise<string[]> {
  const rows = await tx.rows<[string]>(
    `SELECT c.relname::text FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> 'collection'
       AND 2 = (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attisdropped
         AND a.attname IN ('partition', 'collection_id')) ORDER BY 1`,
  )
  return rows.map(([name]) => name)
}
