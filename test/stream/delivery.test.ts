import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { keccak256, toBytes } from 'viem'
import { expect, test } from 'vitest'
import { resumeStream } from '../../src/stream/ledger/streamState.ts'
import { readSettings } from '../../src/stream/settings/streamSettings.ts'
import { type Received, startReceiver } from '../receiver.ts'
import { retractAbove } from './retractAbove.ts'
import { chainId, insertStreams, testWebhook, testWebhooks } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

const minute = 60_000
const queueLength = 'SELECT count(*)::int FROM webhook_queue'

function blocks(received: readonly Received[], streamId?: string): number[] {
  const bodies = received.map(({ body }) => JSON.parse(body) as { streamId: string; block: { number: string } })
  return bodies.filter((body) => !streamId || body.streamId === streamId).map((body) => Number(body.block.number))
}

test('default: every webhook is delivered once, in block order per stream, with both signatures, byte for byte', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver()
  const streams = await insertStreams(t.db, [`${receiver.url}/a`, `${receiver.url}/b`, `${receiver.url}/c`])
  const before = streams.flatMap((stream) => testWebhooks(stream, 1, 150))
  await t.enqueue(before)
  await t.start()
  const after = streams.flatMap((stream) => testWebhooks(stream, 151, 300))
  for (let i = 0; i < after.length; i += 50) await t.enqueue(after.slice(i, i + 50))
  await receiver.until(900)
  await t.untilValue(queueLength, 0)

  for (const stream of streams)
    expect(blocks(receiver.received, stream.id)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1))
  const bodies = new Set([...before, ...after].map(({ body }) => body))
  const { secretKey } = await readSettings(t.db)
  for (const { body, headers, path } of receiver.received) {
    expect(bodies.delete(body)).toBe(true)
    const stream = streams[['/a', '/b', '/c'].indexOf(path)]!
    expect(new Webhook(stream.secret).verify(body, headers as Record<string, string>)).toBeTruthy()
    expect(headers['x-signature']).toBe(keccak256(toBytes(body + secretKey)))
  }
  const recount = await t.recount()
  const removed = { webhooks: 0, attempts: 0 }
  expect(recount).toEqual({ streams: 3, webhooks: 900, attempts: 900, mismatches: [], removed })
})

test('behavior: a webhook is retried after 1 min, 10 min, 1 h, 2 h, 6 h, 12 h, 24 h, and then fails permanently', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver(() => 500)
  const [stream] = await insertStreams(t.db, [receiver.url])
  await t.start()
  await t.enqueue([testWebhook(stream!, { number: 1 })])
  const delays = [1, 10, 60, 120, 360, 720, 1_440]
  for (const [i, delay] of delays.entries()) {
    await receiver.until(i + 1)
    await t.untilValue('SELECT failures FROM webhook_queue', i + 1)
    t.advance(delay * minute - 2_000)
    await t.untilValue('SELECT count(*)::int FROM webhook_attempt', i + 1)
    expect(receiver.received.length).toBe(i + 1)
    t.advance(4_000)
  }
  await receiver.until(8)
  await t.untilValue('SELECT status FROM webhook', 'failed')
  const retries = receiver.received.map(({ body }) => (JSON.parse(body) as { retries: number }).retries)
  expect(retries).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  const first = receiver.received[0]!
  for (const { body, headers } of receiver.received) {
    expect(body.replace(/"retries":\d/, '"retries":0')).toBe(first.body)
    expect(headers['webhook-id']).toBe(first.headers['webhook-id'])
  }
  expect((await t.recount()).mismatches).toEqual([])
  expect(await t.db.rows(queueLength)).toEqual([[0]])
})

test('behavior: a retry does not block later webhooks, and an unconfirmed webhook is still retried after its confirmed one', async () => {
  await using t = await createTestDelivery()
  let isRejecting = true
  await using receiver = await startReceiver(({ body }) => (isRejecting && body.includes('"number":"1"') ? 503 : 200))
  const [stream] = await insertStreams(t.db, [receiver.url])
  await t.start()
  await t.enqueue([
    testWebhook(stream!, { number: 1 }),
    testWebhook(stream!, { number: 2 }),
    testWebhook(stream!, { number: 2, kind: 'confirmed' }),
  ])
  await receiver.until(3)
  await t.untilValue('SELECT failures FROM webhook_queue', 1)
  isRejecting = false
  await t.enqueue([testWebhook(stream!, { number: 3 })])
  await receiver.until(4)
  t.advance(2 * minute)
  await receiver.until(5)
  expect(blocks(receiver.received)).toEqual([1, 2, 2, 3, 1])
  await t.untilValue(queueLength, 0)
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: Retry-After of 429 and 503 is respected, and redirects are failures that are not followed', async () => {
  await using t = await createTestDelivery()
  const answers = [429, 503, 302, 200]
  await using receiver = await startReceiver((_, response) => {
    const status = answers.shift()!
    response.setHeader('retry-after', status === 429 ? '30' : '7200').setHeader('location', '/elsewhere')
    return status
  })
  const [stream] = await insertStreams(t.db, [receiver.url])
  await t.start()
  await t.enqueue([testWebhook(stream!, { number: 1 })])
  // The wait is the longer of Retry-After and the schedule: of 30 s and 1 min, of 2 h and 1 min. Only the redirect advances the schedule.
  for (const [i, delay] of [minute, 7_560_000, minute].entries()) {
    await t.untilValue('SELECT failures FROM webhook_queue', i + 1)
    const [row] = await t.db.rows<[number]>(
      'SELECT extract(epoch FROM q.due_at - a.at)::float8 * 1000 FROM webhook_queue q JOIN webhook_attempt a USING (partition, position) WHERE number = $1',
      [i + 1],
    )
    expect(Math.abs(Number(row![0]) - delay)).toBeLessThan(3_000)
    t.advance(delay + 5_000)
  }
  await t.untilValue(queueLength, 0)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/', '/', '/'])
})

test('behavior: 410 stops the stream immediately, and its webhooks are kept and sent after a resume', async () => {
  await using t = await createTestDelivery()
  let isGone = true
  await using receiver = await startReceiver(() => (isGone ? 410 : 200))
  const [stream] = await insertStreams(t.db, [receiver.url])
  await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 15))
  await t.untilValue('SELECT status FROM stream', 'error')
  await t.enqueue(testWebhooks(stream!, 16, 20))
  await t.untilValue(queueLength, 20)
  expect(receiver.received.length).toBe(1)
  isGone = false
  await t.db.transaction(async (tx) => {
    await tx.run(`UPDATE stream SET status = 'active'`)
    await resumeStream(tx, { ...stream!, webhookUrl: stream!.url })
  })
  await receiver.until(20)
  t.advance(2 * minute)
  await receiver.until(21)
  expect(blocks(receiver.received)).toEqual([1, ...Array.from({ length: 19 }, (_, i) => i + 2), 1])
  await t.untilValue(queueLength, 0)
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: a success rate below 70 puts a stream in error, and after five days terminates it and drops its webhooks', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver(() => 500)
  const [stream] = await insertStreams(t.db, [receiver.url])
  await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 100))
  await t.untilValue('SELECT status FROM stream', 'error')
  const sent = receiver.received.length
  expect(sent).toBeGreaterThanOrEqual(31)
  await t.untilValue(queueLength, 100)
  t.advance(5 * 86_400_000 - 60_000)
  await t.untilValue('SELECT status FROM stream', 'error')
  t.advance(120_000)
  await t.untilValue('SELECT status FROM stream', 'terminated')
  await t.untilValue(queueLength, 0)
  expect(await t.db.rows('SELECT status, reason, count(*)::int FROM webhook GROUP BY 1, 2')).toEqual([
    ['dropped', 'the stream was terminated', 100],
  ])
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: too many queued webhooks of the head stop a stream, unless they are history or were queued before a resume', async () => {
  await using t = await createTestDelivery({ maxQueued: 50 })
  // Nothing is answered, so no success rate stops a stream.
  const held: ServerResponse[] = []
  await using receiver = await startReceiver((_, response) => {
    held.push(response)
    return undefined
  })
  const [stream, history] = await insertStreams(t.db, [`${receiver.url}/live`, `${receiver.url}/history`])
  await t.start()
  await t.enqueue(testWebhooks(history!, 1, 60, { live: false }))
  await t.enqueue(testWebhooks(stream!, 1, 51))
  await t.untilValue('SELECT status FROM stream WHERE id = $1', 'error', [stream!.id])
  expect(await t.db.rows('SELECT status FROM stream WHERE id = $1', [history!.id])).toEqual([['active']])
  await t.db.transaction(async (tx) => {
    await tx.run(`UPDATE stream SET status = 'active' WHERE id = $1`, [stream!.id])
    await resumeStream(tx, { ...stream!, webhookUrl: stream!.url })
  })
  const seen = receiver.received.length
  for (const response of held) response.destroy()
  await receiver.until(seen + 1)
  expect(await t.db.rows('SELECT status FROM stream WHERE id = $1', [stream!.id])).toEqual([['active']])
})

test('behavior: a retraction is sent after the webhook that it reverts and before its replacement, and stops retries', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver(({ body }) => (body.includes('"number":"2"') ? 500 : 200))
  const [stream] = await insertStreams(t.db, [receiver.url])
  await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 2))
  await t.untilValue('SELECT failures FROM webhook_queue', 1)
  await t.db.transaction(async (tx) => {
    await retractAbove(tx, chainId, 1n)
    const { enqueueWebhooks } = await import('../../src/stream/ledger/enqueueWebhooks.ts')
    await enqueueWebhooks(tx, [testWebhook(stream!, { number: 3, fork: 2 })])
  })
  await receiver.until(4)
  const taken = receiver.received[1]!
  const retraction = JSON.parse(receiver.received[2]!.body) as Record<string, unknown>
  expect(retraction.reverted).toBe(true)
  expect(retraction.revertedWebhookId).toBe(taken.headers['webhook-id'])
  expect(blocks(receiver.received)).toEqual([1, 2, 2, 3])
  await t.untilValue('SELECT failures FROM webhook_queue WHERE due_at IS NOT NULL', 1)
  expect(await t.db.rows(`SELECT reason IS NOT NULL FROM webhook WHERE status = 'dropped'`)).toEqual([[true]])
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: a hanging webhook URL does not block others', async () => {
  await using t = await createTestDelivery({ timeoutMs: 60_000 })
  await using receiver = await startReceiver(({ path }) => (path === '/hangs' ? undefined : 200))
  const streams = await insertStreams(t.db, [`${receiver.url}/hangs`, `${receiver.url}/works`])
  await t.enqueue(testWebhooks(streams[0]!, 1, 500))
  await t.start()
  await t.enqueue(testWebhooks(streams[1]!, 1, 200))
  await receiver.until((received) => blocks(received, streams[1]!.id).length === 200)
  await t.untilValue(`SELECT delivered::int FROM webhook_delivered WHERE stream_id = $1`, 200, [streams[1]!.id])
})
