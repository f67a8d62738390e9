import { expect, test, vi } from 'vitest'
import { type Log, noopLog } from '../../src/util/log.ts'
import { patience } from '../patience.ts'
import { startReceiver } from '../receiver.ts'
import { system } from '../system.ts'
import { insertStreams, testWebhooks } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

const maxConcurrency = 4
/** At most 64 attempts wait to be written, plus those in flight at that time. */
const mostSent = 64 + maxConcurrency
const webhookCount = 200

test(
  'behavior: while the ledger rejects attempts, sending stops, and everything is delivered once after it recovers',
  system,
  async () => {
    await using t = await createTestDelivery({ maxConcurrency })
    await using receiver = await startReceiver()
    const streams = await insertStreams(t.db, [`${receiver.url}/a`, `${receiver.url}/b`])
    // As in a database whose tables another program created.
    await t.db.run('ALTER TABLE webhook_delivered RENAME COLUMN attempts TO tries')
    await t.enqueue(streams.flatMap((stream) => testWebhooks(stream, 1, webhookCount / 2)))

    const rejected = createRejections()
    await t.start({}, { log: rejected.log })
    await vi.waitUntil(() => rejected.count() >= 3, patience)
    const sent = receiver.received.length
    expect(sent).toBeGreaterThan(0)
    expect(sent).toBeLessThanOrEqual(mostSent)
    await vi.waitUntil(() => rejected.count() >= 5, patience)
    expect(receiver.received).toHaveLength(sent)

    await t.db.run('ALTER TABLE webhook_delivered RENAME COLUMN tries TO attempts')
    await t.untilValue('SELECT count(*)::int FROM webhook_queue', 0)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(webhookCount)
    expect(new Set(ids).size).toBe(webhookCount)
    expect(await t.recount()).toMatchObject({ attempts: webhookCount, mismatches: [] })
  },
)

/** A log that counts failed writes of attempts. */
function createRejections(): { log: Log; count(): number } {
  let count = 0
  return {
    log: {
      ...noopLog,
      warn(fields) {
        if ('failures' in fields && 'attempts' in fields) count++
      },
    },
    count: () => count,
  }
}
