// @module-tag system

import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createStreamDemand } from '../../src/stream/definition/createStreamDemand.ts'
import { updateStreamSchema } from '../../src/stream/demand.ts'
import { evmChain } from '../evmChain.ts'
import { laterBy } from '../laterBy.ts'
import { startReceiver } from '../receiver.ts'
import { system } from '../system.ts'
import { insertStreams, type TestStream, testWebhook, testWebhooks } from './streams.ts'
import { createTestDelivery, type TestDelivery } from './testDelivery.ts'

const minute = 60_000
const hour = 60 * minute
const queueLength = 'SELECT count(*)::int FROM webhook_queue'
const attempts = 'SELECT count(*)::int FROM webhook_attempt'

/** Minutes until the next probe is due, by the clock of the process that made the last attempt. */
const nextProbe = `SELECT round(extract(epoch FROM probe_at - (SELECT max(at) FROM webhook_attempt)) / 60)::int FROM webhook_delivered`

/** Sets streams to error, with their first probe in five minutes. */
async function stopAll(t: TestDelivery, streams: readonly TestStream[]): Promise<void> {
  const ids = streams.map(({ id }) => id)
  await t.db.run(`UPDATE stream SET status = 'error', status_message = 'too slow' WHERE id = ANY($1::uuid[])`, [ids])
  await t.db.run(
    `UPDATE webhook_delivered SET error_at = now(), probe_at = now() + interval '5 minutes' WHERE stream_id = ANY($1::uuid[])`,
    [ids],
  )
}

test('behavior: a stream in error is probed with its oldest webhook every five minutes, then hourly, until a 2xx resumes it', async () => {
  await using t = await createTestDelivery({ retryDelaysMs: [minute] })
  let isRejecting = true
  let held: (() => void) | undefined
  await using receiver = await startReceiver(({ body }, response) => {
    if (!isRejecting) return 200
    if (held || !body.includes('"number":"32"')) return 500
    held = () => void response.writeHead(500).end()
    return undefined
  })
  const [stream] = await insertStreams(t.db, [receiver.url])
  const first = await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 60))
  // After 31 failures, while the next attempt is in flight.
  await t.untilValue('SELECT status FROM stream', 'error')
  const closed = first.close()
  held!()
  await closed
  const sent = receiver.received.length
  expect(sent).toBe(32)
  const second = await t.start()
  for (const [made, { retries, next }] of [
    { retries: 1, next: 5 },
    { retries: 2, next: 5 },
  ].entries()) {
    t.advance(4 * minute)
    await t.untilValue(attempts, sent + made)
    t.advance(minute + 1_000)
    await t.untilValue(attempts, sent + made + 1)
    expect(JSON.parse(receiver.received.at(-1)!.body)).toMatchObject({ retries, block: { number: '1' } })
    await t.untilValue(nextProbe, next)
  }
  // The probed webhook still has its retry, and all other webhooks are still pending.
  expect(await t.db.rows('SELECT failures, postponed FROM webhook_queue ORDER BY position LIMIT 1')).toEqual([[3, 2]])
  await t.untilValue(queueLength, 60)

  // The database stores the time of the next probe, and that it is the third.
  await second.close()
  await t.start()
  t.advance(4 * minute)
  await t.untilValue('SELECT probes FROM webhook_delivered', 2)
  await t.db.run('UPDATE webhook_delivered SET probes = 11')
  t.advance(minute + 1_000)
  await t.untilValue(attempts, sent + 3)
  await t.untilValue(nextProbe, 60)

  isRejecting = false
  t.advance(hour + 1_000)
  await t.untilValue('SELECT status FROM stream', 'active')
  await t.untilValue(queueLength, 0)
  const numbers = receiver.received.slice(sent).map(({ body }) => Number(JSON.parse(body).block.number))
  expect(numbers.slice(0, 4)).toEqual([1, 1, 1, 1])
  const unsent = numbers.filter((number) => number > sent)
  expect(unsent).toEqual(Array.from({ length: 60 - sent }, (_, i) => sent + 1 + i))
  expect(numbers.length).toBe(4 + 59)
  const ended =
    'SELECT status_message, probe_at, error_at, probes FROM stream s JOIN webhook_delivered d ON d.partition = s.partition AND d.stream_id = s.id'
  expect(await t.db.rows(ended)).toEqual([['', null, null, 0]])
  const reported = await t.db.rows<[string]>('SELECT body FROM operation_notice ORDER BY seq')
  expect(reported.map(([body]) => JSON.parse(body))).toMatchObject([
    { type: 'stream.error', data: { streamId: stream!.id, tag: 'tag 0', statusMessage: expect.any(String) } },
    { type: 'stream.resumed', data: { streamId: stream!.id, statusMessage: '' } },
  ])
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: after a 410 there are no probes until the stream moves to another URL', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver(({ path }) => (path === '/gone' ? 410 : 200))
  const [stream] = await insertStreams(t.db, [`${receiver.url}/gone`])
  await t.start()
  await t.enqueue([testWebhook(stream!, { number: 1 })])
  await t.untilValue('SELECT status FROM stream', 'error')
  await t.enqueue(testWebhooks(stream!, 2, 5))
  for (let hours = 0; hours < 3; hours++) {
    t.advance(hour)
    await t.untilValue(attempts, 1)
  }
  expect(await t.db.rows('SELECT probes, probe_at FROM webhook_delivered')).toEqual([[0, null]])

  const demand = createStreamDemand({
    db: t.db,
    chains: [evmChain(['http://127.0.0.1:1'])],
    head: async () => 0n,
    sendTest: async () => ({ ok: true }),
    secretOverlapMs: 0,
  })
  await demand.update(stream!.id, updateStreamSchema.parse({ webhookUrl: `${receiver.url}/new` }))
  await t.untilValue('SELECT status FROM stream', 'active')
  await t.untilValue(queueLength, 0)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/gone', '/new', '/new', '/new', '/new', '/new'])
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: a probe that gets 410 is the last one, and a probe that gets Retry-After respects it', async () => {
  await using t = await createTestDelivery()
  let answer = 503
  await using receiver = await startReceiver((_, response) => {
    response.setHeader('retry-after', '7200')
    return answer
  })
  const [stream] = await insertStreams(t.db, [receiver.url])
  await t.enqueue(testWebhooks(stream!, 1, 2))
  await stopAll(t, [stream!])
  await t.start()
  t.advance(5 * minute + 1_000)
  await t.untilValue(nextProbe, 120)
  answer = 410
  t.advance(2 * hour + 1_000)
  await t.untilValue('SELECT probe_at IS NULL FROM webhook_delivered', true)
  expect(await t.db.rows('SELECT status, status_message FROM stream')).toEqual([
    ['error', expect.stringContaining('410 Gone')],
  ])
  expect(receiver.received.length).toBe(2)
})

test(
  'behavior: two processes make each probe once, and neither probes two streams of one URL concurrently',
  system,
  async () => {
    await using t = await createTestDelivery()
    let most = 0
    const underWay = new Map<string, number>()
    await using receiver = await startReceiver(async ({ path }) => {
      underWay.set(path, (underWay.get(path) ?? 0) + 1)
      most = Math.max(most, underWay.get(path)!)
      await wait(20)
      underWay.set(path, underWay.get(path)! - 1)
      return 500
    })
    const streams = await insertStreams(
      t.db,
      Array.from({ length: 40 }, (_, i) => `${receiver.url}/${i % 10}`),
    )
    await t.enqueue(streams.map((stream) => testWebhook(stream, { number: 1 })))
    await stopAll(t, streams)
    const processes = [await t.start(), await t.start()]
    await t.untilValue(
      `SELECT count(*)::int FROM (SELECT worker_id FROM lease WHERE kind = 'delivery' GROUP BY 1 HAVING count(*) = 128) even`,
      2,
    )
    t.advance(5 * minute + 1_000)
    await t.untilValue(attempts, 40)
    expect(await t.db.rows('SELECT DISTINCT probes FROM webhook_delivered')).toEqual([[1]])
    expect(receiver.received.length).toBe(40)
    expect(most).toBeLessThanOrEqual(processes.length)
  },
)

test('behavior: hanging URLs do not block probes of other URLs, earlier or concurrent ones', async () => {
  await using t = await createTestDelivery({ timeoutMs: 60_000 })
  const held: (() => void)[] = []
  await using receiver = await startReceiver(({ path }, response) => {
    if (path.startsWith('/z')) return 200
    held.push(() => void response.writeHead(500).end())
    return undefined
  })
  const paths = [...Array.from({ length: 20 }, (_, i) => `/a/${i}`), '/z/first', '/z/later']
  const streams = await insertStreams(
    t.db,
    paths.map((path) => receiver.url + path),
  )
  const [first, later] = streams.slice(-2)
  await t.enqueue(streams.map((stream) => testWebhook(stream, { number: 1 })))
  await stopAll(t, streams)
  const dueLater = `UPDATE webhook_delivered SET probe_at = ${laterBy('probe_at', "$2 * interval '1 second'")} WHERE stream_id = $1`
  await t.db.run(dueLater, [first!.id, -5])
  await t.db.run(dueLater, [later!.id, 120])
  await t.start()
  // This stream is due before the addresses that hang, although their names sort first.
  t.advance(5 * minute + 1_000)
  await t.untilValue('SELECT status FROM stream WHERE id = $1', 'active', [first!.id])
  await receiver.until(() => held.length === 20)
  // This stream becomes due while those hang.
  t.advance(2 * minute)
  await t.untilValue('SELECT status FROM stream WHERE id = $1', 'active', [later!.id])
  expect(held.length).toBe(20)
  for (const answer of held) answer()
})

test('behavior: a stream that is resumed during its probe sends the webhook again if the probe fails', async () => {
  await using t = await createTestDelivery({ timeoutMs: 60_000 })
  let held: (() => void) | undefined
  await using receiver = await startReceiver((_, response) => {
    if (held) return 200
    held = () => void response.writeHead(500).end()
    return undefined
  })
  const [stream] = await insertStreams(t.db, [receiver.url])
  await t.enqueue(testWebhooks(stream!, 1, 5))
  await stopAll(t, [stream!])
  await t.start()
  t.advance(5 * minute + 1_000)
  await receiver.until(1)
  const demand = createStreamDemand({
    db: t.db,
    chains: [evmChain(['http://127.0.0.1:1'])],
    head: async () => 0n,
    sendTest: async () => ({ ok: true }),
    secretOverlapMs: 0,
  })
  await demand.setStatus(stream!.id, 'active')
  await receiver.until(5)
  held!()
  await t.untilValue(queueLength, 0)
  const numbers = receiver.received.map(({ body }) => Number(JSON.parse(body).block.number))
  expect(numbers).toEqual([1, 2, 3, 4, 5, 1])
  expect((await t.recount()).mismatches).toEqual([])
})
