import type { Database } from '../../db/database.ts'
import { changeStream } from './changeStream.ts'
import { isMatched, readStream } from './streamStore.ts'

/** Pauses streams that cannot be matched, with the reason for their owners. Those that are paused already stay as they are. Answers those that are paused now. */
export async function pauseStreams(db: Database, streamIds: readonly string[], reason: string): Promise<string[]> {
  const paused: string[] = []
  for (const id of streamIds)
    await db.transaction(async (tx) => {
      const before = await readStream(tx, id, true)
      if (!before || !isMatched(before.status)) return
      const after = { ...before, status: 'paused' as const, statusMessage: reason }
      await changeStream(tx, { before, after, heads: new Map() })
      paused.push(id)
    })
  return paused
}
