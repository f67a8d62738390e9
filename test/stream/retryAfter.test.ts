import { expect, test } from 'vitest'
import { webhookChannel } from '../../src/stream/ledger/ledgerEntry.ts'
import { startReceiver } from '../receiver.ts'
import { insertStreams, testWebhook, testWebhooks } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

const day = 86_400_000
const queueLength = 'SELECT count(*)::int FROM webhook_queue'

test('behavior: responses with Retry-After use no retry of the schedule for two days, and each uses one afterwards', async () => {
  await using t = await createTestDelivery({ retryDelaysMs: [1, 1] })
  await using receiver = await startReceiver((_, response) => {
    response.setHeader('retry-after', '1')
    return 503
  })
  const [stream] = await insertStreams(t.db, [receiver.url])
  await t.start()
  await t.enqueue([testWebhook(stream!, { number: 1 })])
  const attempts = 12
  for (let made = 1; made <= attempts; made++) {
    await t.untilValue('SELECT failures FROM webhook_queue', made)
    t.advance(2_000)
  }
  await t.untilValue('SELECT failures FROM webhook_queue', attempts + 1)
  expect(await t.db.rows('SELECT status FROM webhook')).toEqual([['pending']])
  const bodies = receiver.received.map(({ body }) => (JSON.parse(body) as { retries: number }).retries)
  expect(bodies).toEqual(Array.from({ length: attempts + 1 }, (_, i) => i))

  t.advance(2 * day)
  await t.untilValue('SELECT failures FROM webhook_queue', attempts + 2)
  t.advance(2_000)
  await t.untilValue('SELECT failures FROM webhook_queue', attempts + 3)
  t.advance(2_000)
  await t.untilValue('SELECT status FROM webhook', 'failed')
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: 429 pauses the URL for all of its streams, affects no other URL, and does not lower the success rate', async () => {
  await using t = await createTestDelivery()
  let isRejecting = true
  await using receiver = await startReceiver(({ path }, response) => {
    if (!isRejecting || path !== '/shared') return 200
    response.setHeader('retry-after', '600')
    return 429
  })
  const [one, two, other] = await insertStreams(
    t.db,
    ['/shared', '/shared', '/other'].map((path) => receiver.url + path),
  )
  await t.start()
  await t.enqueue([testWebhook(one!, { number: 1 })])
  await t.untilValue('SELECT failures FROM webhook_queue', 1)
  await t.enqueue([...testWebhooks(one!, 2, 20), ...testWebhooks(two!, 1, 20), ...testWebhooks(other!, 1, 20)])
  await t.untilValue(queueLength, 40)
  expect(receiver.received.filter(({ path }) => path === '/shared').length).toBe(1)
  t.advance(500_000)
  await t.enqueue([testWebhook(other!, { number: 21 })])
  await t.untilValue(queueLength, 40)
  expect(receiver.received.filter(({ path }) => path === '/shared').length).toBe(1)
  expect(await t.db.rows('SELECT DISTINCT rate FROM webhook_url')).toEqual([[100]])

  isRejecting = false
  // A pause of ten minutes ends by the clock of the database.
  const left = 'extract(epoch FROM paused_until - now())::int BETWEEN 1 AND 600'
  expect(await t.db.rows(`SELECT ${left} FROM webhook_url WHERE paused_until IS NOT NULL`)).toEqual([[true]])
  await t.db.run('UPDATE webhook_url SET paused_until = now() WHERE paused_until IS NOT NULL')
  t.advance(101_000)
  await receiver.until((all) => all.filter(({ path }) => path === '/shared').length === 40)
  t.advance(60_000)
  await t.untilValue(queueLength, 0)
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: a stream that moves away from a URL that returned 429 is sent immediately', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver(({ path }, response) => {
    if (path !== '/old') return 200
    response.setHeader('retry-after', '86400')
    return 429
  })
  const [stream] = await insertStreams(t.db, [`${receiver.url}/old`])
  await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 20))
  await t.untilValue('SELECT count(*)::int FROM webhook_queue WHERE failures = 1', 1)

  await t.db.run('UPDATE stream SET webhook_url = $1', [`${receiver.url}/new`])
  await t.db.rows('SELECT pg_notify($1, $2)', [webhookChannel, stream!.id])
  await t.untilValue(queueLength, 1)
  expect(receiver.received.filter(({ path }) => path === '/new').length).toBe(19)
})
