import { expect, test, vi } from 'vitest'
import { patience } from '../patience.ts'
import { startReceiver } from '../receiver.ts'
import { insertStreams, testWebhooks } from './streams.ts'
import { createTestDelivery, type TestDelivery } from './testDelivery.ts'

/** Longer than webhooks may wait for the database before they are late. */
const longMs = 300

/** Locks a table until `work` is done and webhooks have waited for it long enough. */
async function whileLocked(t: TestDelivery, table: string, work: () => Promise<void>): Promise<void> {
  await t.db.transaction(async (tx) => {
    await tx.script(`LOCK TABLE ${table}`)
    await work()
    const since = performance.now()
    await vi.waitUntil(() => performance.now() - since > longMs, patience)
  })
}

test('behavior: webhooks are late where the database keeps them waiting, on their way into memory and into the ledger', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver()
  const [stream] = await insertStreams(t.db, [receiver.url])
  let late = 0
  let sent = 0
  await t.start({}, { onLate: () => late++, onSent: () => sent++ })
  const delivered = (webhooks: number) =>
    t.untilValue(`SELECT count(*)::int FROM webhook WHERE status = 'delivered'`, webhooks)

  await whileLocked(t, 'stream', () => t.enqueue(testWebhooks(stream!, 1, 1)))
  await delivered(1)
  expect(late).toBeGreaterThan(0)

  const before = late
  await whileLocked(t, 'webhook_attempt', async () => {
    await t.enqueue(testWebhooks(stream!, 2, 2))
    await receiver.until(2)
  })
  await delivered(2)
  expect(late).toBeGreaterThan(before)
  expect(sent).toBe(2)
})
