import type { Database } from '../../../db/database.ts'
import type { Clock } from '../attempt/clock.ts'
import { type Due, loadDue, loadFirst, loadReplays, withIndexes } from '../attempt/loadWebhooks.ts'
import type { LaneKind } from './laneState.ts'

/** What is read for one lane. */
export type Asked = {
  partition: number
  streamId: string
  /** Of first attempts. */
  chainId: bigint | undefined
  /** Only rows after this position; of retries, which have no position to go on from, all. */
  after: bigint
  /** At most so many rows. */
  limit: number
}

/** What was read for one lane. Retries alone have `nextDueAt`: when the next one is due after those that are. */
export type Loaded = Omit<Due, 'nextDueAt'> & Partial<Pick<Due, 'nextDueAt'>>

/** Reads what is owed for lanes of one kind, within `maxBytes` of bodies in all but for the one that crosses the bound. */
export type Queue = Readonly<Record<LaneKind, (lanes: readonly Asked[], maxBytes: number) => Promise<Loaded[]>>>

export function createQueue(db: Database, clock: Clock): Queue {
  return {
    first(lanes, maxBytes) {
      const asked = lanes.map((lane) => ({ ...lane, chainId: lane.chainId! }))
      return withIndexes(db, (tx) => loadFirst(tx, asked, maxBytes))
    },
    replays: (lanes, maxBytes) => withIndexes(db, (tx) => loadReplays(tx, lanes, maxBytes)),
    retries(lanes, maxBytes) {
      const now = new Date(clock())
      return withIndexes(db, (tx) => loadDue(tx, lanes, { now, maxBytes }))
    },
  }
}
