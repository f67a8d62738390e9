import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { createGuardedClient } from '../net/guard/createGuardedClient.ts'
import { type SentTest, sendTestWebhook } from '../stream/delivery/attempt/sendTestWebhook.ts'
import { startDelivery } from '../stream/delivery/startDelivery.ts'
import type { Log } from '../util/log.ts'
import type { Urgency } from './openWorkPriority.ts'
import { startOperationalWebhooks } from './startOperationalWebhooks.ts'

export type WebhookOptions = {
  config: Config
  db: Database
  workPriority: Urgency
  metrics: Metrics
  log: Log
  undo: (() => Promise<void>)[]
  /** Aborts when the service closes: delivery ends at once, also while requests are still answered. */
  signal: AbortSignal
}

export type Webhooks = {
  /** Sends the test webhook of a stream. */
  sendTest(stream: Parameters<typeof sendTestWebhook>[0]): Promise<SentTest>
}

/** Opens the guarded client for receivers, which also sends test webhooks, and starts delivery if the role includes it. */
export async function startWebhooks(options: WebhookOptions): Promise<Webhooks> {
  const { config, db, workPriority, metrics, log, undo, signal } = options
  const { webhooks: settings, role, outbound } = config
  // URLs of one origin share its connections. So there are as many as attempts, and a hanging one takes none from another.
  const client = createGuardedClient({
    settings: {
      ...outbound,
      timeoutMs: settings.timeoutMs,
      postConnections: settings.maxConcurrency,
    },
    metrics,
    log,
  })
  undo.push(client.close)
  if (role === 'all' || role === 'deliver') {
    const delivery = await startDelivery({
      ...{ db, client, settings, metrics, log },
      onLate: () => workPriority.late('webhooks'),
      onSent: workPriority.sent,
      pauseMs: workPriority.webhookPauseMs,
      onPause: workPriority.webhooksPause,
    })
    undo.push(delivery.close)
    // The close that awaits it reports a failure.
    signal.addEventListener('abort', () => void delivery.close().catch(() => undefined), { once: true })
    startOperationalWebhooks({ config, db, client, log, undo })
  }
  return { sendTest: (stream) => sendTestWebhook(stream, { db, client, settings }) }
}
