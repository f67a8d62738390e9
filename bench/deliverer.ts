import { createDatabase } from '../src/db/database.ts'
import { createMetrics } from '../src/metrics/metrics.ts'
import { createGuardedClient } from '../src/net/guard/createGuardedClient.ts'
import { startDelivery } from '../src/stream/delivery/startDelivery.ts'
import { webhookSettings } from '../src/stream/delivery/webhookSettings.ts'
import { createLog } from '../src/util/log.ts'
import { answer, childInput } from './child.ts'
import type { SocketConnection } from './temporaryPostgres.ts'

/** Runs the service's delivery in a separate process. Each message starts or stops it and gets a response. `started`: it starts at once. */
const { connection, settings, started } = childInput<{
  connection: SocketConnection
  settings: object
  started: boolean
}>()
const log = createLog({ level: 'warn', mask: (text) => text })
const db = createDatabase({ connection, poolSize: 8, log })
const client = createGuardedClient({ settings: { allow: ['127.0.0.1'], postConnections: 2_048 } })
const metrics = createMetrics()
const start = () => startDelivery({ db, client, settings: webhookSettings.parse(settings), metrics, log })
let delivery = started ? await start() : undefined
process.on('message', async (message: 'start' | 'stop') => {
  if (message === 'start') delivery = await start()
  else {
    await delivery?.close()
    delivery = undefined
  }
  answer(message)
})
process.on('SIGTERM', async () => {
  await delivery?.close()
  await client.close()
  await db.close()
  process.exit()
})
