import type { Database, Sql } from '../database.ts'
import { isConnectionError, sqlState } from '../databaseError.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { ReplicaUnavailableError } from './checkReplica.ts'
import { isConflict, reread } from './reread.ts'

/**
 * Where pages are read: connections for statements that may take long or need a snapshot, one for the short statements of cached pages, and those for
 * all others.
 */
export type PageSource = { db: Database; reader: Pipeline; lookups: Sql }

/** SQLSTATE of a timed-out statement. */
const timedOut = '57014'

/** A read that failed this late is not repeated: the client waits, and the replica is probably unreachable. */
const lateMs = 1_000

/**
 * Reads of a replica, repeated if replaying or a lost connection ended them. Throws ReplicaUnavailableError if the replica is unreachable, or with
 * the reason of `rejection` if it must not be read.
 */
export function createReplicaReads(options: { source: PageSource; rejection: () => string | undefined }): PageSource {
  const { source, rejection } = options

  function checked<T>(work: () => Promise<T>): Promise<T> {
    const reason = rejection()
    if (reason !== undefined) throw new ReplicaUnavailableError(`pages cannot be read now: ${reason}; retry`)
    return work()
  }

  async function read<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now()
    const isLost = (error: unknown) => isConnectionError(error) && sqlState(error) !== timedOut
    try {
      return await reread(
        () => checked(work),
        (error) => isConflict(error) || (isLost(error) && performance.now() - began < lateMs),
      )
    } catch (cause) {
      if (isConflict(cause))
        throw new ReplicaUnavailableError('the read replica keeps cancelling this request to replay; retry', {
          cause,
        })
      if (isLost(cause))
        throw new ReplicaUnavailableError('the read replica cannot be reached at the moment; retry', { cause })
      throw cause
    }
  }

  const { db, reader, lookups } = source
  return {
    db: {
      ...db,
      rows: (text, values) => read(() => db.rows(text, values)),
      transaction: (work, settings) => read(() => db.transaction(work, settings)),
    },
    reader: {
      ...reader,
      rows: (text, values) => read(() => reader.rows(text, values)),
      bytes: (text, values) => read(() => reader.bytes(text, values)),
    },
    lookups: {
      ...lookups,
      rows: (text, values) => read(() => lookups.rows(text, values)),
    },
  }
}
