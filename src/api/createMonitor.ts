import type { Database } from '../db/database.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Log } from '../util/log.ts'
import type { Served } from './http/server.ts'
import { wireRoutes } from './http/wireRoutes.ts'
import type { ApiConfig } from './keys/keyring.ts'
import { serviceRoutes } from './routes/service.ts'

export type MonitorOptions = {
  config: ApiConfig
  log: Log
  metrics: Metrics
  db: Database
  /** Names of unready parts; empty: ready. */
  ready(): Promise<string[]>
  /** Unreachable nodes of the database's cluster. */
  unreachableNodes(): readonly string[]
  version: string
}

/** Routes of a process without an API: `/health`, `/ready` and `/metrics`, with the same rules as in the API. */
export function createMonitor({ config, log, metrics, db, ready, unreachableNodes, version }: MonitorOptions): Served {
  const routes = serviceRoutes({
    version,
    ready,
    unreachableNodes,
    metrics,
    metricsPublic: config.metricsPublic,
    page: () => undefined,
  })
  const { app } = wireRoutes({ routes: () => routes, config, db, metrics, log })
  return { fetch: app.fetch }
}
