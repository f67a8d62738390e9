import { createDatabase } from '../../src/db/database.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { createGuardedClient } from '../../src/net/guard/createGuardedClient.ts'
import { startDelivery } from '../../src/stream/delivery/startDelivery.ts'
import { webhookSettings } from '../../src/stream/delivery/webhookSettings.ts'
import { createLog } from '../../src/util/log.ts'

/** A process that delivers until it is killed. It also ends with its parent process. */
const [databaseUrl = '', settings = '{}', leases = '{}'] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
const log = createLog({ level: 'error', mask: (text) => text })
const db = createDatabase({ connection: { connectionString: databaseUrl }, poolSize: 6, log })
await startDelivery({
  db,
  client: createGuardedClient({ settings: { allow: ['127.0.0.1'], postConnections: 512 } }),
  settings: webhookSettings.parse(JSON.parse(settings)),
  metrics: createMetrics(),
  log,
  leases: JSON.parse(leases),
})
process.send?.('ready')
