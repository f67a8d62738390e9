import type { Database, Sql, Transaction } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import type { DueMedia } from './mediaStore.ts'

/** A collection with its due previews; if empty, all are running, done or due later. */
export type MediaSlice = { partition: number; collectionId: bigint; media: DueMedia[] }

const dueRow = defineRow({
  urlHash: column.uuid('url_hash'),
  url: column.text('url'),
  tokenHash: column.uuid('token_hash').orNull(),
  attempts: column.int4('attempts'),
  isFile: column.bool('is_file'),
})

/** The collections of these partitions that waited longest for previews, each with its longest due ones. */
export async function readMediaSlices(
  sql: Sql,
  options: {
    partitions: readonly bigint[]
    /** Previews that are in progress. */
    except: readonly DueMedia[]
    collections: number
    /** Previews per collection. */
    limit: number
  },
): Promise<MediaSlice[]> {
  const { partitions, except, collections, limit } = options
  const waiting = await sql.rows<[number, bigint]>(
    `SELECT partition, collection_id FROM media_turn
     WHERE due_at <= now() AND partition = ANY($1::smallint[]) ORDER BY turn_at, due_at, collection_id LIMIT $2`,
    [partitions, collections],
  )
  const slices: MediaSlice[] = []
  for (const [partition, collectionId] of waiting) {
    const underWay = except.filter((media) => media.collectionId === collectionId).map((media) => media.urlHash)
    const rows = await sql.rows(selectDue, [partition, collectionId, underWay, limit])
    slices.push({
      partition,
      collectionId,
      media: rows.map((row) => ({ partition, collectionId, ...dueRow.decode(row) })),
    })
  }
  return slices
}

const selectDue = `
SELECT ${dueRow.columns} FROM media
WHERE partition = $1 AND collection_id = $2 AND due_at <= now() AND url_hash <> ALL($3::uuid[]) ORDER BY due_at LIMIT $4`

/** Moves collections to the end, as some of their previews were started. */
export async function markMediaSlices(db: Database, slices: readonly MediaSlice[]): Promise<void> {
  await db.transaction(async (tx) => {
    await lockSlices(tx, slices)
    await tx.run(
      `UPDATE media_turn t SET turn_at = now() FROM unnest($1::smallint[], $2::bigint[]) AS v (partition, id)
       WHERE t.partition = v.partition AND t.collection_id = v.id`,
      keysOf(slices),
    )
  })
}

/** Ends the slices of collections without a due preview: the next slice begins when the next preview is due. */
export async function endMediaSlices(db: Database, slices: readonly MediaSlice[]): Promise<void> {
  await db.transaction(async (tx) => {
    // A concurrent request for a preview waits for this row, then sees the new `due_at`; the next statement sees earlier requests.
    await lockSlices(tx, slices)
    await tx.run(
      `UPDATE media_turn t SET due_at = (SELECT min(m.due_at) FROM media m
         WHERE m.partition = t.partition AND m.collection_id = t.collection_id AND m.due_at IS NOT NULL)
       FROM unnest($1::smallint[], $2::bigint[]) AS v (partition, id)
       WHERE t.partition = v.partition AND t.collection_id = v.id`,
      keysOf(slices),
    )
  })
}

const keysOf = (slices: readonly MediaSlice[]) => [
  slices.map((slice) => slice.partition),
  slices.map((slice) => slice.collectionId),
]

/** Locks rows in key order, so that workers cannot deadlock; one at a time, as Citus cannot lock rows of several shards. */
async function lockSlices(tx: Transaction, slices: readonly MediaSlice[]): Promise<void> {
  for (const { partition, collectionId } of slices.toSorted(
    (a, b) => a.partition - b.partition || Number(a.collectionId - b.collectionId),
  ))
    await tx.rows('SELECT 1 FROM media_turn WHERE partition = $1 AND collection_id = $2 FOR UPDATE', [
      partition,
      collectionId,
    ])
}
