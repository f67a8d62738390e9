import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { defaultSettings } from '../net/client.ts'
import { createGuardedClient } from '../net/guard/createGuardedClient.ts'
import { type SentTest, sendTestWebhook } from '../stream/delivery/attempt/sendTestWebhook.ts'
import { startDelivery } from '../stream/delivery/startDelivery.ts'
import { createLegacySignature } from '../stream/sign/legacySignature.ts'
import { startNotices } from './startNotices.ts'

export type WebhookOptions = {
  config: Config
  db: Database
  metrics: Metrics
  log: Log
  undo: (() => Promise<void>)[]
}

export type Webhooks = {
  /** Asks a receiver with the test webhook whether it takes webhooks. */
  sendTest(stream: Parameters<typeof sendTestWebhook>[0]): Promise<SentTest>
}

/** Opens the door to receivers, which test webhooks go through as well, and delivers where the role says so. */
export async function startWebhooks({ config, db, metrics, log, undo }: WebhookOptions): Promise<Webhooks> {
  const { webhooks: settings, role, outbound } = config
  // Addresses share the connections of their origin, so there are as many as attempts: one that hangs takes none of another's.
  const client = createGuardedClient({
    settings: {
      ...defaultSettings,
      ...outbound,
      timeoutMs: settings.timeoutMs,
      postConnections: settings.maxConcurrency,
    },
    metrics,
    log,
  })
  undo.push(client.close)
  if (role === 'all' || role === 'deliver') {
    const delivery = await startDelivery({ db, client, settings, metrics, log })
    undo.push(delivery.close)
  }
  const legacySignature = await createLegacySignature()
  if (role === 'all' || role === 'deliver') startNotices({ config, db, client, legacySignature, log, undo })
  return { sendTest: (stream) => sendTestWebhook(stream, { db, client, legacySignature, settings }) }
}
