import type { Sql, Transaction } from '../../../db/database.ts'
import type { IdSet } from './changedIds.ts'
import { announcedPause, dueAfter, dueNow, duePriority } from './due.ts'
import { forgetTokens } from './forgetTokens.ts'
import { onAnnounced } from './makeNamedDue.ts'

type Key = { partition: number; id: bigint }

/** Tokens gone through at once by a sweep. */
const partSize = 5_000

/** Sweeps of one collection that were only asked for as a refresh are this far apart. */
const sweepPause = `interval '10 minutes'`

/** Stretches of ids that are kept of one collection; of more than these all from the first to the last id are. */
const mostStretches = 1_000

const addStale = `
UPDATE collection SET metadata_unswept = true,
  metadata_stale = CASE WHEN (SELECT count(*) FROM unnest(metadata_stale + $3::nummultirange)) > ${mostStretches}
    THEN nummultirange(range_merge(metadata_stale + $3::nummultirange)) ELSE metadata_stale + $3::nummultirange END
WHERE partition = $1 AND id = $2`

/** Has the tokens with these ids, which events name, read again: the next sweep that begins makes them due. */
export async function markStale(sql: Sql, { partition, id }: Key, ids: IdSet): Promise<void> {
  await sql.run(addStale, [partition, id, ids])
}

/** The same for all tokens, where a client asks: the pauses of those that events name are none of its. */
export async function askForAll(sql: Sql, { partition, id }: Key): Promise<void> {
  await sql.run(
    `UPDATE collection SET metadata_unswept = true, metadata_stale = '{(,)}', metadata_asked_at = now()
     WHERE partition = $1 AND id = $2`,
    [partition, id],
  )
}

/** The followed collection among these partitions whose sweep is next, or under way. */
export async function nextUnswept(sql: Sql, partitions: readonly bigint[]): Promise<Key | undefined> {
  const [row] = await sql.rows<[number, bigint]>(
    `SELECT partition, id FROM collection
     WHERE metadata_unswept AND status = 'live' AND partition = ANY($1::smallint[])
       AND coalesce(metadata_swept_at, '-infinity') < now() - ${sweepPause}
     ORDER BY coalesce(metadata_swept_at, '-infinity') LIMIT 1`,
    [partitions],
  )
  return row && { partition: row[0], id: row[1] }
}

/** A sweep that is asked for or under way: when it begins at the earliest; null: it is under way. */
export type Sweep = { beginsAt: Date | null }

/** The sweep of a collection; null where none is asked for. */
export async function readSweep(sql: Sql, { partition, id }: Key): Promise<Sweep | null> {
  const [row] = await sql.rows<[Date | null]>(
    `SELECT CASE WHEN metadata_swept_to IS NULL THEN metadata_swept_at + ${sweepPause} END FROM collection
     WHERE partition = $1 AND id = $2 AND metadata_unswept AND status = 'live'`,
    [partition, id],
  )
  return row ? { beginsAt: row[0] } : null
}

/** Locks the collection, as every transaction does that changes metadata rows of it. What is asked for from now on is the next sweep's. */
const goOn = `
UPDATE collection SET metadata_swept_to = coalesce(metadata_swept_to, '00000000-0000-0000-0000-000000000000'),
  metadata_sweeping = CASE WHEN metadata_swept_to IS NULL THEN metadata_stale ELSE metadata_sweeping END,
  metadata_stale = CASE WHEN metadata_swept_to IS NULL THEN '{}' ELSE metadata_stale END
WHERE partition = $1 AND id = $2 AND metadata_unswept AND status = 'live'
RETURNING metadata_swept_to::text, metadata_sweeping::text, metadata_asked_at`

/** null where a client asked at $5 since: that ends the pause after an announcement. */
const triedSinceAsked = `CASE WHEN m.tried_at > coalesce($5::timestamptz, '-infinity') THEN m.tried_at END`

/**
 * Of the tokens after hash $3 those that are unknown wait where they wait already. Those with ids in $4 are due: at once those
 * that were not tried since a client asked at $5, the others when the pause after an announcement is over.
 */
const makePartDue = `
WITH part AS (
  SELECT t.token_hash, t.token_id, t.amount, t.token_id <@ $4::nummultirange AS stale, m.tried_at IS NOT NULL AS known,
    ${dueAfter(triedSinceAsked, announcedPause('$6', 'm.unchanged'))} AS due_at
  FROM token t LEFT JOIN LATERAL (
    -- Looked up one by one: a join is planned through the whole collection while its table has no statistics.
    SELECT tried_at, unchanged FROM token_metadata
    WHERE partition = t.partition AND collection_id = t.collection_id AND token_hash = t.token_hash LIMIT 1
  ) m ON true
  WHERE t.partition = $1 AND t.collection_id = $2 AND t.token_hash > $3 ORDER BY t.token_hash LIMIT ${partSize}
), unknown AS (
  INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at)
  SELECT $1, $2, token_hash, token_id, ${dueNow} FROM part WHERE amount > 0 AND NOT stale AND NOT known
  ON CONFLICT DO NOTHING
), again AS (
  INSERT INTO metadata_due AS d (partition, collection_id, token_hash, token_id, due_at, priority)
  SELECT $1, $2, token_hash, token_id, due_at, ${duePriority.swept} FROM part WHERE amount > 0 AND stale
  ${onAnnounced}
)
SELECT (SELECT token_hash::text FROM part ORDER BY token_hash DESC LIMIT 1), (SELECT count(*) FROM part),
  (SELECT array_agg(token_hash)::text[] FROM part WHERE amount <= 0)`

/** $3: the hash that it came to; null: it is over. */
const endPart = `
UPDATE collection SET metadata_due_at = least(metadata_due_at, ${dueNow}), metadata_swept_to = $3,
  metadata_sweeping = CASE WHEN $3::uuid IS NULL THEN '{}' ELSE metadata_sweeping END,
  metadata_unswept = $3::uuid IS NOT NULL OR metadata_stale <> '{}',
  metadata_swept_at = CASE WHEN $3::uuid IS NULL THEN now() ELSE metadata_swept_at END
WHERE partition = $1 AND id = $2`

/**
 * Goes through the next part of a collection and makes due what was never read and what is to be read again. How far it came
 * is stored with it, so that any process goes on where another one ended. `coolOffMs`: the shortest pause after an announcement.
 */
export async function sweepPart(tx: Transaction, { partition, id }: Key, coolOffMs: number): Promise<void> {
  const [under] = await tx.rows<[from: string, stale: string, askedAt: Date | null]>(goOn, [partition, id])
  if (!under) return
  const [row] = await tx.rows<[string | null, bigint, string[] | null]>(makePartDue, [
    partition,
    id,
    ...under,
    coolOffMs,
  ])
  const [last, count, unlisted] = row ?? [null, 0n, null]
  // Burned in history that was read again after the collection was followed once.
  const hashes = unlisted ?? []
  await forgetTokens(tx, { partitions: hashes.map(() => partition), collections: hashes.map(() => id), hashes })
  await tx.run(endPart, [partition, id, count === BigInt(partSize) ? last : null])
}
