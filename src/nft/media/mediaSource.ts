import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import type { MediaResult, MediaStatus } from './mediaStore.ts'

/** An outcome without the name of its previews, which the bytes decide. */
type SourceOutcome = Omit<MediaResult, 'parentHash'>

/** Stored rows in each of the 256 partitions. */
const keptRows = 256

const sourceRow = defineRow({
  status: column.text<MediaStatus>('status'),
  mimetype: column.text('mimetype').orNull(),
  category: column.text('category').orNull(),
  sizes: column.text('sizes').orNull(),
  details: column.text('details').orNull(),
  retryAt: column.timestamptz('retry_at').orNull(),
})

/** The stored outcome of an image's bytes, by their SHA-256 with the limits of previews; undefined: none. */
export async function recallSource(sql: Sql, hash: Buffer): Promise<SourceOutcome | undefined> {
  const [row] = await sql.rows(
    `SELECT ${sourceRow.columns} FROM media_source WHERE partition = $1 AND source_hash = $2`,
    [hash[0], hash],
  )
  return row && sourceRow.decode(row)
}

/**
 * Stores the outcome of an image's bytes, and deletes the oldest ones, except those that another worker has locked: two workers could each store one
 * that the other deletes.
 */
export async function rememberSource(sql: Sql, hash: Buffer, known: SourceOutcome): Promise<void> {
  await sql.run(
    `WITH forgotten AS (
       DELETE FROM media_source WHERE partition = $1 AND source_hash IN (
         SELECT source_hash FROM media_source WHERE partition = $1 AND source_hash IN (
           SELECT source_hash FROM media_source WHERE partition = $1 AND source_hash <> $2
           ORDER BY seen_at DESC OFFSET ${keptRows - 1})
         FOR UPDATE SKIP LOCKED)
     )
     INSERT INTO media_source (partition, source_hash, status, mimetype, category, sizes, details, retry_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (partition, source_hash) DO UPDATE SET status = excluded.status, mimetype = excluded.mimetype,
       category = excluded.category, sizes = excluded.sizes, details = excluded.details, retry_at = excluded.retry_at, seen_at = excluded.seen_at`,
    [hash[0], hash, known.status, known.mimetype, known.category, known.sizes, known.details, known.retryAt],
  )
}
