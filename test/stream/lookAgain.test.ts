import { expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import type { QueuedWebhook } from '../../src/stream/delivery/attempt/loadWebhooks.ts'
import { readTargets } from '../../src/stream/delivery/attempt/target.ts'
import { createClaims } from '../../src/stream/delivery/queues/claims.ts'
import { createLoader } from '../../src/stream/delivery/queues/createLoader.ts'
import {
  createStreamState,
  type SendQueue,
  sendQueueOf,
  setTarget,
} from '../../src/stream/delivery/queues/sendQueue.ts'
import { createQueue } from '../../src/stream/delivery/queues/webhookReader.ts'
import { chainId, insertStreams, testWebhooks } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

test('behavior: a webhook whose probe fails while its send queue is read is loaded again', async () => {
  await using t = await createTestDelivery()
  const [stream] = await insertStreams(t.db, ['http://127.0.0.1:9'])
  await t.enqueue(testWebhooks(stream!, 1, 3))
  const claims = createClaims<SendQueue>()
  const read = Promise.withResolvers<void>()
  const settled = Promise.withResolvers<void>()
  const db: Database = {
    ...t.db,
    async transaction(work) {
      const result = await t.db.transaction(work)
      read.resolve()
      await settled.promise
      return result
    },
  }
  const loader = createLoader({
    queue: createQueue(db, Date.now),
    claims,
    settings: { bufferBytes: 67_108_864, maxConcurrencyPerStream: 8 },
    onCapacity: () => undefined,
  })
  const effects = { onWaiting() {}, onWanted: loader.want, onDropped() {} }
  const state = createStreamState({ partition: stream!.partition, streamId: stream!.id }, effects)
  setTarget(state, (await readTargets(t.db, [stream!.id], new Date()))[0])
  const sendQueue = sendQueueOf(state, chainId, effects)
  // Enough webhooks were delivered before that one read loads many.
  const delivered = { position: 0n, replay: 0, failures: 0, retraction: false } as QueuedWebhook
  for (let count = 0; count < 6; count++) {
    sendQueue.change({ type: 'read' })
    sendQueue.change({ type: 'loaded', webhooks: [delivered], last: undefined, more: true, nextDueAt: undefined })
    for (const type of ['call', 'send'] as const) sendQueue.change({ type })
    sendQueue.change({ type: 'complete', webhook: delivered, delivered: true })
  }
  const [row] = await t.db.rows<[bigint]>('SELECT min(position) FROM webhook_queue')
  const probed = { position: row![0], replay: 0, failures: 0 }
  claims.take(sendQueue, probed)
  claims.move(probed, 'send')
  claims.move(probed, 'complete')

  // The rows of the send queue are read before the probe is settled, and taken afterwards.
  const loading = loader.load()
  await read.promise
  await t.db.run('UPDATE webhook_queue SET failures = 1, postponed = 1 WHERE position = $1', [probed.position])
  claims.move(probed, 'settle')
  sendQueue.change({ type: 'look again', position: probed.position })
  settled.resolve()
  await loading
  await loader.load()
  const loaded = sendQueue.state.loaded.map(({ position, failures }) => [Number(position - probed.position), failures])
  expect(loaded.sort()).toEqual([
    [0, 1],
    [1, 0],
    [2, 0],
  ])
})
