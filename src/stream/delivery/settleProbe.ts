import type { Transaction } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import type { Attempt } from '../ledger/attempt.ts'
import { resumeStream } from '../ledger/streamState.ts'
import { urlHash } from '../ledger/urlHash.ts'
import { writeOperationalWebhooks } from '../operational/operationalWebhooks.ts'

/**
 * Applies the outcome of a probe. 2xx: activates the stream, and streams in error at the same address without pending
 * webhooks. `Retry-After`: delays the next probe. (A 410 is settled by `stopGoneStreams`.) A stream that was resumed or moved to another
 * address meanwhile does not change.
 */
export async function settleProbe(tx: Transaction, attempt: Attempt, now: Date): Promise<void> {
  const { partition, streamId, outcome, probe } = attempt
  const [row] = await tx.rows<[string, string]>(
    `SELECT webhook_url, tag FROM stream WHERE partition = $1 AND id = $2 AND status = 'error' FOR UPDATE`,
    [partition, streamId],
  )
  if (!row || !urlHash(row[0]).equals(attempt.urlHash)) return
  const [webhookUrl, tag] = row
  if (outcome.status === 'delivered') {
    const resumed = [{ partition, streamId, tag }, ...(await holdIdle(tx, webhookUrl))]
    for (const stream of resumed) {
      await activate(tx, stream, now)
      await resumeStream(tx, { partition: stream.partition, id: stream.streamId, webhookUrl })
    }
    await writeOperationalWebhooks(
      tx,
      resumed.map((own) => ({
        type: 'stream.resumed',
        data: { streamId: own.streamId, tag: own.tag, statusMessage: '' },
      })),
      now,
    )
  } else if (probe?.notBefore && outcome.code !== 410)
    await tx.run(
      'UPDATE webhook_delivered SET probe_at = greatest(probe_at, $3) WHERE partition = $1 AND stream_id = $2',
      [partition, streamId, probe.notBefore],
    )
}

const errorRow = defineRow({
  partition: column.int2('s.partition'),
  streamId: column.uuid('s.id'),
  tag: column.text('s.tag'),
})

type ErrorStream = RowOf<typeof errorRow>

const idle = `
SELECT ${errorRow.columns} FROM stream s JOIN webhook_delivered d ON d.partition = s.partition AND d.stream_id = s.id
WHERE s.webhook_url = $1 AND s.status = 'error' AND d.probe_at IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM webhook_queue q WHERE q.partition = s.partition AND q.stream_id = s.id)`

/**
 * Locks and reads streams in error at an address without pending webhooks, except those with a 410. No webhook can
 * probe them, so they would be terminated although their address works again. Locked one at a time, as a statement on a
 * cluster locks rows of one partition only.
 */
async function holdIdle(tx: Transaction, webhookUrl: string): Promise<ErrorStream[]> {
  const found = await tx.rows(`${idle} ORDER BY s.partition, s.id`, [webhookUrl])
  const held: ErrorStream[] = []
  for (const { partition, streamId } of found.map(errorRow.decode)) {
    const [row] = await tx.rows(`${idle} AND s.partition = $2 AND s.id = $3 FOR UPDATE OF s`, [
      webhookUrl,
      partition,
      streamId,
    ])
    if (row) held.push(errorRow.decode(row))
  }
  return held
}

async function activate(
  tx: Transaction,
  { partition, streamId }: Pick<Attempt, 'partition' | 'streamId'>,
  now: Date,
): Promise<void> {
  await tx.run(
    `UPDATE stream SET status = 'active', status_message = '', updated_at = $3 WHERE partition = $1 AND id = $2`,
    [partition, streamId, now],
  )
}
