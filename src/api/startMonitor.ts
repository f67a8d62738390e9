import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { ApiConfig } from './apiConfig.ts'
import { serviceRoutes } from './routes/service.ts'
import { type ApiServer, startServer } from './server.ts'
import { wireRoutes } from './wireRoutes.ts'

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
  const routes = serviceRoutes({ version, ready, metrics, metricsPublic: config.metricsPublic })
  const { app, common } = wireRoutes({ routes, config, db, metrics, log })
  const { host, port, shutdownTimeoutMs: closeTimeoutMs } = config
  return startServer({ host, port, fetch: app.fetch, shortcuts: [], requestId: common.requestId, closeTimeoutMs })
}
