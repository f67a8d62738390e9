import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { ApiConfig } from './apiConfig.ts'
import { createApp, operationsByPath } from './app.ts'
import { createCors } from './cors.ts'
import { createKeyring } from './keyring.ts'
import { createNegotiate } from './negotiate.ts'
import { defaultBodyBytes } from './readJson.ts'
import { createRequestIds } from './requestId.ts'
import { createRespond } from './respond.ts'
import { serviceRoutes } from './routes/service.ts'
import { type ApiServer, startServer } from './server.ts'

export type MonitorOptions = {
  config: ApiConfig & { host: string; port: number }
  log: Log
  metrics: Metrics
  db: Database
  /** Names of what is not ready; none: ready. */
  ready(): Promise<string[]>
  version: string
}

/** What a process that serves no client serves to who watches it: `/health`, `/ready` and `/metrics`, with the same rules. */
export function startMonitor({ config, log, metrics, db, ready, version }: MonitorOptions): Promise<ApiServer> {
  const requestId = createRequestIds()
  const respond = createRespond({
    keyring: createKeyring({ db, config }),
    cors: createCors(config.cors),
    negotiate: createNegotiate(),
    requestId,
    metrics,
    log,
    maxTargetLength: 16_384,
    maxBodyBytes: defaultBodyBytes,
  })
  const routes = serviceRoutes({ version, ready, metrics, metricsPublic: config.metricsPublic })
  const app = createApp({ operations: operationsByPath(routes), respond })
  const { host, port, shutdownTimeoutMs: closeTimeoutMs } = config
  return startServer({
    host,
    port,
    fetch: app.fetch,
    fastPath: () => false,
    repeatPath: () => false,
    requestId,
    closeTimeoutMs,
  })
}
