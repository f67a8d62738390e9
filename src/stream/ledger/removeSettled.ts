import type { Sql, Transaction } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { holdsLease } from '../../sync/leases/lease.ts'

export type RemoveOptions = {
  partition: number
  /** Scans webhooks after this position. */
  after: bigint
  /** Keeps webhooks that were enqueued, attempted, given up or dropped since then. */
  before: Date
  /** The worker that must hold the partition's lease; undefined: no lease is needed. */
  worker?: number
}

export type Removed = {
  removed: number
  /** `after` of the next batch; undefined: no older webhooks follow. */
  next: bigint | undefined
}

/** Webhooks that one transaction scans: it locks their rows, and deletes all their bodies. */
const mostTogether = 500

/** Partitions whose first webhook is from before `before`; positions increase with time. */
export async function withOld(sql: Sql, partitions: ReadonlySet<bigint>, before: Date): Promise<bigint[]> {
  const old: bigint[] = []
  for (const partition of partitions) {
    const [first] = await sql.rows<[Date]>(
      'SELECT created_at FROM webhook WHERE partition = $1 ORDER BY position LIMIT 1',
      [partition],
    )
    if (first && first[0] < before) old.push(partition)
  }
  return old
}

const lookedRow = defineRow({
  position: column.int8('position'),
  isOld: column.bool('created_at < $3'),
  isSettled: column.bool(`status <> 'pending'`),
})

/**
 * Removes webhooks that were settled long ago, with their bodies and attempts, and adds them to the base of their
 * stream. A webhook of any age stays in these cases:
 * - It has a queue row, as a retry or replay.
 * - Its retraction or its confirmed webhook is unsent.
 * - Its block is not final, so a reorg may retract it, or return to it after a retraction: then the next webhook of the block needs another id. Blocks of
 *   a chain that was reset are not stored.
 * - Another webhook shares its body.
 */
export async function removeSettled(tx: Transaction, options: RemoveOptions): Promise<Removed> {
  const { partition, after, before, worker } = options
  if (worker !== undefined && !(await holdsLease(tx, 'delivery', BigInt(partition), worker)))
    return { removed: 0, next: undefined }
  const rows = await tx.rows(
    `SELECT ${lookedRow.columns} FROM webhook WHERE partition = $1 AND position > $2 ORDER BY position LIMIT $4`,
    [partition, after, before, mostTogether],
  )
  const looked = rows.map(lookedRow.decode)
  const settled = looked.filter(({ isOld, isSettled }) => isOld && isSettled).map(({ position }) => position)
  const last = looked.at(-1)
  // Positions increase with time: nothing after a recent one is old.
  const next = last && looked.length === mostTogether && last.isOld ? last.position : undefined
  if (settled.length === 0) return { removed: 0, next }
  // A replay also locks the row until it is queued, so the later of both transactions sees the result of the earlier.
  const held = await tx.rows<[bigint]>(
    'SELECT position FROM webhook WHERE partition = $1 AND position = ANY($2::bigint[]) ORDER BY position FOR UPDATE SKIP LOCKED',
    [partition, settled],
  )
  const [row] = await tx.rows<[bigint]>(remove, [partition, held.map(([position]) => position), before])
  return { removed: Number(row?.[0] ?? 0n), next }
}

const remove = `
WITH gone AS MATERIALIZED (
  SELECT w.partition, w.stream_id, w.position, w.id, w.status, w.kind, w.logs, w.txs, w.txs_internal
  FROM webhook w
  WHERE w.partition = $1 AND w.position = ANY($2::bigint[]) AND w.status <> 'pending'
    AND NOT EXISTS (SELECT 1 FROM chain c WHERE c.id = w.chain_id AND w.block_number > c.finalized_number
      AND (w.retracted OR w.kind = 'retraction' OR EXISTS (SELECT 1 FROM block b
        WHERE b.chain_id = w.chain_id AND b.number = w.block_number AND b.hash = w.block_hash)))
    AND NOT EXISTS (SELECT 1 FROM webhook_queue q WHERE q.partition = w.partition AND q.stream_id = w.stream_id
      AND q.chain_id = w.chain_id AND q.position = w.position)
    AND NOT EXISTS (SELECT 1 FROM webhook_attempt a WHERE a.partition = w.partition AND a.position = w.position AND a.at >= $3)
    AND NOT EXISTS (SELECT 1 FROM webhook_undelivered u WHERE u.partition = w.partition AND u.stream_id = w.stream_id
      AND u.status = w.status AND u.position = w.position AND u.since >= $3)
    AND NOT EXISTS (SELECT 1 FROM stream_confirmation s WHERE s.partition = w.partition AND s.stream_id = w.stream_id
      AND s.chain_id = w.chain_id AND s.block_number = w.block_number)
    AND NOT EXISTS (SELECT 1 FROM webhook_text t WHERE t.partition = w.partition AND t.same_as = w.position)
    AND NOT (w.retracted AND EXISTS (SELECT 1 FROM webhook r WHERE r.partition = w.partition AND r.stream_id = w.stream_id
      AND r.chain_id = w.chain_id AND r.block_hash = w.block_hash AND r.kind = 'retraction' AND r.status = 'pending'))
),
gone_webhooks AS (DELETE FROM webhook w USING gone g WHERE w.partition = $1 AND w.position = g.position),
gone_texts AS (DELETE FROM webhook_text t USING gone g WHERE t.partition = $1 AND t.position = g.position),
gone_undelivered AS (DELETE FROM webhook_undelivered u USING gone g
  WHERE u.partition = $1 AND u.stream_id = g.stream_id AND u.status = g.status AND u.position = g.position),
gone_attempts AS (DELETE FROM webhook_attempt a USING gone g WHERE a.partition = $1 AND a.position = g.position
  RETURNING a.stream_id, a.delivered),
attempts AS (SELECT stream_id, count(*) AS attempts, count(*) FILTER (WHERE NOT delivered) AS failed FROM gone_attempts GROUP BY 1),
named AS (INSERT INTO webhook_removed (partition, stream_id, position, removed_at, ids)
  SELECT partition, stream_id, min(position), now(), string_agg(uuid_send(id), ''::bytea) FROM gone GROUP BY 1, 2),
counted AS (
  INSERT INTO webhook_base AS b (partition, stream_id, webhooks, delivered, failed_for_good, dropped, logs, txs, txs_internal, attempts,
    failed, updated_at)
  SELECT g.*, coalesce(a.attempts, 0), coalesce(a.failed, 0), now() FROM (
    SELECT partition, stream_id, count(*), count(*) FILTER (WHERE status = 'delivered'), count(*) FILTER (WHERE status = 'failed'),
      count(*) FILTER (WHERE status = 'dropped'), coalesce(sum(logs) FILTER (WHERE kind = 'confirmed'), 0),
      coalesce(sum(txs) FILTER (WHERE kind = 'confirmed'), 0), coalesce(sum(txs_internal) FILTER (WHERE kind = 'confirmed'), 0)
    FROM gone GROUP BY 1, 2) g LEFT JOIN attempts a USING (stream_id)
  ON CONFLICT (partition, stream_id) DO UPDATE SET webhooks = b.webhooks + excluded.webhooks, delivered = b.delivered + excluded.delivered,
    failed_for_good = b.failed_for_good + excluded.failed_for_good, dropped = b.dropped + excluded.dropped, logs = b.logs + excluded.logs,
    txs = b.txs + excluded.txs, txs_internal = b.txs_internal + excluded.txs_internal, attempts = b.attempts + excluded.attempts,
    failed = b.failed + excluded.failed, updated_at = excluded.updated_at)
SELECT count(*) FROM gone`

/** How long ids of removed webhooks are kept: a replay of one gets a 410 until then, and a 404 afterwards. */
const idsKept = '365 days'

/**
 * Deletes ids of webhooks that were removed a year before `before`, replays of a range that ended before `before`, and
 * expired secrets.
 */
export async function forgetRemovedWebhooks(
  tx: Transaction,
  partitions: ReadonlySet<bigint>,
  before: Date,
): Promise<void> {
  await tx.run(
    `DELETE FROM webhook_removed WHERE partition = ANY($1::smallint[]) AND removed_at < $2::timestamptz - interval '${idsKept}'`,
    [[...partitions], before],
  )
  await tx.run(
    `DELETE FROM range_replay WHERE partition = ANY($1::smallint[]) AND status <> 'running' AND updated_at < $2`,
    [[...partitions], before],
  )
  await tx.run('DELETE FROM webhook_secret WHERE partition = ANY($1::smallint[]) AND expires_at < now()', [
    [...partitions],
  ])
}

/** Whether a webhook of the stream was removed within the last year. */
export async function wasRemoved(
  sql: Pick<Transaction, 'rows'>,
  key: { partition: number; streamId: string; id: string },
): Promise<boolean> {
  const rows = await sql.rows(
    'SELECT 1 FROM webhook_removed WHERE partition = $1 AND stream_id = $2 AND position(uuid_send($3::uuid) IN ids) > 0 LIMIT 1',
    [key.partition, key.streamId, key.id],
  )
  return rows.length > 0
}
