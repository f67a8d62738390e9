import pg from 'pg'
import type { Config } from '../../config/config.ts'
import { createDatabase, type Sql } from '../../db/database.ts'
import { readPrimaryState, readReplicaState, whyNoReplica } from '../../db/replica/replicaState.ts'
import { reread } from '../../db/replica/reread.ts'
import { describeError } from '../../util/errors.ts'
import { noopLog } from '../../util/log.ts'

export type ReplicaOverview = {
  /** Host and port. */
  replica: string
  /** Why pages cannot be read from it; null: they can, and the fields below are set. */
  fault: string | null
  /** Bytes of the primary's WAL that are not replayed. */
  lagBytes?: number
  /** Age of the last replayed change, in seconds; 0: the replica is up to date. */
  lagSeconds?: number
  isPaused?: boolean
}

/** Timeout of the replica, in milliseconds. */
const timeoutMs = 5_000

/** Queries the configured read replica; undefined if there is none. */
export async function readReplicaOverview(
  primary: Sql,
  { databaseReadUrl }: Pick<Config, 'databaseReadUrl'>,
): Promise<ReplicaOverview | undefined> {
  if (databaseReadUrl === null) return undefined
  const connection = { connectionString: databaseReadUrl, query_timeout: timeoutMs, connectionTimeoutMillis: timeoutMs }
  const { host, port } = new pg.Client(connection)
  const replica = `${host}:${port}`
  const db = createDatabase({ connection, poolSize: 1, log: noopLog })
  try {
    const state = await reread(() => readReplicaState(db)).catch((error: unknown) => ({
      fault: `no response (${describeError(error)})`,
    }))
    if ('fault' in state) return { replica, fault: state.fault }
    const given = await readPrimaryState(primary)
    const why = whyNoReplica(state, given)
    if (why !== undefined) return { replica, fault: `it ${why}` }
    const lagBytes = Number(given.written - state.replayed!)
    const since = state.replayedAt === null ? 0 : Math.max(0, given.now - state.replayedAt)
    return { replica, fault: null, lagBytes, lagSeconds: lagBytes === 0 ? 0 : since / 1_000, isPaused: state.isPaused }
  } finally {
    await db.close()
  }
}

export function describeReplica({ replica, fault, lagBytes = 0, lagSeconds = 0, isPaused }: ReplicaOverview): string {
  if (fault !== null) return `read replica ${replica}: pages cannot be read from it: ${fault}`
  if (lagBytes === 0) return `read replica ${replica}: up to date`
  const paused = isPaused ? ', replay is paused' : ''
  return `read replica ${replica}: ${(lagBytes / 1_000).toFixed(1)} kB behind, shows the state of ${lagSeconds.toFixed(1)} s ago${paused}`
}
