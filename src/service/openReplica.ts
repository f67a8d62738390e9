import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { ReplicaLag } from '../api/routes/service.ts'
import type { Config } from '../config/config.ts'
import { createDatabase, type Database } from '../db/database.ts'
import { createPipeline } from '../db/pipeline/pipeline.ts'
import { checkReplica, ReplicaError } from '../db/replica/checkReplica.ts'
import { createReplicaReads, type PageSource } from '../db/replica/createReplicaReads.ts'
import { isConflict } from '../db/replica/reread.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Log } from '../util/log.ts'
import { clientTimeouts, pageQueueMs } from './openDatabases.ts'
import { createReplicaWatch, type ReplicaWatch } from './watchReplica.ts'

/** Time without an answer after which a replica is unreachable, in milliseconds. */
const unresponsiveMs = 3_000

/** How long the start waits until the replica has this process's writes, in milliseconds; one that lags more is used anyway. */
const provenMs = 5_000

/** The read replica, from which pages are read instead of the primary. */
export type OpenReplica = PageSource &
  Pick<ReplicaWatch, 'status' | 'clockBehindMs'> & {
    /** Its lag; undefined: it is unreachable, or no longer a replica. */
    lag(): ReplicaLag | undefined
  }

/**
 * Opens the configured read replica, with half as many connections as `databasePoolSize` and two more; undefined: pages are read from the primary.
 * Throws ReplicaError and PooledSessionsError.
 */
export async function openReplica(options: {
  config: Config
  primary: Database
  /** The id of this process. */
  own: string
  metrics: Metrics
  log: Log
  undo: (() => Promise<void>)[]
  signal: AbortSignal
}): Promise<OpenReplica | undefined> {
  const { config, primary, own, metrics, log, undo, signal } = options
  const servesPages = config.role === 'all' || config.role === 'api'
  if (config.databaseReadUrl === null || !servesPages) return undefined
  const connection = { connectionString: config.databaseReadUrl }
  const timely = { connection: { ...connection, ...clientTimeouts }, log }
  const { host, port } = new pg.Client(connection)
  const name = `${host}:${port}`

  const starting = createDatabase({ ...timely, poolSize: 1 })
  await checkReplica({ primary, replica: starting, connection }).finally(starting.close)
  // An unresponsive one is detected within seconds, as it is queried every second.
  const bounds = { query_timeout: unresponsiveMs, connectionTimeoutMillis: unresponsiveMs }
  const requesting = createDatabase({ connection: { ...connection, ...bounds }, log, poolSize: 1 })
  undo.push(requesting.close)
  const watch = createReplicaWatch({ primary, replica: requesting, own, host: name, metrics, log })
  await untilProven(watch)
  const watching = watch.watch(signal)
  undo.push(() => watching)

  const quarter = Math.ceil(config.databasePoolSize / 4)
  const onError = (error: unknown) => {
    if (isConflict(error)) metrics.replicaConflicts.inc({ replica: name })
  }
  const db = createDatabase({ ...timely, poolSize: quarter, onError })
  undo.push(db.close)
  const reader = createPipeline({ ...timely, connections: quarter, queueTimeoutMs: pageQueueMs, onError })
  undo.push(reader.close)
  const lookups = createPipeline({ ...timely, connections: 1, queueTimeoutMs: pageQueueMs, onError })
  undo.push(lookups.close)
  const reads = createReplicaReads({
    source: { db, reader, lookups },
    rejection() {
      const found = watch.status()
      return found.status === 'following' ? undefined : `the read replica ${found.reason}`
    },
  })
  log.info({ host: name }, 'read replica in use')
  return {
    ...reads,
    status: watch.status,
    clockBehindMs: watch.clockBehindMs,
    lag() {
      const found = watch.status()
      if (found.status !== 'following') return undefined
      return { lagSeconds: found.lagMs / 1_000, lagBytes: found.lagBytes, isPaused: found.isPaused }
    },
  }
}

/** Throws ReplicaError if the server turns out to follow another primary. */
async function untilProven(watch: ReplicaWatch): Promise<void> {
  for (const deadline = performance.now() + provenMs; !watch.isProven(); await delay(50)) {
    await watch.look()
    const found = watch.status()
    if (found.status === 'refused') throw new ReplicaError(`databaseReadUrl leads to a server that ${found.reason}`)
    if (performance.now() > deadline) return
  }
}
