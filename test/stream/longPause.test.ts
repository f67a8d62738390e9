import { expect, test } from 'vitest'
import { createStreamDemand } from '../../src/stream/definition/createStreamDemand.ts'
import { updateStreamSchema } from '../../src/stream/demand.ts'
import { evmChain } from '../evmChain.ts'
import { patience } from '../patience.ts'
import { startReceiver } from '../receiver.ts'
import { insertStreams, testWebhook } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

const isPaused = 'SELECT paused_until > now() FROM webhook_url WHERE url = $1'

/** Two streams with one address, which returned 429 with a Retry-After of a year, and a stream with another one. */
async function openPaused() {
  const t = await createTestDelivery()
  let answers = [429]
  const receiver = await startReceiver(({ path }, response) => {
    if (path !== '/slow') return 200
    response.setHeader('retry-after', String(365 * 86_400))
    return answers.shift() ?? 200
  })
  const slow = `${receiver.url}/slow`
  const [paused, beside, other] = await insertStreams(t.db, [slow, slow, `${receiver.url}/other`])
  const demand = createStreamDemand({
    db: t.db,
    chains: [evmChain(['http://127.0.0.1:1'])],
    head: async () => 0n,
    sendTest: async () => ({ ok: true }),
    secretOverlapMs: 0,
  })
  const delivery = await t.start()
  await t.enqueue([testWebhook(paused!, { number: 1 })])
  await t.untilValue(isPaused, true, [slow])
  return {
    ...{ t, demand, slow, delivery, paused: paused!, beside: beside! },
    message: async (id: string) => (await demand.get(id)).statusMessage,
    sent: () => receiver.received.filter(({ path }) => path === '/slow').length,
    answer(codes: number[]) {
      answers = codes
    },
    /** Enqueues a webhook for each stream, and waits until the stream with the other address got its own. */
    async enqueue(number: number) {
      await t.enqueue([paused!, beside!, other!].map((stream) => testWebhook(stream, { number })))
      await receiver.until((all) => all.some(({ path, body }) => path === '/other' && body.includes(`"${number}"`)))
    },
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]()
      await receiver.close()
    },
  }
}

test('default: a Retry-After of a 429 pauses the address for a day at most, all its streams show it, and a restart obeys it', async () => {
  await using p = await openPaused()
  const [row] = await p.t.db.rows<[number]>(
    'SELECT extract(epoch FROM paused_until - now())::float8 FROM webhook_url WHERE paused_until IS NOT NULL',
  )
  expect(row![0]).toBeGreaterThan(86_000)
  expect(row![0]).toBeLessThanOrEqual(86_400)
  await p.delivery.close()
  await p.t.start()
  await p.enqueue(2)
  expect(p.sent()).toBe(1)
  const waits =
    /^webhooks wait until 2\d{3}-\d\d-\d\dT[\d:.]+Z: its endpoint returned 429 with Retry-After; setting the/
  for (const { id } of [p.paused, p.beside]) expect(await p.message(id)).toMatch(waits)
  const { streams } = await p.demand.list({ after: null, limit: 10 })
  expect(streams.filter(({ statusMessage }) => waits.test(statusMessage))).toHaveLength(2)
})

test.each([
  ['its status is set to active', false],
  ['a stream is resumed', true],
])('behavior: the pause of an address ends for all its streams when %s', async (_, isPausedBefore) => {
  await using p = await openPaused()
  await p.enqueue(2)
  expect(p.sent()).toBe(1)
  if (isPausedBefore) await p.demand.setStatus(p.beside.id, 'paused')
  await p.demand.setStatus(p.beside.id, 'active')
  await expect.poll(p.sent, patience).toBe(3)
  expect(await p.message(p.paused.id)).toBe('')
})

test('behavior: the pause of an address ends when no other active stream has it and a stream moves to it', async () => {
  await using p = await openPaused()
  const moveTo = (id: string, webhookUrl: string) => p.demand.update(id, updateStreamSchema.parse({ webhookUrl }))
  await moveTo(p.beside.id, 'http://127.0.0.1:1/')
  await moveTo(p.paused.id, 'http://127.0.0.1:1/')
  await p.t.untilValue(isPaused, true, [p.slow])
  await moveTo(p.beside.id, p.slow)
  expect(await p.message(p.beside.id)).toBe('')
  await p.t.enqueue([testWebhook(p.beside, { number: 3 })])
  await expect.poll(p.sent, patience).toBe(2)
})

test('behavior: an address that returns 429 again after its pause was ended is paused again', async () => {
  await using p = await openPaused()
  p.answer([429])
  await p.enqueue(2)
  await p.demand.setStatus(p.paused.id, 'active')
  await expect.poll(p.sent, patience).toBeGreaterThan(1)
  await p.t.untilValue(isPaused, true, [p.slow])
  expect(await p.message(p.paused.id)).toContain('webhooks wait until')
})
