import type { Database } from '../../../db/database.ts'
import type { Clock } from '../attempt/createAttempt.ts'
import { type LoadedRetries, loadFirst, loadReplays, loadRetries, withIndexes } from '../attempt/loadWebhooks.ts'
import type { SendQueueKind } from './sendQueueState.ts'

/** Rows to read for one send queue. */
export type Requested = {
  partition: number
  streamId: string
  /** Only for first attempts. */
  chainId: bigint | undefined
  /** Rows after this position; for retries, all rows. */
  after: bigint
  /** Most rows to read. */
  limit: number
}

/** Rows read for one send queue. `nextDueAt` exists only for retries: when the next undue retry is due. */
export type Loaded = Omit<LoadedRetries, 'nextDueAt'> & Partial<Pick<LoadedRetries, 'nextDueAt'>>

/** Reads queue rows for send queues of one kind, until their bodies reach `maxBytes`. */
export type Queue = Readonly<
  Record<SendQueueKind, (sendQueues: readonly Requested[], maxBytes: number) => Promise<Loaded[]>>
>

export function createQueue(db: Database, clock: Clock): Queue {
  return {
    first(sendQueues, maxBytes) {
      const requested = sendQueues.map((sendQueue) => ({ ...sendQueue, chainId: sendQueue.chainId! }))
      return withIndexes(db, (tx) => loadFirst(tx, requested, maxBytes))
    },
    replays: (sendQueues, maxBytes) => withIndexes(db, (tx) => loadReplays(tx, sendQueues, maxBytes)),
    retries(sendQueues, maxBytes) {
      const now = new Date(clock())
      return withIndexes(db, (tx) => loadRetries(tx, sendQueues, { now, maxBytes }))
    },
  }
}
