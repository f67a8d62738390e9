import type { Sql, Transaction } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import type { IdSet } from './changedIds.ts'
import { announcedPause, dueAfter, dueNow, duePriority } from './due.ts'
import { forgetTokens } from './forgetTokens.ts'
import { announced, dueColumns, replaceDue } from './makeNamedDue.ts'

type Key = { partition: number; id: bigint }

/** Tokens that one part of a sweep goes through. */
const partSize = 5_000

/** Pause between the end of one sweep of a collection and the beginning of the next; a collection that joins the head waits for none. */
const sweepPause = `interval '10 minutes'`

/** Most ranges of ids that are kept of one collection; where they are more, all ids from the first to the last are swept. */
const mostStretches = 1_000

const addStale = `
UPDATE collection SET metadata_unswept = true,
  metadata_stale = CASE WHEN (SELECT count(*) FROM unnest(metadata_stale + $3::nummultirange)) > ${mostStretches}
    THEN nummultirange(range_merge(metadata_stale + $3::nummultirange)) ELSE metadata_stale + $3::nummultirange END
WHERE partition = $1 AND id = $2`

/** Has the next sweep make due the tokens with these ids, which events name. */
export async function markStale(sql: Sql, { partition, id }: Key, ids: IdSet): Promise<void> {
  await sql.run(addStale, [partition, id, ids])
}

/** Has the next sweep make all tokens due, because a client requests it: pauses after announcements end with that. */
export async function askForAll(sql: Sql, { partition, id }: Key): Promise<void> {
  await sql.run(
    `UPDATE collection SET metadata_unswept = true, metadata_stale = '{(,)}', metadata_asked_at = now()
     WHERE partition = $1 AND id = $2`,
    [partition, id],
  )
}

/** The live collection of these partitions whose sweep is in progress or may begin, the one that waited longest. */
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

/** A sweep that is requested or in progress: when it begins at the earliest; null: it is in progress. */
export type Sweep = { beginsAt: Date | null }

/** The sweep of a collection; null if none is requested. */
export async function readSweep(sql: Sql, { partition, id }: Key): Promise<Sweep | null> {
  const [row] = await sql.rows<[Date | null]>(
    `SELECT CASE WHEN metadata_swept_to IS NULL THEN metadata_swept_at + ${sweepPause} END FROM collection
     WHERE partition = $1 AND id = $2 AND metadata_unswept AND status = 'live'`,
    [partition, id],
  )
  return row ? { beginsAt: row[0] } : null
}

const sweepRow = defineRow({
  from: column.uuid('metadata_swept_to'),
  stale: column.text('metadata_sweeping'),
  askedAt: column.timestamptz('metadata_asked_at').orNull(),
})

/**
 * Begins a sweep, or continues with it. Locks the collection, as every transaction does that changes its rows of metadata. Ids that events
 * or clients name once a sweep has begun are for the next sweep.
 */
const goOn = `
UPDATE collection SET metadata_swept_to = coalesce(metadata_swept_to, 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
  metadata_sweeping = CASE WHEN metadata_swept_to IS NULL THEN metadata_stale ELSE metadata_sweeping END,
  metadata_stale = CASE WHEN metadata_swept_to IS NULL THEN '{}' ELSE metadata_stale END
WHERE partition = $1 AND id = $2 AND metadata_unswept AND status = 'live'
RETURNING ${sweepRow.columns}`

/** When the token was tried; null if a client requested it after that, at $5, which ends the pause after an announcement. */
const triedSinceAsked = `CASE WHEN m.tried_at > coalesce($5::timestamptz, '-infinity') THEN m.tried_at END`

const partRow = defineRow({
  last: column.uuid('(SELECT token_hash FROM part ORDER BY token_hash LIMIT 1)').orNull(),
  count: column.int8('(SELECT count(*) FROM part)'),
  /** Tokens that are listed no more. */
  unlisted: column.textArray('(SELECT array_agg(token_hash)::text[] FROM part WHERE amount <= 0)').orNull(),
})

const sweptDue = announced('p.again_at', duePriority.swept)

/**
 * Goes through the tokens below hash $3, in the order of pages. Those that were never tried become due, or keep the time at which they are due already. Those with
 * ids in $4 become due too: at once if they were not tried since a client requested it at $5, else when the pause after an
 * announcement is over.
 */
const makePartDue = `
WITH part AS (
  SELECT t.token_hash, t.token_id, t.amount, t.token_id <@ $4::nummultirange AS stale, m.tried_at IS NOT NULL AS known,
    ${dueAfter(triedSinceAsked, announcedPause('$6', 'm.unchanged'))} AS again_at
  FROM token t LEFT JOIN LATERAL (
    -- Looked up one by one: a join is planned through the whole collection while its table has no statistics.
    SELECT tried_at, unchanged FROM token_metadata
    WHERE partition = $1 AND collection_id = $2 AND token_hash = t.token_hash LIMIT 1
  ) m ON true
  WHERE t.partition = $1 AND t.collection_id = $2 AND t.token_hash < $3 ORDER BY t.token_hash DESC LIMIT ${partSize}
), unknown AS (
  INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at)
  SELECT $1, $2, token_hash, token_id, ${dueNow} FROM part WHERE amount > 0 AND NOT stale AND NOT known
  ON CONFLICT DO NOTHING
), again AS (
  INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, ${dueColumns})
  SELECT $1, $2, p.token_hash, p.token_id, ${sweptDue.columns}
  FROM part p LEFT JOIN LATERAL (
    SELECT due_at, parked_at, priority FROM metadata_due
    WHERE partition = $1 AND collection_id = $2 AND token_hash = p.token_hash LIMIT 1
  ) d ON true
  WHERE p.amount > 0 AND p.stale AND ${sweptDue.isNews}
  ${replaceDue}
)
SELECT ${partRow.columns}`

/** $3: the hash up to which the sweep has come; null: the sweep is over. */
const endPart = `
UPDATE collection SET metadata_due_at = least(metadata_due_at, (SELECT ${dueNow})), metadata_swept_to = $3,
  metadata_sweeping = CASE WHEN $3::uuid IS NULL THEN '{}' ELSE metadata_sweeping END,
  metadata_unswept = $3::uuid IS NOT NULL OR metadata_stale <> '{}',
  metadata_swept_at = CASE WHEN $3::uuid IS NULL THEN (SELECT now()) ELSE metadata_swept_at END
WHERE partition = $1 AND id = $2`

/**
 * Goes through the next part of a collection's tokens and makes due those that were never read and those that are to be read again. The
 * same transaction stores how far the sweep has come, so that any process continues where another one ended. `coolOffMs`: the
 * shortest pause after an announcement.
 */
export async function sweepPart(tx: Transaction, { partition, id }: Key, coolOffMs: number): Promise<void> {
  const [under] = await tx.rows(goOn, [partition, id])
  if (!under) return
  const { from, stale, askedAt } = sweepRow.decode(under)
  const [row] = await tx.rows(makePartDue, [partition, id, from, stale, askedAt, coolOffMs])
  const { last, count, unlisted } = partRow.decode(row!)
  // Tokens that are no longer listed: a collection that had been live read its history again, and with it these burns.
  await forgetTokens(
    tx,
    (unlisted ?? []).map((hash) => ({ partition, id, hash })),
  )
  await tx.run(endPart, [partition, id, count === BigInt(partSize) ? last : null])
}
