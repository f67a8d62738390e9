import type { Database } from '../src/db/database.ts'
import { enqueueWebhooks } from '../src/stream/ledger/enqueueWebhooks.ts'
import type { NewWebhook } from '../src/stream/ledger/newWebhook.ts'
import { emptyLists } from '../src/stream/ledger/webhookBody.ts'
import { createWebhookSecret } from '../src/stream/sign/webhookSecret.ts'
import { streamPartition } from '../src/sync/partition.ts'

const chainId = 1n

export type BenchStream = { id: string; partition: number }

/** Inserts active streams that send to `url`, with the same ids in every run. */
export async function insertStreams(db: Database, url: string, ids: readonly string[]): Promise<BenchStream[]> {
  const streams = ids.map((id) => ({ id, partition: streamPartition(id) }))
  await db.run(
    `INSERT INTO stream (partition, id, status, webhook_url, webhook_secret, description, tag, chain_ids, definition)
     SELECT partition, id, 'active', $3, $4, '', '', '{1}', '{}' FROM unnest($1::smallint[], $2::uuid[]) AS v (partition, id)`,
    [streams.map((s) => s.partition), streams.map((s) => s.id), url, createWebhookSecret()],
  )
  return streams
}

/** A uuid of a number. */
export function streamId(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}

const log = {
  logIndex: '7',
  transactionHash: `0x${'ab'.repeat(32)}`,
  address: `0x${'cd'.repeat(20)}`,
  data: `0x${'00'.repeat(32)}`,
  topic0: `0x${'dd'.repeat(32)}`,
  topic1: `0x${'01'.repeat(32)}`,
  topic2: `0x${'02'.repeat(32)}`,
  topic3: null,
}

/** The webhook of a block, 2 kB long. It contains `sentAt` if the receiver measures times. */
export function benchWebhook(stream: BenchStream, block: number, extra: object = {}): NewWebhook {
  const blockHash = `0x${block.toString(16).padStart(64, '0')}` as const
  const body = JSON.stringify({
    confirmed: true,
    chainId: '0x1',
    abi: [],
    streamId: stream.id,
    tag: 'bench',
    retries: 0,
    block: { number: String(block), hash: blockHash, timestamp: '1700000000' },
    ...emptyLists,
    logs: [log, { ...log, logIndex: '8' }],
    ...extra,
  })
  return {
    ...{ partition: stream.partition, streamId: stream.id, chainId, blockNumber: BigInt(block), blockHash },
    kind: 'confirmed',
    ...{ part: 1, parts: 1 },
    counts: { logs: 2, txs: 0, txsInternal: 0 },
    live: false,
    body: body.length < 2_048 ? `${body.slice(0, -1)},"padding":"${'x'.repeat(2_048 - 13 - body.length)}"}` : body,
  }
}

/** Enqueues `blocks` webhooks for each stream, a few thousand in each transaction. */
export async function fillQueue(
  db: Database,
  streams: readonly BenchStream[],
  range: { from: number; blocks: number },
): Promise<void> {
  for (const stream of streams) {
    const webhooks = Array.from({ length: range.blocks }, (_, i) => benchWebhook(stream, range.from + i))
    for (let i = 0; i < webhooks.length; i += 2_000)
      await db.transaction((tx) => enqueueWebhooks(tx, webhooks.slice(i, i + 2_000)))
  }
}
