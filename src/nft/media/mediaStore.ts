import type { Database, Sql } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { heldBy } from '../../sync/leases/lease.ts'
import { raisedVersion, raiseVersion } from '../collection/version.ts'
import { mediaText } from './mediaText.ts'

/** The channel on which workers hear that previews were asked for. */
export const mediaDemandChannel = 'mintmark_media'

/** What a preview is asked for of. */
export type WantedMedia = {
  /** md5 of the address. */
  urlHash: string
  /** The address, or the header of a data: URI that `tokenHash` has in its document. */
  url: string
  /** null: `url` is all of it. */
  tokenHash: string | null
}

/** A preview that is to be made. */
export type DueMedia = WantedMedia & { partition: number; collectionId: bigint; attempts: number }

export type MediaStatus =
  | 'success'
  | 'unsupported_media'
  | 'invalid_url'
  | 'host_unavailable'
  | 'temporarily_unavailable'

/** What came of it. `retryAt` null: it is done. */
export type MediaResult = {
  status: MediaStatus
  mimetype: string | null
  category: string | null
  parentHash: string | null
  sizes: string | null
  retryAt: Date | null
}

/** The parts of a result that nothing is known of. */
export const noMedia = { mimetype: null, category: null, parentHash: null, sizes: null, retryAt: null }

/** A collection and those of its previews that are due; none: all that it had are under way, done or due later. */
export type MediaTurn = { partition: number; collectionId: bigint; due: DueMedia[] }

const turnRow = defineRow({
  partition: column.int2('t.partition'),
  collectionId: column.int8('t.collection_id'),
  /** null: none of the collection's previews is due. */
  urlHash: column.uuid('m.url_hash').orNull(),
  url: column.text('m.url'),
  tokenHash: column.uuid('m.token_hash').orNull(),
  attempts: column.int4('m.attempts'),
})

/** The collections of these partitions that waited longest for previews, each with those that are due longest. */
export async function readMediaTurns(
  sql: Sql,
  options: {
    partitions: readonly bigint[]
    /** Previews that are under way. */
    except: readonly DueMedia[]
    collections: number
    /** Previews of each. */
    limit: number
  },
): Promise<MediaTurn[]> {
  const { partitions, except, collections, limit } = options
  const rows = await sql.rows(
    `SELECT ${turnRow.columns} FROM (
       SELECT partition, collection_id, turn_at FROM media_turn
       WHERE due_at <= now() AND partition = ANY($1::smallint[]) ORDER BY turn_at, due_at LIMIT $4
     ) t LEFT JOIN LATERAL (
       SELECT url_hash, url, token_hash, attempts, due_at FROM media m
       WHERE m.partition = t.partition AND m.collection_id = t.collection_id AND m.due_at <= now()
         AND (m.collection_id, m.url_hash) NOT IN (SELECT * FROM unnest($2::bigint[], $3::uuid[]))
       ORDER BY m.due_at LIMIT $5
     ) m ON true
     ORDER BY t.turn_at, t.collection_id, m.due_at`,
    [partitions, except.map((due) => due.collectionId), except.map((due) => due.urlHash), collections, limit],
  )
  const turns: MediaTurn[] = []
  for (const { partition, collectionId, urlHash, ...media } of rows.map(turnRow.decode)) {
    if (turns.at(-1)?.collectionId !== collectionId) turns.push({ partition, collectionId, due: [] })
    if (urlHash !== null) turns.at(-1)!.due.push({ partition, collectionId, urlHash, ...media })
  }
  return turns
}

/** Some of their previews were begun: all others are next. */
export async function markMediaTurns(sql: Sql, turns: readonly MediaTurn[]): Promise<void> {
  await sql.run(
    `UPDATE media_turn t SET turn_at = now() FROM unnest($1::smallint[], $2::bigint[]) AS v (partition, id)
     WHERE t.partition = v.partition AND t.collection_id = v.id`,
    [turns.map((turn) => turn.partition), turns.map((turn) => turn.collectionId)],
  )
}

/** Nothing of these collections is due now: they are looked at again when something is. */
export async function endMediaTurns(db: Database, turns: readonly MediaTurn[]): Promise<void> {
  const values = [turns.map((turn) => turn.partition), turns.map((turn) => turn.collectionId)]
  await db.transaction(async (tx) => {
    // A request for a preview meanwhile waits for this row and then sees what this wrote; an earlier request is seen below.
    await tx.rows(
      `SELECT 1 FROM media_turn t JOIN unnest($1::smallint[], $2::bigint[]) AS v (partition, id)
         ON t.partition = v.partition AND t.collection_id = v.id ORDER BY t.partition, t.collection_id FOR UPDATE OF t`,
      values,
    )
    await tx.run(
      `UPDATE media_turn t SET due_at = (SELECT min(m.due_at) FROM media m
         WHERE m.partition = t.partition AND m.collection_id = t.collection_id AND m.due_at IS NOT NULL)
       FROM unnest($1::smallint[], $2::bigint[]) AS v (partition, id)
       WHERE t.partition = v.partition AND t.collection_id = v.id`,
      values,
    )
  })
}

/** The end of a WITH clause by which previews of collection ($1, $2) became due: it has its turn, and workers hear of it. */
const turnDue = `due AS (
  INSERT INTO media_turn AS t (partition, collection_id) VALUES ($1, $2)
  ON CONFLICT (partition, collection_id) DO UPDATE SET due_at = now() WHERE t.due_at IS NULL OR t.due_at > now()
)
SELECT pg_notify('${mediaDemandChannel}', '')`

const wanted = defineLists<WantedMedia>({
  url_hash: list.uuid(({ urlHash }) => urlHash),
  url: list.text(({ url }) => url),
  token_hash: list.uuid(({ tokenHash }) => tokenHash),
})

/** Previews of these addresses are to be made; those that were asked for before are left as they are. */
export async function askForMedia(
  sql: Sql,
  key: { partition: number; id: bigint },
  media: readonly WantedMedia[],
): Promise<void> {
  await sql.run(
    `WITH begun AS (
       INSERT INTO media (partition, collection_id, url_hash, url, token_hash, status, updated_at, ready)
       SELECT $1, $2, d.url_hash, d.url, d.token_hash, d.status, d.updated_at, ${mediaText('d')} FROM (
         SELECT url_hash, url, token_hash, 'processing' AS status, NULL AS mimetype, NULL AS category, NULL AS parent_hash, NULL AS sizes,
           now() AS updated_at
         FROM ${wanted.unnest(3)}
       ) d ON CONFLICT DO NOTHING
     ), ${turnDue}`,
    [key.partition, key.id, ...wanted.lists(media)],
  )
}

const madeRow = defineRow({
  partition: column.int2('partition'),
  collectionId: column.int8('collection_id'),
  urlHash: column.uuid('url_hash'),
  isDue: column.bool('due_at IS NOT NULL'),
})

/**
 * Has the preview of a source made again whose files are gone; its row says meanwhile what it said before. False: no preview
 * was made of a source with this hash.
 */
export async function renewMedia(sql: Sql, parentHash: string): Promise<boolean> {
  const [known] = await sql.rows(
    `SELECT ${madeRow.columns} FROM media
     WHERE parent_hash = $1 AND status = 'success' ORDER BY due_at LIMIT 1`,
    [parentHash],
  )
  if (!known) return false
  const { partition, collectionId, urlHash, isDue } = madeRow.decode(known)
  if (!isDue)
    await sql.run(
      `WITH renewed AS (
         UPDATE media SET due_at = now() WHERE partition = $1 AND collection_id = $2 AND url_hash = $3 AND due_at IS NULL
       ), ${turnDue}`,
      [partition, collectionId, urlHash],
    )
  return true
}

/** Stores what came of a preview and makes the pages that show it new. False: another worker has the partition. */
export async function settleMedia(db: Database, due: DueMedia, result: MediaResult, worker: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed = await tx.run(
      `UPDATE media m SET status = d.status, mimetype = d.mimetype, category = d.category, parent_hash = d.parent_hash,
         sizes = d.sizes, due_at = $9, attempts = CASE WHEN $9::timestamptz IS NULL THEN 0 ELSE attempts + 1 END,
         updated_at = d.updated_at, ready = ${mediaText('d')}
       FROM (
         SELECT url, $4::text AS status, $5::text AS mimetype, $6::text AS category, $7::text AS parent_hash, $8::text AS sizes,
           now() AS updated_at
         FROM media WHERE partition = $1 AND collection_id = $2 AND url_hash = $3
       ) d
       WHERE m.partition = $1 AND m.collection_id = $2 AND m.url_hash = $3 AND ${heldBy('partition', '$1', '$10')}`,
      [
        due.partition,
        due.collectionId,
        due.urlHash,
        result.status,
        result.mimetype,
        result.category,
        result.parentHash,
        result.sizes,
        result.retryAt,
        worker,
      ],
    )
    if (changed === 0) return false
    if (result.retryAt) await turnBy(tx, due, result.retryAt)
    await raiseVersion(tx, { partition: due.partition, id: due.collectionId })
    return true
  })
}

/**
 * The host of a preview is left alone for now. It is due again at `retryAt`, with as many attempts as before, and its row says
 * what it said, but where it was never tried: then it is `temporarily_unavailable`. False: another worker has the partition.
 */
export async function postponeMedia(db: Database, due: DueMedia, retryAt: Date, worker: number): Promise<boolean> {
  const key = [due.partition, due.collectionId, due.urlHash]
  return db.transaction(async (tx) => {
    const postponed = await tx.run(
      `UPDATE media SET due_at = $4
       WHERE partition = $1 AND collection_id = $2 AND url_hash = $3 AND ${heldBy('partition', '$1', '$5')}`,
      [...key, retryAt, worker],
    )
    if (postponed === 0) return false
    const told = await tx.run(
      `UPDATE media m SET status = d.status, updated_at = d.updated_at, ready = ${mediaText('d')}
       FROM (
         SELECT url, 'temporarily_unavailable' AS status, NULL AS mimetype, NULL AS category, NULL AS parent_hash, NULL AS sizes,
           now() AS updated_at
         FROM media WHERE partition = $1 AND collection_id = $2 AND url_hash = $3 AND status = 'processing'
       ) d
       WHERE m.partition = $1 AND m.collection_id = $2 AND m.url_hash = $3`,
      key,
    )
    await turnBy(tx, due, retryAt)
    if (told > 0) await raiseVersion(tx, { partition: due.partition, id: due.collectionId })
    return true
  })
}

/** The collection has its turn when this preview is due, if not before. */
async function turnBy(sql: Sql, { partition, collectionId }: DueMedia, at: Date): Promise<void> {
  await sql.run('UPDATE media_turn SET due_at = least(due_at, $3) WHERE partition = $1 AND collection_id = $2', [
    partition,
    collectionId,
    at,
  ])
}

/** Forgets a preview that nothing can be made of any more: the next page that shows its address asks for it anew. */
export async function forgetMedia(sql: Sql, due: DueMedia, worker: number): Promise<void> {
  await sql.run(
    `WITH gone AS (
       DELETE FROM media WHERE partition = $1 AND collection_id = $2 AND url_hash = $3 AND ${heldBy('partition', '$1', '$4')}
       RETURNING partition, collection_id
     )
     UPDATE collection c SET ${raisedVersion('c')} FROM gone g WHERE c.partition = g.partition AND c.id = g.collection_id`,
    [due.partition, due.collectionId, due.urlHash, worker],
  )
}
