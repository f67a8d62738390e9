// @module-tag system

import { expect, test } from 'vitest'
import { startReceiver } from '../receiver.ts'
import { insertStreams, testWebhooks } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

const queueLength = 'SELECT count(*)::int FROM webhook_queue'

test('behavior: two deliverers share the streams, and nothing is lost or counted twice when one stops or joins', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver()
  const streams = await insertStreams(
    t.db,
    Array.from({ length: 40 }, (_, i) => `${receiver.url}/${i % 4}`),
  )
  const enqueue = async (from: number, to: number) => {
    for (const stream of streams) await t.enqueue(testWebhooks(stream, from, to))
  }
  const first = await t.start()
  await enqueue(1, 20)
  const second = await t.start()
  await t.untilValue(
    `SELECT min(count)::int FROM (SELECT count(*) FROM lease WHERE kind = 'delivery' GROUP BY worker_id) w`,
    128,
  )
  await enqueue(21, 40)
  await first.close()
  await enqueue(41, 60)
  await t.untilValue(queueLength, 0)
  await second.close()
  const [row] = await t.db.rows('SELECT count(*)::int, sum((status = $1)::int)::int FROM webhook', ['delivered'])
  expect(row).toEqual([2_400, 2_400])
  const recount = await t.recount()
  expect(recount.mismatches).toEqual([])
  expect(recount.attempts).toBe(2_400)
  const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
  expect(ids.size).toBe(2_400)
})

test('behavior: long queues of hanging URLs use little memory, and other URLs continue', async () => {
  await using t = await createTestDelivery({ timeoutMs: 60_000, bufferBytes: 1_048_576 })
  await using receiver = await startReceiver(({ path }) => (path === '/works' ? 200 : undefined))
  const hanging = await insertStreams(
    t.db,
    Array.from({ length: 40 }, (_, i) => `${receiver.url}/hangs/${i}`),
  )
  const [works] = await insertStreams(t.db, [`${receiver.url}/works`])
  // 40 × 25 × 100 kB: a hundred times the buffer.
  for (const stream of hanging) await t.enqueue(testWebhooks(stream, 1, 25, { padding: 100_000 }))
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  await t.start()
  await receiver.until(40)
  await t.enqueue(testWebhooks(works!, 1, 100))
  await t.untilValue('SELECT delivered::int FROM webhook_delivered WHERE stream_id = $1', 100, [works!.id])
  expect(process.memoryUsage().rss - before).toBeLessThan(80_000_000)
})

test('behavior: closing a deliverer waits for its attempts in flight and settles them', async () => {
  await using t = await createTestDelivery()
  const answers: (() => void)[] = []
  await using receiver = await startReceiver(() => new Promise<number>((resolve) => answers.push(() => resolve(200))))
  const [stream] = await insertStreams(t.db, [receiver.url])
  const delivery = await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 3))
  await receiver.until(() => answers.length === 1)
  const closed = delivery.close()
  answers[0]!()
  await closed
  expect(await t.db.rows(`SELECT status, count(*)::int FROM webhook GROUP BY 1 ORDER BY 1`)).toEqual([
    ['delivered', 1],
    ['pending', 2],
  ])
  expect(receiver.received.length).toBe(1)
})
