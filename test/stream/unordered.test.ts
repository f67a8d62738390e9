// @module-tag system

import { expect, test } from 'vitest'
import { enqueueWebhooks } from '../../src/stream/ledger/enqueueWebhooks.ts'
import { webhookChannel } from '../../src/stream/ledger/ledgerEntry.ts'
import { startReceiver } from '../receiver.ts'
import { retractAbove } from './retractAbove.ts'
import { chainId, insertStreams, testWebhook, testWebhooks } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

const queueLength = 'SELECT count(*)::int FROM webhook_queue'
const unordered = `UPDATE stream SET delivery = 'unordered' WHERE id = $1`

test('behavior: an unordered stream has up to 50 webhooks in flight, and never more', async () => {
  await using t = await createTestDelivery({ timeoutMs: 60_000 })
  const held: (() => void)[] = []
  let answered = 0
  let calm = false
  await using receiver = await startReceiver(({ path }, response) => {
    if (calm || path === '/other') return 200
    held.push(() => void response.writeHead(200).end())
    // The concurrency limit of an address grows by one with each response, up to 64.
    for (; answered < 60 && held.length >= Math.min(40, 8 + answered); answered++) held.shift()!()
    return undefined
  })
  const [stream, other] = await insertStreams(t.db, [`${receiver.url}/one`, `${receiver.url}/other`])
  await t.db.run(unordered, [stream!.id])
  await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 300))
  await receiver.until(() => held.length === 50)
  await t.enqueue(testWebhooks(other!, 1, 100))
  await t.untilValue('SELECT delivered::int FROM webhook_delivered WHERE stream_id = $1', 100, [other!.id])
  expect(held.length).toBe(50)
  calm = true
  for (const answer of held.splice(0)) answer()
  await t.untilValue(queueLength, 0)
  expect(receiver.received.length).toBe(400)
  expect(await t.recount()).toMatchObject({ attempts: 400, mismatches: [] })
})

test('behavior: an unordered stream sends a retraction after the response to the reverted webhook and before its replacement', async () => {
  await using t = await createTestDelivery({ timeoutMs: 60_000 })
  const held: (() => void)[] = []
  let calm = false
  await using receiver = await startReceiver(({ path }, response) => {
    if (calm || path === '/other') return 200
    held.push(() => void response.writeHead(200).end())
    return undefined
  })
  const sent = () => receiver.received.filter(({ path }) => path === '/one').map(({ body }) => JSON.parse(body))
  const [stream, other] = await insertStreams(t.db, [`${receiver.url}/one`, `${receiver.url}/other`])
  await t.db.run(unordered, [stream!.id])
  await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 20))
  await receiver.until(8)
  /** Waits until all notifications before this webhook are processed. */
  const settle = async (number: number) => {
    const before = receiver.received.length
    await t.enqueue([testWebhook(other!, { number })])
    await receiver.until((all) => all.slice(before).some(({ path }) => path === '/other'))
  }
  await t.db.transaction(async (tx) => {
    await retractAbove(tx, chainId, 6n)
    await enqueueWebhooks(tx, [testWebhook(stream!, { number: 7, fork: 2 })])
  })
  await settle(1)
  // Blocks 7 and 8 are in flight and taken back. 9 to 20 were never sent.
  for (const answer of held.splice(0, 7)) answer()
  await t.untilValue(`SELECT count(*)::int FROM webhook_attempt WHERE stream_id = $1`, 7, [stream!.id])
  await settle(2)
  expect(sent().filter(({ reverted }) => reverted)).toEqual([])
  held.shift()!()
  for (let taken = 1; taken <= 14; taken++) {
    await receiver.until(() => sent().length === 8 + taken)
    await settle(2 + taken)
    // Retractions are sent one at a time.
    expect(sent().length).toBe(8 + taken)
    held.shift()!()
  }
  await receiver.until(() => sent().length === 23)
  calm = true
  for (const answer of held.splice(0)) answer()
  await t.untilValue(queueLength, 0)
  const last = sent().slice(8)
  expect(last.slice(0, -1).every(({ reverted }) => reverted)).toBe(true)
  expect(last.at(-1)).toMatchObject({ confirmed: false, block: { number: '7' } })
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: a stream that becomes ordered again waits for webhooks in flight, then sends one at a time', async () => {
  await using t = await createTestDelivery({ timeoutMs: 60_000 })
  const held: (() => void)[] = []
  let most = 0
  await using receiver = await startReceiver(({ path }, response) => {
    if (path === '/other') return 200
    held.push(() => void response.writeHead(200).end())
    most = Math.max(most, held.length)
    return undefined
  })
  const [stream, other] = await insertStreams(t.db, [`${receiver.url}/one`, `${receiver.url}/other`])
  await t.db.run(unordered, [stream!.id])
  await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 20))
  await receiver.until(() => held.length === 8)
  await t.db.run(`UPDATE stream SET delivery = 'ordered'`)
  await t.db.rows('SELECT pg_notify($1, $2)', [webhookChannel, stream!.id])
  // When this webhook arrives, the change has been read.
  await t.enqueue([testWebhook(other!, { number: 1 })])
  await receiver.until((all) => all.some(({ path }) => path === '/other'))
  most = 0
  for (const answer of held.splice(0)) answer()
  for (let next = 9; next <= 20; next++) {
    await receiver.until(() => held.length > 0)
    held.shift()!()
  }
  await t.untilValue(queueLength, 0)
  expect(most).toBe(1)
  const order = receiver.received.filter(({ path }) => path === '/one').map(({ body }) => JSON.parse(body).block.number)
  expect(order.slice(8).map(Number)).toEqual(Array.from({ length: 12 }, (_, i) => i + 9))
  expect((await t.recount()).mismatches).toEqual([])
})
