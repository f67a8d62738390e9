import type { Transaction } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import type { Attempt } from '../ledger/attempt.ts'
import { notifyStreams } from '../ledger/ledgerEntry.ts'
import type { Rate } from '../ledger/successRates.ts'
import { writeOperationalWebhooks } from '../operational/operationalWebhooks.ts'

type Stop = {
  /** Selects streams; its values start at $3. */
  condition: { sql: string; values: unknown[] }
  message: string
  now: Date
  /** Milliseconds until the first probe; undefined: no probes. */
  probeMs: number | undefined
}

const stoppedRow = defineRow({
  partition: column.int2('partition'),
  streamId: column.uuid('id'),
  tag: column.text('tag'),
})

/** Puts active streams into error: only probes are sent, and their webhooks stay queued. */
async function stop(tx: Transaction, { condition, message, now, probeMs }: Stop): Promise<void> {
  const rows = await tx.rows(
    `UPDATE stream SET status = 'error', status_message = $1, updated_at = $2 WHERE status = 'active' AND ${condition.sql}
     RETURNING ${stoppedRow.columns}`,
    [message, now, ...condition.values],
  )
  if (rows.length === 0) return
  const stopped = rows.map(stoppedRow.decode)
  const ids = stopped.map(({ streamId }) => streamId)
  await tx.run(
    `INSERT INTO webhook_delivered AS d (partition, stream_id, error_at, probe_at, created_at, updated_at)
     SELECT *, $3::timestamptz, $4::timestamptz, $3::timestamptz, $3::timestamptz FROM unnest($1::smallint[], $2::uuid[])
     ON CONFLICT (partition, stream_id) DO UPDATE SET error_at = excluded.error_at, probe_at = excluded.probe_at, probes = 0`,
    [
      stopped.map(({ partition }) => partition),
      ids,
      now,
      probeMs === undefined ? null : new Date(now.getTime() + probeMs),
    ],
  )
  await writeOperationalWebhooks(
    tx,
    stopped.map(({ streamId, tag }) => ({ type: 'stream.error', data: { streamId, tag, statusMessage: message } })),
    now,
  )
  await notifyStreams(tx, ids)
}

const hasAddress = (partition: string, hash: string) =>
  `webhook_url = (SELECT url FROM webhook_url WHERE partition = ${partition} AND hash = ${hash})`

/** Stops active streams of an address with a low success rate. */
export async function stopUnsuccessful(
  tx: Transaction,
  rates: readonly Rate[],
  { now, probeMs }: Pick<Stop, 'now' | 'probeMs'>,
): Promise<void> {
  for (const { urlHash, rate } of rates)
    await stop(tx, {
      condition: { sql: hasAddress('$3', '$4'), values: [urlHash[0], urlHash] },
      message: `the success rate of its endpoint fell to ${rate}; a probe with a 2xx response, or setting the status to active, resumes the stream`,
      now,
      probeMs,
    })
}

const goneMessage = 'its endpoint returned 410 Gone; set the status to active to receive webhooks again'

/**
 * Stops streams whose receiver answered 410, and ends the probes of those that are in error already. A stream that has another address by now does not
 * change.
 */
export async function stopGoneStreams(tx: Transaction, attempts: readonly Attempt[], now: Date): Promise<void> {
  const reported = new Map(
    attempts.map((attempt) => [`${attempt.streamId} ${attempt.urlHash.toString('hex')}`, attempt]),
  )
  for (const { partition, streamId, urlHash } of reported.values()) {
    const inError = await tx.run(
      `UPDATE stream SET status_message = $1, updated_at = $2 WHERE status = 'error' AND status_message <> $1
       AND partition = $3 AND id = $4 AND ${hasAddress('$5', '$6')}`,
      [goneMessage, now, partition, streamId, urlHash[0], urlHash],
    )
    if (inError > 0) {
      await tx.run('UPDATE webhook_delivered SET probe_at = NULL WHERE partition = $1 AND stream_id = $2', [
        partition,
        streamId,
      ])
      continue
    }
    await stop(tx, {
      condition: { sql: `id = $3 AND ${hasAddress('$4', '$5')}`, values: [streamId, urlHash[0], urlHash] },
      message: goneMessage,
      now,
      probeMs: undefined,
    })
  }
}

/**
 * Stops streams with more than `maxQueued` pending webhooks from blocks at the head. Webhooks that were pending when a
 * stream was resumed do not count.
 */
export async function stopOverfull(
  tx: Transaction,
  streams: readonly { partition: number; streamId: string }[],
  maxQueued: number,
  { now, probeMs }: Pick<Stop, 'now' | 'probeMs'>,
): Promise<void> {
  for (const { partition, streamId } of streams) {
    const [row] = await tx.rows<[bigint]>(
      `SELECT count(*) FROM (
         SELECT 1 FROM webhook_queue q WHERE partition = $1 AND stream_id = $2 AND live AND replay = 0 AND position > coalesce(
           (SELECT resumed_position FROM webhook_delivered WHERE partition = $1 AND stream_id = $2), 0)
         LIMIT $3 + 1) queued`,
      [partition, streamId, maxQueued],
    )
    if ((row?.[0] ?? 0n) > BigInt(maxQueued))
      await stop(tx, {
        condition: { sql: 'id = $3', values: [streamId] },
        message: `more than ${maxQueued} webhooks of the stream are pending; a probe with a 2xx response, or setting the status to active, resumes the stream`,
        now,
        probeMs,
      })
  }
}
