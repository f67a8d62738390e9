import { setTimeout as delay } from 'node:timers/promises'
import { sqlState } from '../databaseError.ts'

/**
 * SQLSTATEs with which a replica ends a statement, or its connection, that blocks replaying:
 * https://www.postgresql.org/docs/18/hot-standby.html#HOT-STANDBY-CONFLICT.
 */
const conflicts = new Set(['40001', '40P01'])

/** Whether replaying ended a statement of a replica. */
export function isConflict(error: unknown): boolean {
  return conflicts.has(sqlState(error) ?? '')
}

/** Pauses before a statement is repeated, in milliseconds. */
const pausesMs = [0, 20, 100, 300]

/** The result of reading a replica, with at most four retries while `isPassing` is true of the error: reading twice changes nothing. */
export async function reread<T>(
  work: () => Promise<T>,
  isPassing: (error: unknown) => boolean = isConflict,
): Promise<T> {
  for (const pause of pausesMs)
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error)) throw error
      await delay(pause)
    }
  return work()
}
