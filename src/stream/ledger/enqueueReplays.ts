import type { Transaction } from '../../db/database.ts'
import { streamPartition } from '../../sync/partition.ts'
import { BadRequestError } from '../../util/errors.ts'
import { notifyStreams } from './ledgerEntry.ts'

/**
 * A replay is a separate delivery: it is retried like the first one, and only later replays wait for it. A webhook that
 * waits for its first attempt is omitted: its replay would arrive before the webhooks of earlier blocks.
 * The condition alone selects webhooks of the stream. If the statement also contained `stream_id`, PostgreSQL would read
 * the whole stream in an index of streams, of which it expects far too few entries, and not look up each position.
 */
const statement = (condition: string) => `
WITH asked AS (
  UPDATE webhook w SET replays = replays + 1
  WHERE w.partition = $1 AND ${condition} AND NOT w.retracted
    AND NOT EXISTS (SELECT 1 FROM webhook_queue q WHERE q.partition = $1 AND q.stream_id = $2 AND q.chain_id = w.chain_id
      AND q.position = w.position AND q.replay = 0 AND q.due_at IS NULL)
  RETURNING partition, stream_id, chain_id, position, replays, id, live, kind = 'retraction', part, parts
)
INSERT INTO webhook_queue (partition, stream_id, chain_id, position, replay, id, live, retraction, part, parts, body_bytes)
SELECT a.*, b.bytes FROM asked a
JOIN webhook_body b ON b.partition = a.partition AND b.position = a.position`

/**
 * Enqueues webhooks of a stream again, in the caller's transaction, except retracted ones and those without a first
 * attempt. Returns their number. `condition`: SQL on `webhook w` that selects only webhooks of the stream `$2`, with
 * `values` from `$3`. Throws BadRequestError for a terminated or deleted stream.
 */
export async function enqueueReplays(
  tx: Transaction,
  streamId: string,
  condition: string,
  values: unknown[],
): Promise<number> {
  const partition = streamPartition(streamId)
  const count = await tx.run(statement(condition), [partition, streamId, ...values])
  // Read after the rows are locked: terminating the stream later drops these webhooks.
  const [stream] = await tx.rows<[string]>('SELECT status FROM stream WHERE partition = $1 AND id = $2', [
    partition,
    streamId,
  ])
  if (count > 0) {
    assertSends(stream?.[0])
    await notifyStreams(tx, [streamId])
  }
  return count
}

/** Throws BadRequestError for a terminated or deleted stream (`status` undefined). */
export function assertSends(status: string | undefined): void {
  if (status !== undefined && status !== 'terminated') return
  throw new BadRequestError(`the stream is ${status ?? 'deleted'}; its webhooks are not sent again`)
}
