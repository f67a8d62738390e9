import type { Database } from '../../../db/database.ts'
import type { Clock } from '../attempt/createAttempt.ts'
import { type Due, loadDue, loadFirst, loadReplays, withIndexes } from '../attempt/loadWebhooks.ts'
import type { SendQueueKind } from './sendQueueState.ts'

/** Which rows to read for one send queue. */
export type Asked = {
  partition: number
  streamId: string
  /** Send queues of first attempts have one. */
  chainId: bigint | undefined
  /** Rows after this position; of retries, all. */
  after: bigint
  /** Rows to read at most. */
  limit: number
}

/** What was read for one send queue. Only for retries there is `nextDueAt`: when the first retry that is not due yet will be. */
export type Loaded = Omit<Due, 'nextDueAt'> & Partial<Pick<Due, 'nextDueAt'>>

/** Reads rows of the queue for send queues of one kind, until the sum of their bodies reaches `maxBytes`. */
export type Queue = Readonly<
  Record<SendQueueKind, (sendQueues: readonly Asked[], maxBytes: number) => Promise<Loaded[]>>
>

export function createQueue(db: Database, clock: Clock): Queue {
  return {
    first(sendQueues, maxBytes) {
      const asked = sendQueues.map((sendQueue) => ({ ...sendQueue, chainId: sendQueue.chainId! }))
      return withIndexes(db, (tx) => loadFirst(tx, asked, maxBytes))
    },
    replays: (sendQueues, maxBytes) => withIndexes(db, (tx) => loadReplays(tx, sendQueues, maxBytes)),
    retries(sendQueues, maxBytes) {
      const now = new Date(clock())
      return withIndexes(db, (tx) => loadDue(tx, sendQueues, { now, maxBytes }))
    },
  }
}
