import type { Database } from '../src/db/database.ts'

/** Makes the metadata of all tokens of a chain due again. */
export async function queueEverything(db: Database, chainId: bigint): Promise<void> {
  await db.run(insertQueued, [chainId])
  await db.run('UPDATE collection SET metadata_due_at = now() WHERE chain_id = $1', [chainId])
}

const insertQueued = `
INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at)
SELECT t.partition, t.collection_id, t.token_hash, t.token_id, date_trunc('milliseconds', now())
FROM token t JOIN collection c ON c.partition = t.partition AND c.id = t.collection_id WHERE c.chain_id = $1 ON CONFLICT DO NOTHING`
