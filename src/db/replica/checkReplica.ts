import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { MintmarkError, UnavailableError } from '../../util/errors.ts'
import { isCitus } from '../cluster/citus.ts'
import type { Database, Sql } from '../database.ts'
import { DatabaseUnavailableError, sqlState } from '../databaseError.ts'
import { ownSchema } from '../ownSchema.ts'
import { reachDatabase } from '../server/reachDatabase.ts'
import { readPrimaryState, readReplicaState, whyNoReplica } from './replicaState.ts'
import { reread } from './reread.ts'

/** The server at the read replica's address cannot be used; the message has the reason. */
export class ReplicaError extends MintmarkError {
  readonly code = 'REPLICA'
}

/** Pages cannot be read from the replica now; the message has the reason. HTTP 503. */
export class ReplicaUnavailableError extends UnavailableError {
  override readonly outage = 'replica'
}

/** Time for the migrations of this start to reach the replica, in milliseconds. */
const migrationsMs = 10_000

/**
 * Checks at the start of a process that pages can be read from the read replica's address: it must be a streaming replica of this database, with all
 * of its tables. Throws ReplicaError, and PooledSessionsError.
 */
export async function checkReplica(options: {
  primary: Sql
  replica: Database
  connection: pg.ClientConfig
  waitMs?: number
}): Promise<void> {
  const { primary, replica, connection, waitMs = migrationsMs } = options
  const replicaError = (why: string) => new ReplicaError(`databaseReadUrl leads to a server that ${why}`)
  if (await isCitus(primary))
    throw new ReplicaError(
      'databaseReadUrl is for a database on one server, and this one has Citus, whose nodes replay apart from each other (more nodes serve more pages)',
    )
  await reread(() => reachDatabase(replica, connection, { what: 'the read replica' })).catch((cause: unknown) => {
    if (cause instanceof DatabaseUnavailableError) throw new ReplicaError(cause.message, { cause: cause.cause })
    throw sqlState(cause) === undefined
      ? cause
      : new ReplicaError(`the read replica rejects statements: ${(cause as Error).message}`, { cause })
  })
  for (const deadline = performance.now() + waitMs; ; await delay(100)) {
    const state = await reread(() => readReplicaState(replica))
    const given = await readPrimaryState(primary)
    const why = whyNoReplica(state, given)
    if (why !== undefined) throw replicaError(why)
    if (state.tableId !== given.tableId && state.replayed! >= given.written)
      throw replicaError(
        'does not show this user the tables of databaseUrl: use the same user, or give this user the same search_path',
      )
    const missing = await reread(() => whatIsMissing(primary, replica, state.tableId !== null))
    if (missing === undefined) return
    if (missing.forGood || performance.now() > deadline) throw replicaError(missing.why)
  }
}

/** What the replica lacks for pages; undefined: nothing. `forGood`: replaying does not fix it. */
async function whatIsMissing(
  primary: Sql,
  replica: Sql,
  hasTables: boolean,
): Promise<{ why: string; forGood: boolean } | undefined> {
  const behind = 'has not replayed the tables that this program made: check that it replicates, and start again'
  if (!hasTables) return { why: behind, forGood: false }
  const [[unread] = [null]] = await replica.rows<[string | null]>(
    `SELECT min(relname)::text FROM pg_class WHERE relnamespace = ${ownSchema}
       AND relkind IN ('r', 'p', 'v') AND NOT has_table_privilege(oid, 'SELECT')`,
  )
  if (unread !== null)
    return { why: `does not let this user read the table ${unread}: use the user of databaseUrl`, forGood: true }
  const done = 'SELECT coalesce(max(id), 0) FROM migration'
  const [[there] = [0]] = await replica.rows<[number]>(done)
  const [[here] = [0]] = await primary.rows<[number]>(done)
  return there < here ? { why: `${behind} (it is at migration ${there} of ${here})`, forGood: false } : undefined
}
