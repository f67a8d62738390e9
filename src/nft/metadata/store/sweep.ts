import type { Sql, Transaction } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { lowestHash } from '../../transfers/tokenHash.ts'
import type { IdSet } from './changedIds.ts'
import { forgetTokens } from './forgetTokens.ts'
import { announced, queueColumns, replaceQueued } from './queueNamed.ts'
import { announcedPause, dueAfter, dueNow, tokenPriority } from './schedule.ts'

type Key = { partition: number; id: bigint }

/** Tokens per part of a sweep. */
const partSize = 5_000

/** Pause between two sweeps of a collection; a collection that joins the head does not wait. */
const sweepPause = `interval '10 minutes'`

/** Most stored ranges of ids per collection; with more, all ids from the first to the last are swept. */
const mostStretches = 1_000

const addStale = `
UPDATE collection SET metadata_unswept = true,
  metadata_stale = CASE WHEN (SELECT count(*) FROM unnest(metadata_stale + $3::nummultirange)) > ${mostStretches}
    THEN nummultirange(range_merge(metadata_stale + $3::nummultirange)) ELSE metadata_stale + $3::nummultirange END
WHERE partition = $1 AND id = $2`

/** SQL of a SET clause: a sweep starts at once, from the first token, with these ids. */
export const sweepAnew = (stale: string) =>
  `metadata_unswept = true, metadata_swept_at = NULL, metadata_swept_to = NULL, metadata_stale = ${stale}, metadata_sweeping = '{}'`

/** The next sweep makes tokens with these announced ids due. */
export async function markStale(sql: Sql, { partition, id }: Key, ids: IdSet): Promise<void> {
  await sql.run(addStale, [partition, id, ids])
}

/** The next sweep makes all tokens due, by a client's request, which ends pauses after announcements. */
export async function requestAllMetadata(sql: Sql, { partition, id }: Key): Promise<void> {
  await sql.run(
    `UPDATE collection SET metadata_unswept = true, metadata_stale = '{(,)}', metadata_asked_at = now()
     WHERE partition = $1 AND id = $2`,
    [partition, id],
  )
}

/** The live collection of these partitions that waited longest for its sweep to start or continue. */
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

/** A requested or running sweep, with its earliest start; null: it is running. */
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
  requestedAt: column.timestamptz('metadata_asked_at').orNull(),
})

/**
 * Starts or continues a sweep. Locks the collection, like every transaction that changes its metadata rows. Ids that events or clients add after the
 * start are for the next sweep.
 */
const goOn = `
UPDATE collection SET metadata_swept_to = coalesce(metadata_swept_to, 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
  metadata_sweeping = CASE WHEN metadata_swept_to IS NULL THEN metadata_stale ELSE metadata_sweeping END,
  metadata_stale = CASE WHEN metadata_swept_to IS NULL THEN '{}' ELSE metadata_stale END
WHERE partition = $1 AND id = $2 AND metadata_unswept AND status = 'live'
RETURNING ${sweepRow.columns}`

/** Last attempt; null if a client requested the token after that, at $5, which ends the pause after an announcement. */
const triedSinceRequested = `CASE WHEN m.tried_at > coalesce($5::timestamptz, '-infinity') THEN m.tried_at END`

const partRow = defineRow({
  last: column.uuid('(SELECT token_hash FROM part ORDER BY token_hash LIMIT 1)').orNull(),
  count: column.int8('(SELECT count(*) FROM part)'),
  /** Tokens that are not listed any more. */
  unlisted: column.textArray('(SELECT array_agg(token_hash)::text[] FROM part WHERE amount <= 0)').orNull(),
})

const sweptColumns = announced('p.again_at', tokenPriority.swept)

/**
 * Scans tokens below hash $3, in page order. Untried tokens become due, or keep their due time. Those with ids in $4 also become due: immediately if
 * they were not tried since a client's request at $5, else after the pause of an announcement. If all ids are in $4 without a request, as when the
 * collection was not followed, untried tokens have nothing to repeat.
 */
const queuePart = `
WITH part AS (
  SELECT t.token_hash, t.token_id, t.amount, t.token_id <@ $4::nummultirange AND (m.tried_at IS NOT NULL OR $5::timestamptz IS NOT NULL OR NOT upper_inf($4::nummultirange)) AS stale,
    m.tried_at IS NOT NULL AS known,
    ${dueAfter(triedSinceRequested, announcedPause('$6', 'm.unchanged'))} AS again_at
  FROM token t LEFT JOIN LATERAL (
    -- Looked up individually: without statistics, a join would be planned through the whole collection.
    SELECT tried_at, unchanged FROM token_metadata
    WHERE partition = $1 AND collection_id = $2 AND token_hash = t.token_hash LIMIT 1
  ) m ON true
  WHERE t.partition = $1 AND t.collection_id = $2 AND t.token_hash < $3 ORDER BY t.token_hash DESC LIMIT ${partSize}
), unknown AS (
  INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at)
  SELECT $1, $2, token_hash, token_id, ${dueNow} FROM part WHERE amount > 0 AND NOT stale AND NOT known
  ON CONFLICT DO NOTHING
), again AS (
  INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, ${queueColumns})
  SELECT $1, $2, p.token_hash, p.token_id, ${sweptColumns.columns}
  FROM part p LEFT JOIN LATERAL (
    SELECT due_at, parked_at, priority, announced_at FROM metadata_due
    WHERE partition = $1 AND collection_id = $2 AND token_hash = p.token_hash LIMIT 1
  ) d ON true
  WHERE p.amount > 0 AND p.stale AND ${sweptColumns.isNews}
  ${replaceQueued}
)
SELECT ${partRow.columns}`

/**
 * Tokens with hashes from $4 to below $3 that have metadata, or are due, but are not in the table of tokens: a reorganisation removed them while
 * their contract was only known.
 */
const selectAbsent = `
SELECT m.token_hash::text FROM (
  SELECT token_hash FROM token_metadata WHERE partition = $1 AND collection_id = $2 AND token_hash < $3 AND token_hash >= $4
  UNION SELECT token_hash FROM metadata_due WHERE partition = $1 AND collection_id = $2 AND token_hash < $3 AND token_hash >= $4
) m LEFT JOIN LATERAL (
  -- As above.
  SELECT true AS known FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.token_hash = m.token_hash LIMIT 1
) t ON true
WHERE t.known IS NULL`

/** $3: the last scanned hash; null: the sweep is over. */
const endPart = `
UPDATE collection SET metadata_due_at = least(metadata_due_at, (SELECT ${dueNow})), metadata_swept_to = $3,
  metadata_sweeping = CASE WHEN $3::uuid IS NULL THEN '{}' ELSE metadata_sweeping END,
  metadata_unswept = $3::uuid IS NOT NULL OR metadata_stale <> '{}',
  metadata_swept_at = CASE WHEN $3::uuid IS NULL THEN (SELECT now()) ELSE metadata_swept_at END
WHERE partition = $1 AND id = $2`

/**
 * Scans the next part of a collection's tokens, and makes unread and announced ones due. The same transaction stores the progress, so that any
 * process can continue. `coolOffMs`: shortest pause after an announcement.
 */
export async function sweepPart(tx: Transaction, { partition, id }: Key, coolOffMs: number): Promise<void> {
  const [under] = await tx.rows(goOn, [partition, id])
  if (!under) return
  const { from, stale, requestedAt } = sweepRow.decode(under)
  const [row] = await tx.rows(queuePart, [partition, id, from, stale, requestedAt, coolOffMs])
  const { last, count, unlisted } = partRow.decode(row!)
  const end = count === BigInt(partSize) ? last : null
  const absent = await tx.rows<[string]>(selectAbsent, [partition, id, from, end ?? lowestHash])
  // Tokens that are not listed any more: a formerly live collection read its history again, with these burns.
  const deleted = [...(unlisted ?? []), ...absent.map(([hash]) => hash)]
  await forgetTokens(
    tx,
    deleted.map((hash) => ({ partition, id, hash })),
  )
  await tx.run(endPart, [partition, id, end])
}
