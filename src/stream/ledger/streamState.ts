import type { Sql, Transaction } from '../../db/database.ts'
import { notifyStreams } from './ledgerEntry.ts'
import { endUndelivered } from './undelivered.ts'
import { addUrls } from './urlHash.ts'
import { resetUrl } from './urlPauses.ts'

export type StreamKey = { partition: number; id: string }

/** Creates a stream's statistics if missing, in the transaction that creates the stream. */
export async function openLedger(tx: Transaction, stream: StreamKey): Promise<void> {
  await tx.run(
    'INSERT INTO webhook_delivered (partition, stream_id, created_at, updated_at) VALUES ($1, $2, now(), now()) ON CONFLICT DO NOTHING',
    [stream.partition, stream.id],
  )
}

/**
 * Resumes the sending of a stream's queue: the stream leaves the error state, its address gets a success rate of 100 and
 * is not paused any more, and pending webhooks do not count against `maxQueued`. In the transaction that sets the status to active.
 */
export async function resumeStream(tx: Transaction, stream: StreamKey & { webhookUrl: string }): Promise<void> {
  await openLedger(tx, stream)
  await tx.run(
    `UPDATE webhook_delivered SET error_at = NULL, probes = 0, probe_at = NULL, resumed_position = (SELECT last_value FROM webhook_position)
     WHERE partition = $1 AND stream_id = $2`,
    [stream.partition, stream.id],
  )
  await resetAddress(tx, stream.webhookUrl)
  await notifyStreams(tx, [stream.id])
}

/**
 * Resets the success rate of an address to 100 and ends its pause for a new stream, unless another active stream sends to it. So results
 * of deleted, stopped or moved streams do not count for this one. In the transaction that sets the stream's address,
 * before its row is written.
 */
export async function beginAddress(tx: Transaction, stream: { webhookUrl: string }): Promise<void> {
  const [used] = await tx.rows(`SELECT 1 FROM stream WHERE webhook_url = $1 AND status = 'active' LIMIT 1`, [
    stream.webhookUrl,
  ])
  if (!used) await resetAddress(tx, stream.webhookUrl)
}

/**
 * Makes a probe due immediately if the address of a stream in error changed, even if the former address answered 410.
 */
export async function probeSoon(tx: Transaction, { partition, id }: StreamKey): Promise<void> {
  await tx.run(
    'UPDATE webhook_delivered SET probes = 0, probe_at = now() WHERE partition = $1 AND stream_id = $2 AND error_at IS NOT NULL',
    [partition, id],
  )
}

async function resetAddress(tx: Transaction, url: string): Promise<void> {
  await addUrls(tx, [url])
  await resetUrl(tx, url)
}

/**
 * Notifies the delivering process to read the stream again, in the transaction that changes its definition, address,
 * secret or status.
 */
export async function streamChanged(tx: Transaction, stream: Pick<StreamKey, 'id'>): Promise<void> {
  await notifyStreams(tx, [stream.id])
}

/** Lets the previous secret of a stream also sign until the overlap ends, in the transaction that sets the new one. */
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
 * Drops all pending webhooks of a deleted or terminated stream, with the reason. `skipNotify`: without notification, for
 * the delivering process itself.
 */
export async function dropQueued(
  tx: Transaction,
  stream: StreamKey,
  reason: string,
  options: { skipNotify?: boolean } = {},
): Promise<void> {
  const key = [stream.partition, stream.id]
  const queued = await tx.rows<[bigint]>(
    'DELETE FROM webhook_queue WHERE partition = $1 AND stream_id = $2 RETURNING position',
    key,
  )
  if (!options.skipNotify) await notifyStreams(tx, [stream.id])
  if (queued.length === 0) return
  const positions = [...new Set(queued.map(([position]) => position))]
  const dropped = await tx.rows(dropPending, [stream.partition, positions, reason])
  await openLedger(tx, stream)
  await tx.run('UPDATE webhook_delivered SET dropped = dropped + $3 WHERE partition = $1 AND stream_id = $2', [
    ...key,
    dropped.length,
  ])
}

/** Number of a stream's pending webhooks, from the counters: history reads ahead only while there are few. */
export async function countQueued(sql: Sql, stream: StreamKey): Promise<number> {
  const [row] = await sql.rows<[bigint]>(
    `SELECT coalesce((SELECT sum(matched - dropped)::int8 FROM webhook_matched WHERE partition = $1 AND stream_id = $2), 0)
       - coalesce((SELECT delivered + failed_for_good + dropped FROM webhook_delivered WHERE partition = $1 AND stream_id = $2), 0)`,
    [stream.partition, stream.id],
  )
  return Number(row?.[0] ?? 0n)
}
