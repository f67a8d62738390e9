import type { Database, Transaction } from '../../db/database.ts'
import { lockServedCollection } from '../collection/lock.ts'
import { raisedVersion } from '../collection/version.ts'
import { sameToken } from '../transfers/tokenHash.ts'

type Key = { partition: number; id: bigint }

/** Another worker now serves the collection; the transaction must be rolled back. */
class NotServedError extends Error {}

/**
 * All tokens of a collection are read, so joins must be hash joins: without statistics a nested loop would be planned. The memory holds the sums of a
 * million tokens; more go to disk.
 */
const settings = `SET LOCAL enable_nestloop = off; SET LOCAL work_mem = '64MB'`

/**
 * SQL of the information content, in millionths of a bit, of a token being one of `few` among `all`. Integers, so that sums do not depend on their
 * order.
 */
const bits = (few: string, all: string) => `round(1e6::float8 * ln(${all}::float8 / ${few}) / ln(2::float8))::int8`

/**
 * Ranks the tokens with metadata (docs/metadata.md has the formula), and returns their number and the `traits_version`. One statement, so a single
 * snapshot. Unchanged ranks are not written.
 */
const rankAll = `
WITH facts AS MATERIALIZED (
  SELECT c.traits_version, c.metadata_documents AS documents FROM collection c WHERE c.partition = $1 AND c.id = $2
), traits AS MATERIALIZED (
  SELECT n.trait, ${bits('n.tokens', 'c.documents')} AS bits
  FROM trait_count n CROSS JOIN facts c WHERE n.partition = $1 AND n.collection_id = $2
), sums AS (
  SELECT x.token_hash, count(t.trait) AS traits, coalesce(sum(t.bits), 0) AS bits
  FROM token_trait x LEFT JOIN traits t ON t.trait = x.trait
  WHERE x.partition = $1 AND x.collection_id = $2 GROUP BY x.token_hash
), alike AS (
  SELECT token_hash, bits, count(*) OVER (PARTITION BY traits) AS tokens FROM sums
), ranks AS (
  SELECT a.token_hash, rank() OVER (ORDER BY a.bits + ${bits('a.tokens', 'c.documents')} DESC) AS rank
  FROM alike a CROSS JOIN facts c
), written AS (
  INSERT INTO token_rarity AS r (partition, collection_id, token_hash, rank)
  SELECT $1, $2, token_hash, rank FROM ranks
  ON CONFLICT (partition, collection_id, token_hash) DO UPDATE SET rank = excluded.rank WHERE r.rank <> excluded.rank
)
SELECT documents, traits_version FROM facts`

const countRanks = 'SELECT count(*) FROM token_rarity WHERE partition = $1 AND collection_id = $2'

/** Deletes ranks of tokens without metadata. */
const dropRanks = `
DELETE FROM token_rarity r WHERE r.partition = $1 AND r.collection_id = $2 AND NOT EXISTS (
  SELECT 1 FROM token_metadata m WHERE ${sameToken('m', 'r')} AND m.document_hash IS NOT NULL)`

/** The next ranking is at least a minute later, and so late that ranking takes at most a twentieth of the time. */
const endRanking = `
UPDATE collection SET rarity_version = $3, rarity_documents = $4, ${raisedVersion()},
  rarity_due_at = (SELECT statement_timestamp() + greatest($5::int8 * interval '1 ms', 20 * (statement_timestamp() - now())))
WHERE partition = $1 AND id = $2`

/**
 * Ranks the tokens of a collection. Locks the collection only at the end, to update its row. False: another worker serves it, and nothing was stored.
 * `pauseMs`: minimum time until the next ranking.
 */
export async function rankTokens(
  db: Database,
  { partition, id }: Key,
  worker: number,
  pauseMs: number,
): Promise<boolean> {
  const key = [partition, id]
  async function rank(tx: Transaction): Promise<void> {
    const [row] = await tx.fresh.rows<[bigint, bigint]>(rankAll, key)
    if (!row) throw new NotServedError('the collection was removed')
    const [metadata, version] = row
    const [ranks] = await tx.fresh.rows<[bigint]>(countRanks, key)
    if (ranks![0] > metadata) await tx.fresh.run(dropRanks, key)
    if (!(await lockServedCollection(tx, { partition, id }, worker)))
      throw new NotServedError('another worker serves the collection')
    await tx.run(endRanking, [...key, version, metadata, pauseMs])
  }
  try {
    await db.transaction(rank, settings)
    return true
  } catch (error) {
    if (error instanceof NotServedError) return false
    throw error
  }
}
