import type { Database, Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import type { DueMedia } from './mediaStore.ts'

/** A collection and its due previews; where it has none, all are under way, done or due later. */
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

/** Moves collections behind all others, as some of their previews were begun. */
export async function markMediaTurns(sql: Sql, turns: readonly MediaTurn[]): Promise<void> {
  await sql.run(
    `UPDATE media_turn t SET turn_at = now() FROM unnest($1::smallint[], $2::bigint[]) AS v (partition, id)
     WHERE t.partition = v.partition AND t.collection_id = v.id`,
    [turns.map((turn) => turn.partition), turns.map((turn) => turn.collectionId)],
  )
}

/** Ends the turns of collections without a due preview: the next turn of each comes when its next preview is due. */
export async function endMediaTurns(db: Database, turns: readonly MediaTurn[]): Promise<void> {
  const values = [turns.map((turn) => turn.partition), turns.map((turn) => turn.collectionId)]
  await db.transaction(async (tx) => {
    // A request for a preview meanwhile waits for this row, and then sees the new `due_at`; the next statement sees an earlier request.
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
