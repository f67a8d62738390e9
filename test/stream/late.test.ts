import { expect, test, vi } from 'vitest'
import { patience } from '../patience.ts'
import { startReceiver } from '../receiver.ts'
import { insertStreams, testWebhooks } from './streams.ts'
import { createTestDelivery, type TestDelivery } from './testDelivery.ts'

/** Longer than webhooks may wait for the database before they are late. */
const longMs = 300

/** Holds a table for `ms` after `work`. */
async function whileLocked(t: TestDelivery, table: string, ms: number, work: () => Promise<void>): Promise<void> {
  await t.db.transaction(async (tx) => {
    await tx.script(`LOCK TABLE ${table}`)
    await work()
    const since = performance.now()
    await vi.waitUntil(() => performance.now() - since > ms, patience)
  })
}

test('behavior: webhooks count as overdue if the database delays loading them or writing their attempts', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver()
  const [stream] = await insertStreams(t.db, [receiver.url])
  let late = 0
  let sent = 0
  let webhooks = 0
  await t.start({}, { onLate: () => late++, onSent: () => sent++ })

  /** Sends one webhook after the other while the table is held, for longer each time: a slow machine begins to wait for it late. */
  async function expectLate(table: string, held: () => Promise<void>): Promise<void> {
    const before = late
    for (let ms = longMs; late === before && ms < 100 * longMs; ms *= 2) {
      webhooks++
      await whileLocked(t, table, ms, async () => {
        await t.enqueue(testWebhooks(stream!, webhooks, webhooks))
        await held()
      })
      await t.untilValue(`SELECT count(*)::int FROM webhook WHERE status = 'delivered'`, webhooks)
    }
    expect(late).toBeGreaterThan(before)
  }

  await expectLate('stream', async () => undefined)
  await expectLate('webhook_attempt', async () => void (await receiver.until(webhooks)))
  expect(sent).toBe(webhooks)
})
