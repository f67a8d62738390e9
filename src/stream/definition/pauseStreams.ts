import type { Database, Transaction } from '../../db/database.ts'
import { dropOperationalWebhooks } from '../operational/operationalWebhooks.ts'
import { changeStream } from './changeStream.ts'
import { isMatched, readStream } from './streamStore.ts'

/** Characters of a status message. */
const longestReason = 2_000

/**
 * Pauses a stream with a reason for its owner. It keeps its place and its pending webhooks. False if it is already
 * paused or terminated, or was deleted.
 */
async function pauseStream(tx: Transaction, id: string, reason: string): Promise<boolean> {
  const before = await readStream(tx, id, true)
  if (!before || !isMatched(before.status)) return false
  const after = { ...before, status: 'paused' as const, statusMessage: reason.slice(0, longestReason) }
  await changeStream(tx, { before, after, heads: new Map() })
  return true
}

/**
 * Pauses streams whose matches cannot be read or stored, each in its own transaction. Returns the streams that it
 * paused.
 */
export async function pauseStreams(db: Database, streamIds: readonly string[], reason: string): Promise<string[]> {
  const paused: string[] = []
  for (const id of streamIds) if (await db.transaction((tx) => pauseStream(tx, id, reason))) paused.push(id)
  return paused
}

/** Ids of streams that a server on this database would send to or probe. */
export async function readSendingStreams(tx: Transaction): Promise<string[]> {
  const rows = await tx.rows<[string]>(`SELECT id::text FROM stream WHERE status IN ('active', 'error') ORDER BY id`)
  return rows.map(([id]) => id)
}

/**
 * Prevents a restored database from sending anything: pauses its streams, and deletes pending operational webhooks, which the original database sends.
 */
export async function pauseRestored(tx: Transaction, streamIds: readonly string[], reason: string): Promise<void> {
  for (const id of streamIds) await pauseStream(tx, id, reason)
  await dropOperationalWebhooks(tx)
}
