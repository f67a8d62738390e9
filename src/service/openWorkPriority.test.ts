import { channel } from 'node:diagnostics_channel'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { patience } from '../../test/patience.ts'
import { createDatabase } from '../db/database.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { noopLog } from '../util/log.ts'
import { openWorkPriority } from './openWorkPriority.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function openProcess() {
  const { connection } = database
  const metrics = createMetrics()
  const undo: (() => Promise<void>)[] = []
  const db = createDatabase({ connection, poolSize: 1, log: noopLog })
  undo.push(db.close)
  const workPriority = await openWorkPriority({ db, listens: true, metrics, log: noopLog, undo })
  return {
    workPriority,
    late: async () => (await metrics.urgentLate.get()).values.map(({ labels, value }) => [labels.work, value]),
    async [Symbol.asyncDispose]() {
      for (const stop of undo.reverse()) await stop()
    },
  }
}

test('default: late webhooks of one process are reported to the other processes, but not to itself', async () => {
  await using own = await openProcess()
  await using other = await openProcess()
  own.workPriority.late('webhooks')
  await vi.waitUntil(other.workPriority.isYielding, patience)
  expect(await other.late()).toEqual([['elsewhere', 1]])
  // Notifications come in commit order, so the process's own one has arrived by now.
  other.workPriority.late('head')
  await vi.waitUntil(async () => (await own.late()).length === 2, patience)
  expect(await own.late()).toEqual([
    ['webhooks', 1],
    ['elsewhere', 1],
  ])
})

test('behavior: late requests affect only their own process', async () => {
  await using own = await openProcess()
  await using other = await openProcess()
  own.workPriority.late('requests')
  own.workPriority.late('head')
  await vi.waitUntil(other.workPriority.isYielding, patience)
  expect(await other.late()).toEqual([['elsewhere', 1]])
})

test('behavior: webhooks pause while a busy thread delays many requests, and the time they yielded is reported', async () => {
  await using own = await openProcess()
  const requests = channel('http.server.request.start')
  expect(await own.workPriority.backpressure()).toEqual({ active: false, yielded: [] })
  while (own.workPriority.webhookPauseMs(10) === 0) {
    for (let i = 0; i < 20; i++) requests.publish({})
    for (const end = performance.now() + 40; performance.now() < end; );
    await setImmediate()
  }
  own.workPriority.webhooksPause(1_500)
  expect(await own.workPriority.backpressure()).toEqual({
    active: true,
    yielded: [{ work: 'webhooks', seconds: 1.5 }],
  })
})
