import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { defaultSettings, type GuardedClient } from './net/client.ts'
import { createGuardedClient } from './net/createGuardedClient.ts'
import { startDelivery } from './stream/delivery/startDelivery.ts'

export type WebhookOptions = {
  config: Config
  db: Database
  metrics: Metrics
  log: Log
  undo: (() => Promise<void>)[]
}

/** Opens the door to receivers, which test webhooks go through as well, and delivers where the role says so. */
export async function startWebhooks({ config, db, metrics, log, undo }: WebhookOptions): Promise<GuardedClient> {
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
  return client
}
