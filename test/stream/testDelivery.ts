import { createMetrics } from '../../src/metrics/metrics.ts'
import { createGuardedClient } from '../../src/net/guard/createGuardedClient.ts'
import { type Delivery, type DeliveryOptions, startDelivery } from '../../src/stream/delivery/startDelivery.ts'
import { type WebhookSettings, webhookSettings } from '../../src/stream/delivery/webhookSettings.ts'
import { enqueueWebhooks } from '../../src/stream/ledger/enqueueWebhooks.ts'
import type { NewWebhook } from '../../src/stream/ledger/newWebhook.ts'
import { type Recount, recountLedger } from '../../src/stream/ledger/recountLedger.ts'
import { createLog } from '../../src/util/log.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { patienceMs } from '../patience.ts'

export type TestDelivery = TestDatabase & {
  /** Moves the delivery's clock ahead. */
  advance(ms: number): void
  start(
    leases?: DeliveryOptions['leases'],
    reported?: Partial<Pick<DeliveryOptions, 'onLate' | 'onSent' | 'log'>>,
  ): Promise<Delivery>
  enqueue(webhooks: readonly NewWebhook[]): Promise<void>
  recount(): Promise<Recount>
  /** Waits until the query's first value equals this. */
  untilValue(sql: string, value: unknown, values?: unknown[]): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts delivery on a new database, or on one of the test, with a clock that the test controls. */
export async function createTestDelivery(
  settings: Partial<WebhookSettings> = {},
  given?: TestDatabase,
): Promise<TestDelivery> {
  const database = given ?? (await createTestDatabase({ poolSize: 8 }))
  const { db } = database
  const running = new Set<Delivery>()
  const client = createGuardedClient({ settings: { allow: ['127.0.0.1'], postConnections: 512 } })
  let ahead = 0
  return {
    ...database,
    advance(ms) {
      ahead += ms
      for (const delivery of running) delivery.wake()
    },
    async start(leases = {}, reported = {}) {
      const delivery = await startDelivery({
        db,
        client,
        settings: { ...webhookSettings.parse({}), ...settings },
        metrics: createMetrics(),
        log: createLog({ level: 'error', mask: (text) => text }),
        clock: () => Date.now() + ahead,
        random: () => 0.5,
        leases,
        ...reported,
      })
      const wrapped = {
        ...delivery,
        async close() {
          running.delete(wrapped)
          await delivery.close()
        },
      }
      running.add(wrapped)
      return wrapped
    },
    enqueue: (webhooks) => db.transaction((tx) => enqueueWebhooks(tx, webhooks)),
    recount: () => recountLedger(db),
    async untilValue(sql, value, values = []) {
      const deadline = performance.now() + patienceMs
      for (;;) {
        const [row] = await db.rows(sql, values)
        if (row?.[0] === value) return
        if (performance.now() > deadline) throw new Error(`${sql}: ${row?.[0]} instead of ${value}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    async [Symbol.asyncDispose]() {
      for (const delivery of [...running]) await delivery.close()
      await client.close()
      await database.drop()
    },
  }
}
