import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { retractAbove } from '../../../test/stream/retractAbove.ts'
import { loadRetries, withIndexes } from '../delivery/attempt/loadWebhooks.ts'
import { readDeliveries } from './answers/readDeliveries.ts'
import { enqueueWebhooks } from './enqueueWebhooks.ts'
import type { NewWebhook } from './newWebhook.ts'
import { recountLedger } from './recountLedger.ts'
import { emptyLists } from './webhookBody.ts'

const streamId = randomUUID()
const chainId = 31_337n

function webhook(number: bigint, fork: string, kind: NewWebhook['kind'], logs = 1): NewWebhook {
  const blockHash = `0x${fork.repeat(62)}${number.toString(16).padStart(2, '0')}` as const
  const block = { number: String(number), hash: blockHash, timestamp: String(1_700_000_000n + number) }
  const head = {
    confirmed: kind === 'confirmed',
    chainId: '0x7a69',
    abi: [],
    streamId,
    tag: 'a tag',
    retries: 0,
    block,
  }
  return {
    partition: 7,
    streamId,
    chainId,
    blockNumber: number,
    blockHash,
    kind,
    part: 1,
    parts: 1,
    body: JSON.stringify({ ...head, ...emptyLists }),
    counts: { logs, txs: 2, txsInternal: 3 },
    live: true,
  }
}

async function open() {
  const database = await createTestDatabase()
  const { db } = database
  const ledger = () =>
    db.rows<[string, string, string, boolean, number, string]>(
      `SELECT kind, id::text, status, retracted, flips, body FROM webhook JOIN webhook_body USING (partition, position) ORDER BY position`,
    )
  const totals = async () => (await db.rows('SELECT matched, dropped, logs, txs, txs_internal FROM webhook_matched'))[0]
  return { ...database, ledger, totals, [Symbol.asyncDispose]: database.drop }
}

test('default: webhooks are written in order, queued, and counted when confirmed', async () => {
  await using t = await open()
  await t.db.transaction((tx) =>
    enqueueWebhooks(tx, [
      webhook(1n, 'a', 'unconfirmed'),
      webhook(2n, 'a', 'unconfirmed'),
      webhook(1n, 'a', 'confirmed'),
    ]),
  )
  expect((await t.ledger()).map(([kind]) => kind)).toEqual(['unconfirmed', 'unconfirmed', 'confirmed'])
  expect(await t.totals()).toEqual([3n, 0n, 1n, 2n, 3n])
  const spans = await t.db.rows('SELECT step, logs, txs, txs_internal FROM webhook_matched_span ORDER BY step')
  expect(spans).toEqual([
    ['hour', 1n, 2n, 3n],
    ['minute', 1n, 2n, 3n],
  ])
  const queued = await t.db.rows('SELECT position FROM webhook_queue WHERE due_at IS NULL AND replay = 0')
  expect(queued.length).toBe(3)
})

test('behavior: a chain that flips between A, B and A retracts each time and gives A webhooks with new ids', async () => {
  await using t = await open()
  const step = (fork: bigint, webhooks: NewWebhook[]) =>
    t.db.transaction(async (tx) => {
      await retractAbove(tx, chainId, fork)
      await enqueueWebhooks(tx, webhooks)
    })
  await step(0n, [webhook(1n, 'a', 'unconfirmed')])
  await step(1n, [webhook(2n, 'a', 'unconfirmed'), webhook(2n, 'a', 'confirmed')])
  await step(1n, [webhook(2n, 'b', 'unconfirmed')])
  await step(1n, [webhook(2n, 'a', 'unconfirmed')])
  const rows = await t.ledger()
  expect(rows.map(([kind, , status, retracted, flips]) => [kind, status, retracted, flips])).toEqual([
    ['unconfirmed', 'pending', false, 0],
    ['unconfirmed', 'dropped', true, 0],
    ['confirmed', 'dropped', true, 0],
    ['retraction', 'pending', false, 0],
    ['unconfirmed', 'dropped', true, 0],
    ['retraction', 'pending', false, 0],
    ['unconfirmed', 'pending', false, 1],
  ])
  expect(new Set(rows.map(([, id]) => id)).size).toBe(rows.length)
  const retraction = JSON.parse(rows[3]![5])
  expect(retraction).toEqual({
    ...JSON.parse(webhook(2n, 'a', 'unconfirmed').body),
    reverted: true,
    revertedWebhookId: rows[1]![1],
  })
  expect(await t.totals()).toEqual([7n, 3n, 1n, 2n, 3n])
})

test('behavior: a failed retraction is retried unless its block returned to the chain meanwhile', async () => {
  await using t = await open()
  const step = (webhooks: NewWebhook[]) =>
    t.db.transaction(async (tx) => {
      await retractAbove(tx, chainId, 1n)
      await enqueueWebhooks(tx, webhooks)
    })
  const retries = async () => {
    const streams = [{ partition: 7, streamId, limit: 10 }]
    const options = { now: new Date(), maxBytes: 1_000_000 }
    const [loaded] = await withIndexes(t.db, (tx) => loadRetries(tx, streams, options))
    return loaded!.webhooks.map(({ retraction, body }) => [retraction, JSON.parse(body).block.hash.slice(0, 3)])
  }
  const statuses = async () => (await t.ledger()).map(([kind, , status, , flips]) => [kind, status, flips])
  await step([webhook(2n, 'a', 'unconfirmed')])
  await step([webhook(2n, 'b', 'unconfirmed')])
  await t.db.run(
    `UPDATE webhook_queue q SET due_at = now() - interval '1 s', failures = 1 FROM webhook w
     WHERE w.partition = q.partition AND w.position = q.position AND w.kind = 'retraction'`,
  )
  expect(await retries()).toEqual([[true, '0xa']])
  await step([webhook(2n, 'a', 'unconfirmed')])
  expect(await retries()).toEqual([])
  expect(await statuses()).toEqual([
    ['unconfirmed', 'dropped', 0],
    ['retraction', 'dropped', 0],
    ['unconfirmed', 'dropped', 0],
    ['retraction', 'pending', 0],
    ['unconfirmed', 'pending', 1],
  ])
  expect((await recountLedger(t.db)).mismatches).toEqual([])
  const queued = await t.db.rows('SELECT count(*) FROM webhook_queue')
  expect(queued).toEqual([[2n]])
})

test('behavior: a failed transaction writes no webhooks', async () => {
  await using t = await open()
  const failing = t.db.transaction(async (tx) => {
    await enqueueWebhooks(tx, [webhook(1n, 'a', 'confirmed')])
    await tx.run('SELECT 1 / 0')
  })
  await expect(failing).rejects.toThrow()
  expect(await t.ledger()).toEqual([])
  expect(await t.totals()).toBeUndefined()
})

test('behavior: a webhook enqueued twice without a retraction in between is stored and counted once', async () => {
  await using t = await open()
  const enqueue = (...webhooks: NewWebhook[]) => t.db.transaction((tx) => enqueueWebhooks(tx, webhooks))
  await enqueue(webhook(1n, 'a', 'confirmed'))
  const first = await t.ledger()
  await enqueue(webhook(1n, 'a', 'confirmed', 5), webhook(2n, 'a', 'confirmed'))
  const rows = await t.ledger()
  expect(rows.slice(0, 1)).toEqual(first)
  expect(rows.length).toBe(2)
  expect(await t.totals()).toEqual([2n, 0n, 2n, 4n, 6n])
  expect((await recountLedger(t.db)).mismatches).toEqual([])
})

test('behavior: a webhook is retracted despite any escapes or unusual text in its body', async () => {
  await using t = await open()
  const tag = 'a "tag": with ,"retries":0,"block":{ and \\ and \u2028'
  const block = { number: '5', hash: webhook(5n, 'a', 'unconfirmed').blockHash, timestamp: '1700000005' }
  // An ABI or a contract's texts may contain this: escapes that PostgreSQL rejects in JSON, and names of our own fields.
  const abi = [{ name: 'a\0b\ud800', tag: 'b', retries: 0, block: { number: '1', hash: '0x', timestamp: '7' } }]
  const body = JSON.stringify({
    confirmed: false,
    chainId: '0x7a69',
    abi,
    streamId,
    tag,
    retries: 0,
    block,
    ...emptyLists,
  })
  await t.db.transaction((tx) => enqueueWebhooks(tx, [{ ...webhook(5n, 'a', 'unconfirmed'), body }]))
  await t.db.transaction((tx) => retractAbove(tx, chainId, 4n))
  const retraction = (await t.ledger()).at(-1)!
  expect(JSON.parse(retraction[5])).toMatchObject({ chainId: '0x7a69', tag, block, reverted: true })
  const { items } = await readDeliveries(t.db, {
    limit: 10,
    after: null,
    excludePayload: true,
    streamId: null,
    status: null,
  })
  expect(items.map((item) => item.tag)).toEqual([tag, tag])
})
