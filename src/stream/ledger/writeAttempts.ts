import type { Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import type { Attempt } from './attempt.ts'
import { inSendQueue, ofSendQueues, type QueuedKey, sendQueueLists, webhookKeys } from './deliveryKeys.ts'

/** The written attempts. */
export type Written = {
  /** Attempts that the ledger did not have, with their numbers in it. */
  attempts: readonly Attempt[]
  /** Positions of pending webhooks that these attempts delivered. */
  pending: readonly bigint[]
}

/** Writes attempts, and removes delivered webhooks from the queue. */
export type WriteAttempts = (tx: Transaction, attempts: readonly Attempt[]) => Promise<Written>

export const isDelivered = ({ outcome }: Attempt): boolean => outcome.status === 'delivered'

/**
 * Writes attempts, some of which may already be in the ledger and do not change it: their transaction was committed
 * without confirmation to this process. If another process made an attempt with the same number while this one was
 * considered dead, both are kept.
 */
export const writeAttempts: WriteAttempts = async (tx, given) => {
  const attempts = await insertMissing(tx, given)
  return { attempts, pending: await deliver(tx, attempts.filter(isDelivered)) }
}

/**
 * Writes attempts as if none were in the ledger, which takes half of the time. If one is, it throws unique_violation,
 * and the transaction is lost.
 */
export const writeNewAttempts: WriteAttempts = async (tx, attempts) => {
  if (attempts.length > 0) await tx.run(insertNewAttempts, made.lists(attempts))
  return { attempts, pending: await deliver(tx, attempts.filter(isDelivered)) }
}

/** Removes delivered webhooks from the queue. Returns the positions of those that were pending. */
async function deliver(tx: Transaction, delivered: readonly Attempt[]): Promise<bigint[]> {
  if (delivered.length === 0) return []
  const lists = sendQueueLists(delivered)
  await tx.run(dropDeliveries, lists)
  const pending = await tx.rows<[bigint]>(deliverPending, lists)
  return pending.map(([position]) => position)
}

/** Removes webhooks from the queue, including their replays. */
export async function endAllDeliveries(tx: Transaction, webhooks: readonly QueuedKey[]): Promise<void> {
  await tx.run(dropDeliveries, sendQueueLists(webhooks))
}

async function insertMissing(tx: Transaction, given: readonly Attempt[]): Promise<Attempt[]> {
  const { written, there } = await insert(tx, given)
  if (there.length === 0) return written
  const numbers = await tx.rows<[number, number]>(renumber, placed.lists(there))
  if (numbers.length === 0) return written
  return [
    ...written,
    ...(await insertMissing(
      tx,
      numbers.map(([place, number]) => ({ ...there[place]!, number })),
    )),
  ]
}

async function insert(
  tx: Transaction,
  attempts: readonly Attempt[],
): Promise<{ written: Attempt[]; there: Attempt[] }> {
  const old = attempts.filter(({ at }) => Number(at) < Date.now() - recentMs)
  const known = old.length === 0 ? [] : await tx.rows<[bigint]>(selectKnown, webhookKeys.lists(old))
  const kept = new Set(known.map(([position]) => position))
  const removed = new Set(old.filter(({ position }) => !kept.has(position)))
  const inserted = await tx.rows(insertAttempts, made.lists(attempts.filter((attempt) => !removed.has(attempt))))
  if (inserted.length === attempts.length) return { written: [...attempts], there: [] }
  const keyOf = ({ position, replay, number }: RowOf<typeof insertedRow>) => `${position}:${replay}:${number}`
  const fresh = new Set(inserted.map(insertedRow.decode).map(keyOf))
  const written: Attempt[] = []
  const there: Attempt[] = []
  // Of several attempts with the same key, the first has the row.
  for (const a of attempts) (fresh.delete(keyOf(a)) ? written : there).push(a)
  return { written, there }
}

/** An attempt of a removed webhook is not written. Only webhooks of attempts that are older than this are looked up. */
const recentMs = 3_600_000

// The statements, each after its row lists, which have unique keys.

const made = defineLists<Attempt>({
  partition: list.int2((a: Attempt) => a.partition),
  position: list.int8((a: Attempt) => a.position),
  replay: list.int4((a: Attempt) => a.replay),
  number: list.int4((a: Attempt) => a.number),
  stream_id: list.uuid((a: Attempt) => a.streamId),
  url_hash: list.bytea((a: Attempt) => a.urlHash),
  at: list.timestamptz((a: Attempt) => a.at),
  ms: list.float4((a: Attempt) => a.ms),
  delivered: list.bool(isDelivered),
  code: list.int2((a: Attempt) => a.outcome.code ?? null),
  error: list.text((a: Attempt) => (a.outcome.status === 'failed' ? a.outcome.error : null)),
  answer: list.bytea((a: Attempt) => (a.outcome.answer?.length ? a.outcome.answer : null)),
})

/** Inserts attempts. Fails with unique_violation if the ledger has one. */
const insertNewAttempts = `
INSERT INTO webhook_attempt (${made.columns}) SELECT * FROM ${made.unnest()}`

const selectKnown = `
SELECT w.position FROM ${webhookKeys.unnest()} JOIN webhook w ON w.partition = v.partition AND w.position = v.position`

const insertedRow = defineRow({
  position: column.int8('position'),
  replay: column.int4('replay'),
  number: column.int4('number'),
})

/** Inserts attempts and returns new ones. An existing attempt was counted when it was written. */
const insertAttempts = `
INSERT INTO webhook_attempt (${made.columns}) SELECT * FROM ${made.unnest()} ON CONFLICT DO NOTHING
RETURNING ${insertedRow.columns}`

const placed = defineLists<Attempt>({
  place: list.int4((_, place) => place),
  partition: list.int2((a) => a.partition),
  position: list.int8((a) => a.position),
  replay: list.int4((a) => a.replay),
  at: list.timestamptz((a) => a.at),
  ms: list.float4((a) => a.ms),
})

/**
 * Gives each attempt whose number another process used the next number of its delivery. An attempt that is itself in
 * the ledger, by an unconfirmed commit, gets none.
 */
const renumber = `
SELECT v.place, max(a.number) + 1
FROM ${placed.unnest()} JOIN webhook w ON w.partition = v.partition AND w.position = v.position
  JOIN webhook_attempt a ON a.partition = w.partition AND a.position = w.position AND a.replay = v.replay
GROUP BY v.place HAVING NOT bool_or(a.at = v.at AND a.ms = v.ms)`

/** Sets pending webhooks to delivered, and returns them. */
const deliverPending = `
UPDATE webhook w SET status = 'delivered' FROM ${ofSendQueues}
WHERE ${inSendQueue('w')} AND w.status = 'pending'
RETURNING w.position`

const dropDeliveries = `
DELETE FROM webhook_queue q USING ${ofSendQueues}
WHERE ${inSendQueue('q')} AND q.stream_id = m.stream_id AND q.chain_id = m.chain_id`
