import type pg from 'pg'
import { MintmarkError } from '../../util/errors.ts'
import { sqlState } from '../databaseError.ts'

/** The database is not the one of before, or continued from an earlier state of it. */
export class OtherCourseError extends MintmarkError {
  readonly code = 'OTHER_COURSE'
}

/**
 * Identifies the history of a database: the server and its timeline. A promotion and a recovery to an earlier time start another timeline
 * (https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-TIMELINES).
 */
const selectCourse = `SELECT system_identifier::text || ' ' || left(pg_walfile_name(pg_current_wal_lsn()), 8) FROM pg_control_system()`

/** SQLSTATEs of a function that is not there, is not for this user, or is not for this server. */
const untold: ReadonlySet<string | undefined> = new Set(['42883', '42501', '0A000'])

export type Course = {
  /** Looks where a connection leads. Throws OtherCourseError if its timeline differs from that of the first one. */
  check(client: pg.ClientBase): Promise<void>
}

/**
 * Holds the connections of a process to one course of the database. What a standby had not received is lost when it is promoted, and its numbers
 * are given again: positions of webhooks, versions of collections, changes of streams. So the memory of a process, such as responses of receivers,
 * may refer to rows that have been replaced. `onOther` is called once.
 */
export function createCourse(onOther: (error: OtherCourseError) => void): Course {
  let first: string | undefined
  let isOther = false
  /** The server has no such functions, or this user may not call them. */
  let isUntold = false

  /** undefined: the server does not show, as one that only reads. */
  async function courseOf(client: pg.ClientBase): Promise<string | undefined> {
    try {
      return (await client.query<[string]>({ text: selectCourse, rowMode: 'array' })).rows[0]?.[0]
    } catch (error) {
      isUntold = untold.has(sqlState(error))
      return undefined
    }
  }

  return {
    async check(client) {
      const now = isUntold ? undefined : await courseOf(client)
      if (now === undefined) return
      first ??= now
      if (now === first) return
      const error = new OtherCourseError(
        'the database is not the one of the start, or continued from an earlier state, as after a failover: this process exits, as its memory may contain lost data; start it again',
      )
      if (!isOther) onOther(error)
      isOther = true
      throw error
    },
  }
}
