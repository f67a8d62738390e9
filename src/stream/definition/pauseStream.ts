import type { Database, Transaction } from '../../db/database.ts'
import { changeStream } from './changeStream.ts'
import { isMatched, readStream } from './streamStore.ts'

/** Characters of a status message. */
const longestReason = 2_000

/**
 * Pauses a stream with the reason for its owner: it keeps its place and what it owes. False where it is paused or terminated
 * already, or gone.
 */
export async function pauseStream(tx: Transaction, id: string, reason: string): Promise<boolean> {
  const before = await readStream(tx, id, true)
  if (!before || !isMatched(before.status)) return false
  const after = { ...before, status: 'paused' as const, statusMessage: reason.slice(0, longestReason) }
  await changeStream(tx, { before, after, heads: new Map() })
  return true
}

/**
 * Pauses streams whose matches cannot be read or stored, with the reason for their owners. A stream that is paused or terminated
 * stays as it is. Answers those that this call paused.
 */
export async function pauseStreams(db: Database, streamIds: readonly string[], reason: string): Promise<string[]> {
  const paused: string[] = []
  for (const id of streamIds) if (await db.transaction((tx) => pauseStream(tx, id, reason))) paused.push(id)
  return paused
}
