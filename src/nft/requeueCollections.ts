import pg from 'pg'
import type { Transaction } from '../db/database.ts'
import { demandChannel } from './createDemand.ts'

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
  for (const table of await tablesOfCollections(tx))
    await tx.run(
      `DELETE FROM ${pg.escapeIdentifier(table)} t USING collection c
       WHERE c.chain_id = $1 AND t.partition = c.partition AND t.collection_id = c.id`,
      [chainId],
    )
  await tx.script('CREATE TEMPORARY TABLE requeued ON COMMIT DROP AS SELECT * FROM collection LIMIT 0')
  await tx.run('INSERT INTO requeued SELECT * FROM collection WHERE chain_id = $1', [chainId])
  await tx.run('DELETE FROM collection WHERE chain_id = $1', [chainId])
  const queued = await tx.run(
    `INSERT INTO collection (partition, chain_id, address, requested_by, spam_override, verified_override)
     SELECT partition, chain_id, address, requested_by, spam_override, verified_override FROM requeued WHERE status <> 'nocode'`,
  )
  await tx.rows('SELECT pg_notify($1, $2)', [demandChannel, ''])
  return queued
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
