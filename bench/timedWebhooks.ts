import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../src/db/database.ts'
import { enqueueWebhooks } from '../src/stream/ledger/enqueueWebhooks.ts'
import type { Child } from './child.ts'
import { type BenchStream, benchWebhook } from './webhookRows.ts'

/** Milliseconds between two blocks. */
const blockMs = 10

/**
 * Enqueues a webhook for every stream every 10 ms, as a chain would, even if the machine falls behind. Returns the milliseconds until each
 * arrived, in ascending order. The streams must send to the receiver's path /timed. `from`: the number of the first block.
 */
export async function timeWebhooks(
  db: Database,
  receiver: Child,
  streams: readonly BenchStream[],
  { from, blocks }: { from: number; blocks: number },
): Promise<number[]> {
  receiver.send({ target: streams.length * blocks })
  const began = performance.now()
  for (let done = 0; done < blocks; ) {
    const expected = Math.min(blocks, 1 + Math.floor((performance.now() - began) / blockMs))
    const webhooks = Array.from({ length: expected - done }, (_, i) =>
      streams.map((stream) => benchWebhook(stream, from + done + i, { sentAt: Date.now() })),
    ).flat()
    if (webhooks.length > 0) await db.transaction((tx) => enqueueWebhooks(tx, webhooks))
    done = expected
    await wait(Math.max(0, began + done * blockMs - performance.now()))
  }
  const { latencies } = await receiver.next<{ latencies: number[] }>()
  return latencies.toSorted((a, b) => a - b)
}
