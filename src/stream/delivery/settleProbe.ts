import type { Transaction } from '../../db/database.ts'
import type { Attempt } from '../ledger/attempt.ts'
import { resumeStream } from '../ledger/streamState.ts'
import { urlHash } from '../ledger/urlHash.ts'
import { writeNotices } from '../operations/notices.ts'
import { goneMessage } from './stopStreams.ts'

/**
 * What follows from a probe: a stream whose address takes webhooks again is active, one whose address answered 410 is probed no
 * more, and one whose address asked for another time is probed no sooner. A stream that was resumed, or moved to another
 * address, while the probe was under way stays as it is.
 */
export async function settleProbe(tx: Transaction, attempt: Attempt, now: Date): Promise<void> {
  const { partition, streamId, outcome, probe } = attempt
  const [row] = await tx.rows<[string, string]>(
    `SELECT webhook_url, tag FROM stream WHERE partition = $1 AND id = $2 AND status = 'error' FOR UPDATE`,
    [partition, streamId],
  )
  if (!row || !urlHash(row[0]).equals(attempt.urlHash)) return
  const [webhookUrl, tag] = row
  const key = [partition, streamId]
  if (outcome.status === 'delivered') {
    await setStream(tx, attempt, { status: 'active', message: '', now })
    await resumeStream(tx, { partition, id: streamId, webhookUrl })
    await writeNotices(tx, [{ type: 'stream.resumed', data: { streamId, tag, statusMessage: '' } }], now)
  } else if (outcome.code === 410) {
    await setStream(tx, attempt, { status: 'error', message: goneMessage, now })
    await tx.run('UPDATE webhook_delivered SET probe_at = NULL WHERE partition = $1 AND stream_id = $2', key)
  } else if (probe?.notBefore)
    await tx.run(
      'UPDATE webhook_delivered SET probe_at = greatest(probe_at, $3) WHERE partition = $1 AND stream_id = $2',
      [...key, probe.notBefore],
    )
}

async function setStream(
  tx: Transaction,
  { partition, streamId }: Attempt,
  { status, message, now }: { status: 'active' | 'error'; message: string; now: Date },
): Promise<void> {
  await tx.run('UPDATE stream SET status = $3, status_message = $4, updated_at = $5 WHERE partition = $1 AND id = $2', [
    partition,
    streamId,
    status,
    message,
    now,
  ])
}
