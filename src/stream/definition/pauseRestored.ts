import type { Transaction } from '../../db/database.ts'
import { dropNotices } from '../notices/notices.ts'
import { pauseStream } from './pauseStream.ts'

/** Streams that would send, or be probed, as soon as a server runs on this database. */
export async function readSendingStreams(tx: Transaction): Promise<string[]> {
  const rows = await tx.rows<[string]>(`SELECT id::text FROM stream WHERE status IN ('active', 'error') ORDER BY id`)
  return rows.map(([id]) => id)
}

/**
 * Has a database that was filled from a backup send nothing: its streams are paused where they stand, with what they owe, and
 * notices to `webhooks.operationsUrl` go, as those that waited are the original's to send.
 */
export async function pauseRestored(tx: Transaction, streamIds: readonly string[], reason: string): Promise<void> {
  for (const id of streamIds) await pauseStream(tx, id, reason)
  await dropNotices(tx)
}
