import type { Database } from '../../db/database.ts'
import { BadRequestError, ConflictError } from '../../errors.ts'
import { notifyStreams } from '../ledger/ledgerEntry.ts'
import type { ReplayRange } from '../store.ts'
import { streamPartition } from '../streamPartition.ts'

/** A replay is a delivery of its own: it is retried as the first one was, and holds nothing back but later replays. */
const enqueueReplays = (condition: string) => `
WITH asked AS (
  UPDATE webhook w SET replays = replays + 1
  WHERE partition = $1 AND stream_id = $2 AND NOT retracted AND ${condition}
  RETURNING partition, stream_id, chain_id, position, replays, id, live, kind = 'retraction'
)
INSERT INTO webhook_queue (partition, stream_id, chain_id, position, replay, id, live, retraction, body_bytes)
SELECT a.*, octet_length(b.body) FROM asked a
JOIN webhook_body b ON b.partition = a.partition AND b.position = a.position`

type ReplayOptions = { db: Database; streamId: string }

async function enqueue({ db, streamId }: ReplayOptions, condition: string, values: unknown[]): Promise<number> {
  const partition = streamPartition(streamId)
  return db.transaction(async (tx) => {
    const count = await tx.run(enqueueReplays(condition), [partition, streamId, ...values])
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

/**
 * False: the stream has no such webhook. Throws BadRequestError for a stream that sends nothing any more, ConflictError for
 * what a reorganisation took back: its receiver was told that it is not so.
 */
export async function requestReplay(options: ReplayOptions & { id: string }): Promise<boolean> {
  const { db, streamId, id } = options
  if ((await enqueue(options, 'w.id = $3', [id])) > 0) return true
  const rows = await db.rows('SELECT FROM webhook WHERE partition = $1 AND stream_id = $2 AND id = $3 AND retracted', [
    streamPartition(streamId),
    streamId,
    id,
  ])
  if (rows.length > 0)
    throw new ConflictError('a reorganisation took its block away; what was retracted is not sent again')
  return false
}

/** How many webhooks are sent again, in the order of their positions; what was retracted is not among them. */
export function requestReplays(options: ReplayOptions & { range: ReplayRange }): Promise<number> {
  const { chainId, fromBlock, toBlock, status } = options.range
  return enqueue(
    options,
    `($3::bigint IS NULL OR w.chain_id = $3) AND ($4::bigint IS NULL OR w.block_number >= $4)
     AND ($5::bigint IS NULL OR w.block_number <= $5) AND ($6::text IS NULL OR w.status = $6)`,
    [chainId, fromBlock, toBlock, status],
  )
}
