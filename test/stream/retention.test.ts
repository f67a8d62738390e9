// @module-tag system

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createStreamQuery } from '../../src/stream/ledger/answers/createStreamQuery.ts'
import { createStreamStore } from '../../src/stream/ledger/answers/createStreamStore.ts'
import { forgetRemovedWebhooks, removeSettled } from '../../src/stream/ledger/removeSettled.ts'
import { keepSecret } from '../../src/stream/ledger/streamState.ts'
import { insertChain, removeChain } from '../../src/sync/chainStore.ts'
import { lockWaits } from '../lockWaits.ts'
import { startReceiver } from '../receiver.ts'
import { retractAbove } from './retractAbove.ts'
import { chainId, insertStreams, type TestStream, testWebhook, testWebhooks } from './streams.ts'
import { createTestDelivery, type TestDelivery } from './testDelivery.ts'

const day = 86_400_000
const queueLength = 'SELECT count(*)::int FROM webhook_queue'
const ledgerLength = 'SELECT count(*)::int FROM webhook'
const lists = { limit: 100, after: null, excludePayload: false, streamId: null, status: null }
const finalize = (t: TestDelivery, number: bigint) => insertChain(t.db, chainId, `0x${'0'.repeat(64)}`, number, number)
/** Stores the blocks of all webhooks as followed ones. */
const storeBlocks = (t: TestDelivery) =>
  t.db.run(
    `INSERT INTO block (chain_id, number, hash, parent_hash, timestamp)
     SELECT DISTINCT chain_id, block_number, block_hash, '\\x00'::bytea, 0 FROM webhook`,
  )
const storeOf = (t: TestDelivery) => createStreamStore({ db: t.db, settings: { secretOverlapMs: 0 } })

/** Removes settled webhooks as if everything that is stored now were old. */
const removeAll = (t: TestDelivery, stream: TestStream) =>
  t.db.transaction((tx) =>
    removeSettled(tx, { partition: stream.partition, after: 0n, before: new Date(Date.now() + 60_000) }),
  )

test('default: settled webhooks are removed after 30 days, statistics stay and verify, and a replay returns 410', async () => {
  await using t = await createTestDelivery({ retryDelaysMs: [] })
  await using receiver = await startReceiver(({ body }) => (body.includes('"number":"2"') ? 500 : 200))
  const [stream, paused] = await insertStreams(t.db, [receiver.url, `${receiver.url}/paused`])
  await t.db.run(`UPDATE stream SET status = 'paused' WHERE id = $1`, [paused!.id])
  await finalize(t, 4n)
  const delivery = await t.start()
  const webhooks = testWebhooks(stream!, 1, 5, { kind: 'confirmed' })
  await t.enqueue([...webhooks, testWebhook(paused!, { number: 1 })])
  await t.untilValue(queueLength, 1)
  await storeBlocks(t)
  const query = createStreamQuery({ db: t.db })
  const [stats, ids] = [await query.stats(stream!.id), await t.db.rows<[string]>('SELECT id::text FROM webhook')]
  expect(stats).toMatchObject({ totalWebhooksDelivered: 4, totalWebhooksFailed: 1, totalLogsProcessed: 5 })

  t.advance(29 * day)
  await t.db.rows(`SELECT pg_notify('mintmark_webhooks', '')`)
  t.advance(2 * day)
  await t.untilValue(ledgerLength, 2)
  await delivery.close()
  // Block 5 is not final, and the paused stream's webhook is pending.
  const kept = await query.deliveries(lists)
  expect(kept.items.map(({ tinyPayload, status }) => [tinyPayload.block, status])).toEqual([
    ['1', 'pending'],
    ['5', 'delivered'],
  ])
  expect(kept.total).toBe(2)
  expect(await query.logs({ limit: 100, after: null, streamId: null })).toMatchObject({ total: 1 })
  expect((await query.deliveries({ ...lists, status: 'failed' })).total).toBe(0)
  for (const table of ['webhook_body', 'webhook_attempt', 'webhook_undelivered'])
    expect(await t.db.rows(`SELECT count(*)::int FROM ${table}`)).toEqual([
      [{ webhook_body: 2, webhook_attempt: 1 }[table] ?? 0],
    ])
  expect(await query.stats(stream!.id)).toEqual(stats)
  expect(await t.recount()).toMatchObject({ webhooks: 2, removed: { webhooks: 4, attempts: 4 }, mismatches: [] })

  const remaining = new Set((await t.db.rows<[string]>('SELECT id::text FROM webhook')).map(([id]) => id))
  for (const [id] of ids.filter(([id]) => !remaining.has(id)))
    await expect(storeOf(t).replay(stream!.id, id)).rejects.toMatchObject({ code: 'GONE' })
  expect(await storeOf(t).replay(stream!.id, randomUUID())).toBeUndefined()
})

test('behavior: webhooks that are pending, may be retracted or are needed by another webhook are not removed', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver()
  const [stream] = await insertStreams(t.db, [receiver.url])
  const delivery = await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 6))
  await t.untilValue(queueLength, 0)
  await delivery.close()
  await finalize(t, 10n)
  const ids = (await t.db.rows<[string]>('SELECT id::text FROM webhook ORDER BY position')).map(([id]) => id)
  // 1 still needs its confirmed webhook; 2 has a pending replay; 5 and 6 have pending retractions.
  await t.db.run(
    `INSERT INTO stream_confirmation SELECT partition, stream_id, chain_id, block_number, block_hash, '', 0, 0, 0, true FROM webhook WHERE id = $1`,
    [ids[0]],
  )
  await storeOf(t).replay(stream!.id, ids[1]!)
  await t.db.transaction((tx) => retractAbove(tx, chainId, 4n))
  // Webhooks enqueued since then are not old.
  await t.db.transaction((tx) =>
    removeSettled(tx, { partition: stream!.partition, after: 0n, before: new Date(Date.now() - day) }),
  )
  expect(await t.db.rows(ledgerLength)).toEqual([[8]])
  expect(await removeAll(t, stream!)).toMatchObject({ removed: 2 })
  const remaining = await t.db.rows<[bigint, string]>('SELECT block_number, kind FROM webhook ORDER BY position')
  expect(remaining).toEqual([
    [1n, 'unconfirmed'],
    [2n, 'unconfirmed'],
    [5n, 'unconfirmed'],
    [6n, 'unconfirmed'],
    [6n, 'retraction'],
    [5n, 'retraction'],
  ])
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: a retracted webhook and its retraction stay until their block is final, as it may return', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver()
  const [stream] = await insertStreams(t.db, [receiver.url])
  await finalize(t, 1n)
  const delivery = await t.start()
  await t.enqueue([testWebhook(stream!, { number: 2 })])
  await t.untilValue(queueLength, 0)
  await t.db.transaction((tx) => retractAbove(tx, chainId, 1n))
  await t.db.rows(`SELECT pg_notify('mintmark_webhooks', '')`)
  await t.untilValue(queueLength, 0)
  await delivery.close()
  expect(await t.db.rows('SELECT kind, status, retracted FROM webhook ORDER BY position')).toEqual([
    ['unconfirmed', 'delivered', true],
    ['retraction', 'delivered', false],
  ])
  expect(await removeAll(t, stream!)).toMatchObject({ removed: 0 })
  await t.db.run('UPDATE chain SET finalized_number = 2 WHERE id = $1', [chainId])
  expect(await removeAll(t, stream!)).toMatchObject({ removed: 2 })
})

test('behavior: webhooks of a chain that was reset are removed, also if the new chain is shorter', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver()
  const [stream] = await insertStreams(t.db, [receiver.url])
  const delivery = await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 6))
  await t.untilValue(queueLength, 0)
  await delivery.close()
  await storeBlocks(t)
  await finalize(t, 2n)
  expect(await removeAll(t, stream!)).toMatchObject({ removed: 2 })
  await t.db.transaction((tx) => removeChain(tx, chainId))
  await finalize(t, 1n)
  await t.db.run(
    `INSERT INTO block (chain_id, number, hash, parent_hash, timestamp) VALUES ($1, 3, '\\x99', '\\x00', 0)`,
    [chainId],
  )
  expect(await removeAll(t, stream!)).toMatchObject({ removed: 4 })
  await t.enqueue(testWebhooks(stream!, 7, 8))
  await t.start()
  await t.untilValue(queueLength, 0)
  await t.db.transaction((tx) => removeChain(tx, chainId))
  expect(await removeAll(t, stream!)).toMatchObject({ removed: 2 })
})

test('behavior: a webhook whose replay is being queued is kept until the replay is sent', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver()
  const [stream] = await insertStreams(t.db, [receiver.url])
  await finalize(t, 10n)
  const delivery = await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 2))
  await t.untilValue(queueLength, 0)
  await delivery.close()
  const [[id] = ['']] = await t.db.rows<[string]>('SELECT id::text FROM webhook ORDER BY position LIMIT 1')
  let replaying: Promise<unknown> | undefined
  // The replay has queued its row and waits to read the stream. The removal happens in between.
  await t.db.transaction(async (tx) => {
    await tx.run('LOCK TABLE stream IN ACCESS EXCLUSIVE MODE')
    replaying = storeOf(t).replay(stream!.id, id)
    await expect.poll(() => lockWaits(t.db)).toBe(1)
    expect(await removeAll(t, stream!)).toMatchObject({ removed: 1 })
  })
  await replaying
  await t.start()
  await t.untilValue(queueLength, 0)
  expect(receiver.received.length).toBe(3)
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: an unconfirmed webhook and its confirmed one share one stored body, and both are sent and read completely', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver()
  const [stream] = await insertStreams(t.db, [receiver.url])
  await finalize(t, 10n)
  const webhooks = [
    testWebhook(stream!, { number: 1, padding: 5_000 }),
    testWebhook(stream!, { number: 1, padding: 5_000, kind: 'confirmed' }),
    // The contracts' names changed between the two webhooks, so they cannot share a body.
    testWebhook(stream!, { number: 2, padding: 10 }),
    testWebhook(stream!, { number: 2, padding: 11, kind: 'confirmed' }),
  ]
  const delivery = await t.start()
  for (const webhook of webhooks) await t.enqueue([webhook])
  await receiver.until(4)
  await t.untilValue(queueLength, 0)
  expect(receiver.received.map(({ body }) => body)).toEqual(webhooks.map(({ body }) => body))
  const lengths = await t.db.rows<[number, number]>(
    'SELECT octet_length(t.body), b.bytes FROM webhook_text t JOIN webhook_body b USING (partition, position) ORDER BY position',
  )
  const sizes = webhooks.map(({ body }) => Buffer.byteLength(body))
  expect(lengths).toEqual(sizes.map((size, i) => [i === 1 ? 0 : size, size]))
  const { items } = await createStreamQuery({ db: t.db }).deliveries(lists)
  expect(items.map(({ payload }) => JSON.stringify(payload))).toEqual(webhooks.map(({ body }) => body).reverse())
  await storeOf(t).replayRange(stream!.id, { chainId: null, fromBlock: null, toBlock: null, status: null })
  await receiver.until(8)
  expect(receiver.received.slice(4).map(({ body }) => body)).toEqual(webhooks.map(({ body }) => body))
  await t.untilValue(queueLength, 0)
  await delivery.close()
  // The first removal includes the webhook that shares another webhook's body.
  expect([await removeAll(t, stream!), await removeAll(t, stream!)]).toMatchObject([{ removed: 3 }, { removed: 1 }])
  expect(await t.db.rows('SELECT 1 FROM webhook_text')).toEqual([])
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: a secret that a rotation replaced is deleted after its overlap', async () => {
  await using t = await createTestDelivery()
  const [stream] = await insertStreams(t.db, ['http://127.0.0.1:1/'])
  await t.db.transaction(async (tx) => {
    await keepSecret(tx, { ...stream!, secret: 'whsec_expired', overlapMs: -1 })
    await keepSecret(tx, { ...stream!, secret: 'whsec_valid', overlapMs: 60_000 })
  })
  await t.db.transaction((tx) => forgetRemovedWebhooks(tx, new Set([BigInt(stream!.partition)]), new Date(0)))
  expect(await t.db.rows('SELECT secret FROM webhook_secret')).toEqual([['whsec_valid']])
})
