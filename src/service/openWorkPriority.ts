import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Database } from '../db/database.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Log } from '../util/log.ts'
import { watchArrivals } from '../util/watchArrivals.ts'
import { createWorkPriority, type UrgentWork, type WorkPriority } from '../util/workPriority.ts'

/**
 * Channel on which a process with late webhooks or blocks notifies all processes with background work. The payload is the name of its connections.
 */
export const lateChannel = 'mintmark_late'

/** Least time between two notifications of a process. */
const reportEveryMs = 1_000

/** Requests are very late while this thread is late for a quarter of the time: then one request in four waits for it. */
const veryLateShare = 0.25

const requestStarted = 'http.server.request.start'

/** Work priority for the parts of this process. */
export type Urgency = WorkPriority & {
  /** A webhook was sent: while many are sent, this thread's delay affects them. */
  sent(): void
  /** Webhooks pause for this time, as requests are very late. */
  webhooksPause(ms: number): void
  /** Whether any work yields now, and for how many seconds each kind has done so since the start, the most first. */
  backpressure(): Promise<{ active: boolean; yielded: { work: string; seconds: number }[] }>
}

/**
 * Opens the work priority of this process. A process knows its own requests, webhooks and blocks. From other processes it learns only that webhooks
 * or blocks are late, as these go through the shared database. Late requests may be on a machine that shares nothing with this one.
 */
export async function openWorkPriority(options: {
  db: Database
  /** Whether this process does background work, so that it must be notified by others. */
  listens: boolean
  metrics: Pick<Metrics, 'urgentLate' | 'backgroundWaited'>
  log: Log
  undo: (() => Promise<void>)[]
}): Promise<Urgency> {
  const { db, listens, metrics, log, undo } = options
  let reportedAt = Number.NEGATIVE_INFINITY

  function report(): void {
    if (performance.now() - reportedAt < reportEveryMs) return
    reportedAt = performance.now()
    db.rows('SELECT pg_notify($1, $2)', [lateChannel, db.name]).catch((err: unknown) =>
      log.debug({ err }, 'backpressure not sent to other processes'),
    )
  }

  const workPriority = createWorkPriority({
    onLate(work: UrgentWork) {
      metrics.urgentLate.inc({ work })
      if (work === 'webhooks' || work === 'head') report()
    },
    onWaited: (work, ms) => metrics.backgroundWaited.inc({ work }, ms / 1_000),
  })
  const arrivals = watchArrivals<'requests' | 'webhooks'>((kind, lateShare) => {
    workPriority.late(kind)
    if (kind === 'requests' && lateShare >= veryLateShare) workPriority.requestsVeryLate()
  })
  const count = () => arrivals.count('requests')
  subscribe(requestStarted, count)
  undo.push(async () => {
    unsubscribe(requestStarted, count)
    arrivals.close()
  })
  if (listens)
    undo.push(
      await db.listen(lateChannel, (name) => {
        if (name !== '' && name !== db.name) workPriority.late('elsewhere')
      }),
    )
  return {
    ...workPriority,
    sent: () => arrivals.count('webhooks'),
    webhooksPause: (ms) => metrics.backgroundWaited.inc({ work: 'webhooks' }, ms / 1_000),
    async backpressure() {
      const { values } = await metrics.backgroundWaited.get()
      const yielded = values.map(({ labels, value }) => ({ work: String(labels.work), seconds: value }))
      return {
        active: workPriority.isYielding(),
        yielded: yielded.filter(({ seconds }) => seconds > 0).toSorted((a, b) => b.seconds - a.seconds),
      }
    },
  }
}
