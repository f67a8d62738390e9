import type { Database, Sql } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { heldBy } from '../../sync/leases/lease.ts'
import { raisedVersion, raiseVersion } from '../collection/version.ts'

/** Placeholder for the server's own URL in stored texts. */
export const publicUrlSlot = '\x1d'

/**
 * SQL of a record's field `media` as JSON, from a row of the table `media`. For a missing row (all null), it is the text of a newly requested preview
 * of `url`. Clients of the Moralis API know three categories.
 */
export const mediaText = (row: string, url = `${row}.url`) => `'{"status":"' || coalesce(${row}.status, 'processing')
  || '","original_media_url":' || to_json(coalesce(${row}.url, ${url}))::text
  || coalesce(',"mimetype":' || to_json(${row}.mimetype)::text, '')
  || CASE WHEN ${row}.category IN ('image', 'video', 'audio') THEN ',"category":"' || ${row}.category || '"' ELSE '' END
  || coalesce(',"parent_hash":"' || ${row}.parent_hash || '"', '')
  || ',"updatedAt":"' || to_char(coalesce(${row}.updated_at, (SELECT now())) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'
  || coalesce(',"media_collection":' || replace(${row}.sizes, '"url":"/', '"url":"' || chr(${publicUrlSlot.charCodeAt(0)}) || '/'), '') || '}'`

/** SQL of a kept file's `url_hash`, from that of its preview. */
export const fileHash = (hash: string) => `md5('file ' || (${hash})::text)::uuid`

/** Channel that notifies workers of requested previews. */
export const mediaDemandChannel = 'mintmark_media'

/** A URL with a requested preview. */
export type WantedMedia = {
  /** md5 of the whole URL. */
  urlHash: string
  /** The URL, or only the header of a long data: URI. */
  url: string
  /** The token whose metadata has the long data: URI; null: `url` is complete. */
  tokenHash: string | null
  /** Requests the video, audio file or animation itself instead of its preview. */
  isFile: boolean
}

/** A due preview. */
export type DueMedia = WantedMedia & { partition: number; collectionId: bigint; attempts: number }

export type MediaStatus =
  | 'success'
  | 'unsupported_media'
  | 'invalid_url'
  | 'host_unavailable'
  | 'temporarily_unavailable'

/** The outcome of a preview. `retryAt` null: no retry. */
export type MediaResult = {
  status: MediaStatus
  mimetype: string | null
  category: string | null
  parentHash: string | null
  sizes: string | null
  /** Optional fields of a record, as JSON without braces. */
  details: string | null
  retryAt: Date | null
}

/** Fields of a result without a preview. */
export const noMedia = { mimetype: null, category: null, parentHash: null, sizes: null, details: null, retryAt: null }

/** End of a statement that makes previews of collection ($1, $2) due: schedules the collection and notifies workers. */
const sliceDue = `due AS (
  INSERT INTO media_turn AS t (partition, collection_id, due_at) SELECT $1, $2, now()
  ON CONFLICT (partition, collection_id) DO UPDATE SET due_at = excluded.due_at WHERE t.due_at IS NULL OR t.due_at > excluded.due_at
)
SELECT pg_notify('${mediaDemandChannel}', '')`

const wanted = defineLists<WantedMedia>({
  url_hash: list.uuid(({ urlHash }) => urlHash),
  url: list.text(({ url }) => url),
  token_hash: list.uuid(({ tokenHash }) => tokenHash),
  is_file: list.bool(({ isFile }) => isFile),
})

/** Requests previews of these URLs; earlier requests do not change. */
export async function requestMedia(
  sql: Sql,
  key: { partition: number; id: bigint },
  media: readonly WantedMedia[],
): Promise<void> {
  await sql.run(
    `WITH begun AS (
       INSERT INTO media (partition, collection_id, url_hash, url, token_hash, is_file, status, updated_at, ready)
       SELECT $1, $2, d.url_hash, d.url, d.token_hash, d.is_file, d.status, d.updated_at, ${mediaText('d')} FROM (
         SELECT url_hash, url, token_hash, is_file, 'processing' AS status, NULL AS mimetype, NULL AS category, NULL AS parent_hash, NULL AS sizes,
           now() AS updated_at
         FROM ${wanted.unnest(3)}
       ) d ON CONFLICT DO NOTHING
     ), ${sliceDue}`,
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
 * Requests the previews or the file of a missing key again; the row stays unchanged meanwhile. False: no row has this key. So nobody can cause
 * repeated fetches by invented keys.
 */
export async function renewMedia(sql: Sql, key: string): Promise<boolean> {
  const [known] = await sql.rows(
    `SELECT ${madeRow.columns} FROM media
     WHERE parent_hash = split_part($1, '/', 1) AND strpos(concat(sizes, details), '/media/' || $1 || '"') > 0 AND status = 'success'
     ORDER BY due_at LIMIT 1`,
    [key],
  )
  if (!known) return false
  const { partition, collectionId, urlHash, isDue } = madeRow.decode(known)
  if (!isDue)
    await sql.run(
      `WITH renewed AS (
         UPDATE media SET due_at = now() WHERE partition = $1 AND collection_id = $2 AND url_hash = $3 AND due_at IS NULL
       ), ${sliceDue}`,
      [partition, collectionId, urlHash],
    )
  return true
}

/** How long the previews of a token are not requested again by `renewOfTokens`. */
const renewPause = `interval '60 seconds'`

/**
 * Requests the previews, details and files of tokens of a collection again, as their addresses may have other content now, and ends the wait for a
 * retry. The rows stay unchanged meanwhile.
 */
export async function renewOfTokens(
  sql: Sql,
  { partition, id }: { partition: number; id: bigint },
  tokens: readonly { hash: string }[],
): Promise<void> {
  const renewed = await sql.run(
    `UPDATE media m SET due_at = now(), updated_at = now() FROM token_metadata t
     WHERE t.partition = $1 AND t.collection_id = $2 AND t.token_hash = ANY($3::uuid[])
       AND m.partition = $1 AND m.collection_id = $2 AND m.url_hash IN (${['t.media_hash', 'md5(t.animation_url)::uuid'].flatMap((hash) => [hash, fileHash(hash)]).join(', ')})
       AND (m.due_at IS NULL OR m.due_at > now()) AND m.url NOT LIKE 'data:%' AND m.updated_at < now() - ${renewPause}`,
    [partition, id, tokens.map(({ hash }) => hash)],
  )
  if (renewed > 0) await sql.rows(`WITH ${sliceDue}`, [partition, id])
}

/**
 * Stores the outcome of a preview and increments the collection's version. An earlier preview stays if the attempt is repeated or the address is
 * blocked. False: another worker holds the partition.
 */
export async function settleMedia(db: Database, item: DueMedia, result: MediaResult, worker: number): Promise<boolean> {
  const isFailure = result.status !== 'success' && (result.retryAt !== null || result.status === 'invalid_url')
  return db.transaction(async (tx) => {
    if (result.retryAt) await sliceBy(tx, item, result.retryAt)
    const key = [item.partition, item.collectionId, item.urlHash]
    if (isFailure && (await tx.run(keepMedia, [...key, result.retryAt, worker])) > 0) return true
    // `ready` is computed in the subquery, as Citus rejects such a function in SET.
    const changed = await tx.run(
      `UPDATE media m SET status = d.status, mimetype = d.mimetype, category = d.category, parent_hash = d.parent_hash,
         sizes = d.sizes, details = $12, due_at = $9, attempts = CASE WHEN $9::timestamptz IS NULL THEN 0 ELSE attempts + 1 END,
         updated_at = d.updated_at, ready = d.ready
       FROM (SELECT x.*, ${mediaText('x')} AS ready FROM (
         SELECT $11::text AS url, $4::text AS status, $5::text AS mimetype, $6::text AS category, $7::text AS parent_hash, $8::text AS sizes,
           (SELECT now()) AS updated_at
       ) x) d
       WHERE m.partition = $1 AND m.collection_id = $2 AND m.url_hash = $3 AND ${heldBy('partition', '$1', '$10')}`,
      [
        ...key,
        result.status,
        result.mimetype,
        result.category,
        result.parentHash,
        result.sizes,
        result.retryAt,
        worker,
        item.url,
        result.details,
      ],
    )
    if (changed === 0) return false
    await raiseVersion(tx, { partition: item.partition, id: item.collectionId })
    return true
  })
}

const keepMedia = `
UPDATE media SET due_at = $4, attempts = CASE WHEN $4::timestamptz IS NULL THEN 0 ELSE attempts + 1 END
WHERE partition = $1 AND collection_id = $2 AND url_hash = $3 AND status = 'success' AND ${heldBy('partition', '$1', '$5')}`

/**
 * Records that the host of a preview is paused. The preview is due again at `retryAt`, with the same number of attempts. Its row stays unchanged, but
 * an untried one gets status `temporarily_unavailable`. False: another worker holds the partition.
 */
export async function postponeMedia(db: Database, item: DueMedia, retryAt: Date, worker: number): Promise<boolean> {
  const key = [item.partition, item.collectionId, item.urlHash]
  return db.transaction(async (tx) => {
    await sliceBy(tx, item, retryAt)
    const postponed = await tx.run(
      `UPDATE media SET due_at = $4
       WHERE partition = $1 AND collection_id = $2 AND url_hash = $3 AND ${heldBy('partition', '$1', '$5')}`,
      [...key, retryAt, worker],
    )
    if (postponed === 0) return false
    const reported = await tx.run(
      `UPDATE media m SET status = d.status, updated_at = d.updated_at, ready = ${mediaText('d')}
       FROM (
         SELECT $4::text AS url, 'temporarily_unavailable' AS status, NULL AS mimetype, NULL AS category, NULL AS parent_hash, NULL AS sizes,
           (SELECT now()) AS updated_at
       ) d
       WHERE m.partition = $1 AND m.collection_id = $2 AND m.url_hash = $3 AND m.status = 'processing'`,
      [...key, item.url],
    )
    if (reported > 0) await raiseVersion(tx, { partition: item.partition, id: item.collectionId })
    return true
  })
}

/**
 * Schedules the collection no later than this preview. Every transaction locks the slice of a collection before its previews, as `sliceDue` does: an
 * INSERT of an existing preview waits for the transaction that changes it.
 */
async function sliceBy(sql: Sql, { partition, collectionId }: DueMedia, at: Date): Promise<void> {
  await sql.run('UPDATE media_turn SET due_at = least(due_at, $3) WHERE partition = $1 AND collection_id = $2', [
    partition,
    collectionId,
    at,
  ])
}

/** Deletes a preview whose URL was removed: the next page with the URL requests it again. */
export async function forgetMedia(sql: Sql, item: DueMedia, worker: number): Promise<void> {
  await sql.run(
    `WITH gone AS (
       DELETE FROM media WHERE partition = $1 AND collection_id = $2 AND url_hash = $3 AND ${heldBy('partition', '$1', '$4')}
       RETURNING partition, collection_id
     )
     UPDATE collection c SET ${raisedVersion('c')} FROM gone g WHERE c.partition = $1 AND c.partition = g.partition AND c.id = g.collection_id`,
    [item.partition, item.collectionId, item.urlHash, worker],
  )
}

/** Number of due and scheduled previews, at most `most`. */
export async function countPendingMedia(sql: Sql, most: number): Promise<number> {
  const [[counted] = [0n]] = await sql.rows<[bigint]>(
    'SELECT count(*) FROM (SELECT 1 FROM media WHERE due_at IS NOT NULL LIMIT $1) due',
    [most],
  )
  return Number(counted)
}
