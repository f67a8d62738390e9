import { expect, test } from 'vitest'
import { readTargets } from '../../src/stream/delivery/attempt/target.ts'
import { createClaims } from '../../src/stream/delivery/queues/claims.ts'
import { createLoader } from '../../src/stream/delivery/queues/createLoader.ts'
import { createStreamState, type SendQueue, setTarget } from '../../src/stream/delivery/queues/sendQueue.ts'
import { createQueue } from '../../src/stream/delivery/queues/webhookReader.ts'
import { startReceiver } from '../receiver.ts'
import { insertStreams, testWebhook, testWebhooks } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

test('behavior: hanging retries do not block first attempts of their stream or of another stream at the URL', async () => {
  await using t = await createTestDelivery({ timeoutMs: 120_000, maxConcurrency: 24, minSuccessRate: 0 })
  await using receiver = await startReceiver(({ body }) => {
    if (!body.includes('"retries":0,')) return undefined
    return body.includes('"number":"1') ? 500 : 200
  })
  const [stream, other] = await insertStreams(t.db, [`${receiver.url}/a`, `${receiver.url}/a`])
  await t.start()
  // The receiver rejects 100 to 139, and lets their retries hang. These are more than all bounds together.
  await t.enqueue([...testWebhooks(stream!, 100, 119), ...testWebhooks(other!, 120, 139)])
  await t.untilValue('SELECT count(*)::int FROM webhook_queue WHERE failures = 1', 40)
  t.advance(120_000)
  // The concurrency limit of an address before its first response to a retry.
  const hanging = 8
  await receiver.until(40 + hanging)
  await t.enqueue([...testWebhooks(stream!, 200, 239), ...testWebhooks(other!, 200, 239)])
  await t.untilValue(`SELECT count(*)::int FROM webhook WHERE status = 'delivered'`, 80)
  expect(receiver.received.length).toBe(40 + hanging + 80)
})

test('behavior: bufferBytes bounds retries of many streams in memory, and all of them are sent', async () => {
  await using t = await createTestDelivery()
  const streams = await insertStreams(
    t.db,
    Array.from({ length: 40 }, () => 'http://127.0.0.1:9'),
  )
  const bodyBytes = 50_000
  await t.enqueue(
    streams.flatMap((stream) => [1, 2, 3].map((number) => testWebhook(stream, { number, padding: bodyBytes }))),
  )
  await t.db.run(`UPDATE webhook_queue SET failures = 1, due_at = now() - interval '1 minute'`)
  const claims = createClaims<SendQueue>()
  const settings = { bufferBytes: 1_048_576, maxConcurrencyPerStream: 8 }
  const loader = createLoader({ queue: createQueue(t.db, Date.now), claims, settings, onCapacity: () => {} })
  const targets = await readTargets(
    t.db,
    streams.map(({ id }) => id),
    new Date(),
  )
  const effects = { onWaiting() {}, onWanted: loader.want, onDropped() {} }
  const sendQueues = targets.map((target) => {
    const state = createStreamState(target, effects)
    setTarget(state, target)
    return state.retries
  })
  let sent = 0
  for (;;) {
    while (await loader.load()) expect(loader.bufferedBytes()).toBeLessThan(settings.bufferBytes / 2 + bodyBytes * 1.1)
    const sendQueue = sendQueues.find(({ state }) => state.loaded.length > 0)
    if (!sendQueue) break
    const webhook = sendQueue.state.loaded[0]!
    for (const type of ['call', 'send'] as const) sendQueue.change({ type })
    for (const event of ['send', 'complete', 'settle'] as const) claims.move(webhook, event)
    await t.db.run('DELETE FROM webhook_queue WHERE position = $1', [webhook.position])
    loader.free(sendQueue, webhook.body.length)
    sendQueue.change({ type: 'complete', webhook, delivered: true })
    sent += 1
  }
  expect(sent).toBe(120)
  expect(loader.bufferedBytes()).toBe(0)
})
