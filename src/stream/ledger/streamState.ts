import type { Sql, Transaction } from '../../db/database.ts'
import { notifyStreams } from './ledgerEntry.ts'
import { endUndelivered } from './undelivered.ts'
import { addUrls, urlHash } from './urlHash.ts'

export type StreamKey = { partition: number; id: string }

/** A new stream's statistics begin. In the transaction that creates it. */
export async function openLedger(tx: Transaction, stream: StreamKey): Promise<void> {
  await tx.run(
    'INSERT INTO webhook_delivered (partition, stream_id, created_at, updated_at) VALUES ($1, $2, now(), now()) ON CONFLICT DO NOTHING',
    [stream.partition, stream.id],
  )
}

/**
 * What was queued is sent again: the success rate of its address is 100, it is no longer in error, and what waits by now
 * does not count against `maxQueued`. In the transaction that sets its status to active.
 */
export async function resumeStream(tx: Transaction, stream: StreamKey & { webhookUrl: string }): Promise<void> {
  await openLedger(tx, stream)
  await tx.run(
    `UPDATE webhook_delivered SET error_at = NULL, probes = 0, probe_at = NULL, resumed_position = (SELECT last_value FROM webhook_position)
     WHERE partition = $1 AND stream_id = $2`,
    [stream.partition, stream.id],
  )
  await setRateBack(tx, stream.webhookUrl)
  await notifyStreams(tx, [stream.id])
}

/**
 * What came of streams that are gone, stopped or sent elsewhere by now says nothing of one that begins to send to their
 * address: its success rate is 100 again, unless another active stream sends to it. In the transaction that gives it the
 * address, before that shows.
 */
export async function beginAddress(tx: Transaction, stream: { webhookUrl: string }): Promise<void> {
  const [used] = await tx.rows(`SELECT FROM stream WHERE webhook_url = $1 AND status = 'active' LIMIT 1`, [
    stream.webhookUrl,
  ])
  if (!used) await setRateBack(tx, stream.webhookUrl)
}

/** A stream in error is sent elsewhere from now on: whether it takes webhooks there is asked at once, also where it did not want to be asked before. */
export async function probeSoon(tx: Transaction, { partition, id }: StreamKey): Promise<void> {
  await tx.run(
    'UPDATE webhook_delivered SET probes = 0, probe_at = now() WHERE partition = $1 AND stream_id = $2 AND error_at IS NOT NULL',
    [partition, id],
  )
}

async function setRateBack(tx: Transaction, url: string): Promise<void> {
  await addUrls(tx, [url])
  const hash = urlHash(url)
  await tx.run('UPDATE webhook_url SET rate = 100 WHERE partition = $1 AND hash = $2 AND rate <> 100', [hash[0], hash])
}

/** Tells the delivering process to read the stream again, in the transaction that changes its definition, address, secret or status. */
export async function streamChanged(tx: Transaction, stream: Pick<StreamKey, 'id'>): Promise<void> {
  await notifyStreams(tx, [stream.id])
}

/**
 * The previous secret of a stream signs beside the new one until the overlap ends. In the transaction that sets the new one.
 */
export async function keepSecret(
  tx: Transaction,
  stream: StreamKey & { secret: string; overlapMs: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO webhook_secret (partition, stream_id, secret, expires_at) VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond')
     ON CONFLICT (partition, stream_id, secret) DO UPDATE SET expires_at = excluded.expires_at`,
    [stream.partition, stream.id, stream.secret, stream.overlapMs],
  )
  await notifyStreams(tx, [stream.id])
}

const dropPending = endUndelivered(`
UPDATE webhook w SET status = 'dropped', reason = $3
WHERE w.partition = $1 AND w.position = ANY($2::bigint[]) AND w.status = 'pending'`)

/**
 * Nothing of a stream is sent any more: what waited is dropped, with the reason. For a stream that is deleted or terminated.
 * `silent`: by the delivering process, which needs no notification.
 */
export async function dropQueued(
  tx: Transaction,
  stream: StreamKey,
  reason: string,
  options: { silent?: boolean } = {},
): Promise<void> {
  const key = [stream.partition, stream.id]
  const queued = await tx.rows<[bigint]>(
    'DELETE FROM webhook_queue WHERE partition = $1 AND stream_id = $2 RETURNING position',
    key,
  )
  if (!options.silent) await notifyStreams(tx, [stream.id])
  if (queued.length === 0) return
  const positions = [...new Set(queued.map(([position]) => position))]
  const dropped = await tx.rows(dropPending, [stream.partition, positions, reason])
  await openLedger(tx, stream)
  await tx.run('UPDATE webhook_delivered SET dropped = dropped + $3 WHERE partition = $1 AND stream_id = $2', [
    ...key,
    dropped.length,
  ])
}

/** Webhooks that wait for a stream, by the counters: history reads ahead only while they are few. */
export async function countQueued(sql: Sql, stream: StreamKey): Promise<number> {
  const [row] = await sql.rows<[bigint]>(
    `SELECT coalesce((SELECT sum(matched - dropped)::int8 FROM webhook_matched WHERE partition = $1 AND stream_id = $2), 0)
       - coalesce((SELECT delivered + failed_for_good + dropped FROM webhook_delivered WHERE partition = $1 AND stream_id = $2), 0)`,
    [stream.partition, stream.id],
  )
  return Number(row?.[0] ?? 0n)
}
