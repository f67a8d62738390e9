import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { insertStreams, testWebhook } from '../../../test/stream/streams.ts'
import { isUniqueViolation } from '../../db/databaseError.ts'
import type { Attempt } from './attempt.ts'
import { enqueueWebhooks } from './enqueueWebhooks.ts'
import { recountLedger } from './recountLedger.ts'
import { settleAttempts } from './settleAttempts.ts'
import { addUrls, urlHash } from './urlHash.ts'
import { writeNewAttempts } from './writeAttempts.ts'

const url = 'https://receiver.example/hook'

async function open() {
  const database = await createTestDatabase()
  const { db } = database
  const [stream] = await insertStreams(db, [url])
  await addUrls(db, [url])
  await db.transaction((tx) => enqueueWebhooks(tx, [testWebhook(stream!, { number: 1 })]))
  const [row] = await db.rows<[bigint]>('SELECT position FROM webhook')
  const attempt = (ms: number, outcome: Attempt['outcome']): Attempt => ({
    partition: stream!.partition,
    streamId: stream!.id,
    chainId: 31_337n,
    position: row![0],
    replay: 0,
    number: 1,
    urlHash: urlHash(url),
    at: new Date(1_700_000_000_000),
    ms,
    outcome,
  })
  return {
    db,
    rejected: attempt(1, { status: 'failed', error: 'answered 500', code: 500, retryAt: new Date(1_700_000_060_000) }),
    taken: attempt(2, { status: 'delivered', code: 200, answer: Buffer.alloc(0) }),
    settle: (...attempts: Attempt[]) => db.transaction((tx) => settleAttempts(tx, attempts, new Date())),
    settleNew: (...attempts: Attempt[]) =>
      db.transaction((tx) => settleAttempts(tx, attempts, new Date(), writeNewAttempts)),
    async expectCounted(counters: bigint[], numbers: [number, boolean][]) {
      expect(await db.rows('SELECT delivered, failed FROM webhook_delivered')).toEqual([counters])
      expect(await db.rows('SELECT number, delivered FROM webhook_attempt ORDER BY number')).toEqual(numbers)
      expect((await recountLedger(db)).mismatches).toEqual([])
    },
    [Symbol.asyncDispose]: database.drop,
  }
}

test('behavior: an attempt whose commit was not confirmed is settled again and counts once', async () => {
  await using t = await open()
  await t.settle(t.rejected)
  await t.settle(t.rejected)
  await t.expectCounted([0n, 1n], [[1, false]])
})

test('behavior: attempts of two processes under one number both count, and a 2xx of one delivers the webhook', async () => {
  await using t = await open()
  await t.settle(t.rejected)
  await t.settle(t.taken)
  await t.expectCounted(
    [1n, 1n],
    [
      [1, false],
      [2, true],
    ],
  )
  await t.settle(t.taken)
  await t.expectCounted(
    [1n, 1n],
    [
      [1, false],
      [2, true],
    ],
  )
  expect(await t.db.rows('SELECT 1 FROM webhook_queue')).toEqual([])
})

test('behavior: two attempts under one number in one batch are two rows, and each counts once', async () => {
  await using t = await open()
  await t.settle(t.rejected, t.taken)
  await t.expectCounted(
    [1n, 1n],
    [
      [1, false],
      [2, true],
    ],
  )
})

test('behavior: new attempts of one webhook, rejected and then accepted, count like any others', async () => {
  await using t = await open()
  await t.settleNew(t.rejected)
  await t.expectCounted([0n, 1n], [[1, false]])
  await t.settleNew({ ...t.taken, number: 2 })
  await t.expectCounted(
    [1n, 1n],
    [
      [1, false],
      [2, true],
    ],
  )
  expect(await t.db.rows('SELECT 1 FROM webhook_queue')).toEqual([])
})

test('error: a batch of new attempts that already exist stores nothing', async () => {
  await using t = await open()
  await t.settle(t.rejected)
  for (const attempt of [t.rejected, t.taken]) await expect(t.settleNew(attempt)).rejects.toSatisfy(isUniqueViolation)
  const both = t.settleNew({ ...t.rejected, number: 2 }, { ...t.taken, number: 2 })
  await expect(both).rejects.toSatisfy(isUniqueViolation)
  await t.expectCounted([0n, 1n], [[1, false]])
})
