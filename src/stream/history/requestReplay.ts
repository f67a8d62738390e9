import type { Database } from '../../db/database.ts'
import { BadRequestError } from '../../errors.ts'
import { notifyStreams } from '../ledger/ledgerEntry.ts'
import type { ReplayRange } from '../store.ts'
import { streamPartition } from '../streamPartition.ts'

/** A replay is a delivery of its own: it is retried as the first one was, and holds nothing back. */
const enqueueReplays = (condition: string) => `
WITH asked AS (
  UPDATE webhook w SET replays = replays + 1
  WHERE partition = $1 AND stream_id = $2 AND ${condition}
  RETURNING partition, stream_id, chain_id, position, replays, id, live
)
INSERT INTO webhook_queue (partition, stream_id, chain_id, position, replay, id, live, body_bytes, due_at)
SELECT a.*, octet_length(b.body), $3::timestamptz FROM asked a
JOIN webhook_body b ON b.partition = a.partition AND b.position = a.position`

type ReplayOptions = { db: Database; streamId: string }

async function enqueue({ db, streamId }: ReplayOptions, condition: string, values: unknown[]): Promise<number> {
  const partition = streamPartition(streamId)
  return db.transaction(async (tx) => {
    const count = await tx.run(enqueueReplays(condition), [partition, streamId, new Date(), ...values])
    if (count === 0) return 0
    const [stream] = await tx.rows<[string]>('SELECT status FROM stream WHERE partition = $1 AND id = $2', [
      partition,
      streamId,
    ])
    if (!stream || stream[0] === 'terminated')
      throw new BadRequestError(
        `the stream is ${stream ? 'terminated' : 'deleted'}; only webhooks of other streams are sent again`,
      )
    await notifyStreams(tx, [streamId])
    return count
  })
}

/** False: the stream has no such webhook. Throws BadRequestError for a stream that sends nothing any more. */
export async function requestReplay(options: ReplayOptions & { id: string }): Promise<boolean> {
  return (await enqueue(options, 'w.id = $4', [options.id])) > 0
}

/** How many webhooks are sent again. */
export function requestReplays(options: ReplayOptions & { range: ReplayRange }): Promise<number> {
  const { chainId, fromBlock, toBlock, status } = options.range
  return enqueue(
    options,
    `($4::bigint IS NULL OR w.chain_id = $4) AND ($5::bigint IS NULL OR w.block_number >= $5)
     AND ($6::bigint IS NULL OR w.block_number <= $6) AND ($7::text IS NULL OR w.status = $7)`,
    [chainId, fromBlock, toBlock, status],
  )
}
