import type pg from 'pg'
import { MintmarkError } from '../../util/errors.ts'
import { sqlState } from '../databaseError.ts'

/** The timeline of the database diverged: it is another database, or continued from an earlier state. */
export class OtherTimelineError extends MintmarkError {
  readonly code = 'OTHER_TIMELINE'
}

/**
 * Identifies the history of a database: the server and its timeline. A promotion and a recovery to an earlier time start another timeline
 * (https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-TIMELINES).
 */
const selectTimeline = `SELECT system_identifier::text || ' ' || left(pg_walfile_name(pg_current_wal_lsn()), 8) FROM pg_control_system()`

/** SQLSTATEs of a function that does not exist, that this user may not call, or that this server does not support. */
const unavailable: ReadonlySet<string | undefined> = new Set(['42883', '42501', '0A000'])

export type TimelineCheck = {
  /** Checks a new connection. Throws OtherTimelineError if its timeline differs from that of the first one. */
  check(client: pg.ClientBase): Promise<void>
}

/**
 * Restricts the connections of a process to one timeline of the database. Data that a standby had not received is lost when it is promoted, and its
 * numbers are used again: positions of webhooks, versions of collections, changes of streams. So the memory of a process, such as responses of
 * receivers, may refer to replaced rows. `onOther` is called once.
 */
export function createTimelineCheck(onOther: (error: OtherTimelineError) => void): TimelineCheck {
  let first: string | undefined
  let isOther = false
  /** The server lacks such functions, or this user may not call them. */
  let isUnavailable = false

  /** undefined: the server does not return it, for example a read-only one. */
  async function timelineOf(client: pg.ClientBase): Promise<string | undefined> {
    try {
      return (await client.query<[string]>({ text: selectTimeline, rowMode: 'array' })).rows[0]?.[0]
    } catch (error) {
      isUnavailable = unavailable.has(sqlState(error))
      return undefined
    }
  }

  return {
    async check(client) {
      const now = isUnavailable ? undefined : await timelineOf(client)
      if (now === undefined) return
      first ??= now
      if (now === first) return
      const error = new OtherTimelineError(
        'the database is not the one of the start, or continued from an earlier state, as after a failover: this process exits, as its memory may contain lost data; start it again',
      )
      if (!isOther) onOther(error)
      isOther = true
      throw error
    },
  }
}
