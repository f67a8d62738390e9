import { randomBytes } from 'node:crypto'
import type { Database, Sql } from '../../db/database.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Log } from '../../util/log.ts'
import type { ApiConfig } from '../keys/keyring.ts'
import { createKeyring, type Keyring } from '../keys/keyring.ts'
import { createApp, operationsByPath } from './app.ts'
import { createCors } from './cors.ts'
import { createNegotiate } from './negotiate.ts'
import { createPacer } from './pacer.ts'
import { defaultBodyBytes } from './readJson.ts'
import { maxTargetLength } from './rejections.ts'
import { createRespond } from './respond.ts'
import type { Route } from './route.ts'
import { createScheduler } from './scheduler.ts'

/** Wraps routes in the common handling of requests: limits, keys, rates, CORS, negotiation. */
export function wireRoutes(options: {
  /** Session routes need the keyring. */
  routes: (keyring: Keyring) => readonly Route[]
  config: ApiConfig
  db: Database
  /** Looks up API keys; default: `db`. */
  lookups?: Sql | undefined
  metrics: Metrics
  log: Log
}) {
  const { config, db, lookups, metrics, log } = options
  const keyring = createKeyring({ db, lookups, config })
  const routes = options.routes(keyring)
  const common = {
    keyring,
    cors: createCors(config.cors),
    negotiate: createNegotiate(),
    requestId: createRequestIds(),
    count: metrics.requests.count,
  }
  const operations = operationsByPath(routes)
  const respond = createRespond({
    ...{ ...common, scheduler: createScheduler(), pacer: createPacer(), log },
    ...{ maxTargetLength, maxBodyBytes: defaultBodyBytes },
  })
  return { app: createApp({ operations, respond, log }), operations, respond, common }
}

const sane = /^[A-Za-z0-9._:@/+=-]{1,128}$/

/**
 * Assigns request ids: the client's own if it is short and plain, else a random prefix of this process and a counter. A
 * random id would cost ten times as much.
 */
export function createRequestIds(): (incoming: string | undefined) => string {
  const prefix = randomBytes(6).toString('hex')
  let count = 0
  return (incoming) =>
    incoming !== undefined && sane.test(incoming) ? incoming : `${prefix}-${(++count).toString(36)}`
}
