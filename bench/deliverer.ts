import { createDatabase } from '../src/db/database.ts'
import { createLog } from '../src/log.ts'
import { createMetrics } from '../src/metrics.ts'
import { createGuardedClient } from '../src/net/createGuardedClient.ts'
import { startDelivery } from '../src/stream/delivery/startDelivery.ts'
import { webhookSettings } from '../src/stream/delivery/webhookSettings.ts'
import { childInput } from './child.ts'
import type { SocketConnection } from './temporaryPostgres.ts'

/** The delivery of the service in a process of its own, until it is told to end. */
const { connection, settings } = childInput<{ connection: SocketConnection; settings: object }>()
const log = createLog({ level: 'warn' })
const db = createDatabase({ connection, poolSize: 8, log })
const client = createGuardedClient({ settings: { allow: ['127.0.0.1'], postConnections: 2_048 } })
const delivery = await startDelivery({
  db,
  client,
  settings: webhookSettings.parse(settings),
  metrics: createMetrics(),
  log,
})
process.on('SIGTERM', async () => {
  await delivery.close()
  await client.close()
  await db.close()
  process.exit()
})
