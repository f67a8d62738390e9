import type { Database } from '../../db/database.ts'
import { pauseStream } from './pauseStream.ts'

/**
 * Pauses streams whose matches cannot be read or stored, with the reason for their owners. A stream that is paused or terminated
 * stays as it is. Answers those that this call paused.
 */
export async function pauseStreams(db: Database, streamIds: readonly string[], reason: string): Promise<string[]> {
  const paused: string[] = []
  for (const id of streamIds) if (await db.transaction((tx) => pauseStream(tx, id, reason))) paused.push(id)
  return paused
}
