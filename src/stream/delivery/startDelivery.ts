import type { Database } from '../../db/database.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { GuardedClient } from '../../net/client.ts'
import { createLeases, type LeaseOptions } from '../../sync/leases/lease.ts'
import type { Log } from '../../util/log.ts'
import type { Attempt } from '../ledger/attempt.ts'
import { webhookChannel } from '../ledger/ledgerEntry.ts'
import { addUrls } from '../ledger/urlHash.ts'
import { readSettings, settingsChanged } from '../settings/streamSettings.ts'
import { type Clock, createAttempt } from './attempt/createAttempt.ts'
import { continueReplays } from './continueReplays.ts'
import { createAttemptSettler } from './createAttemptSettler.ts'
import { createDispatcher, type Dispatcher } from './createDispatcher.ts'
import { createSendPace } from './createSendPace.ts'
import { probeStreams } from './probeStreams.ts'
import { createClaims } from './queues/claims.ts'
import { createLoader } from './queues/createLoader.ts'
import { createSender } from './queues/createSender.ts'
import type { SendQueue } from './queues/sendQueue.ts'
import { createQueue } from './queues/webhookReader.ts'
import { removeOld } from './removeOld.ts'
import { watchStreams } from './watchStreams.ts'
import type { WebhookSettings } from './webhookSettings.ts'

export type DeliveryOptions = {
  db: Database
  /** Posts webhooks. Its limit of connections per origin must exceed `maxConcurrencyPerUrl`. */
  client: Pick<GuardedClient, 'post'>
  settings: WebhookSettings
  metrics: Metrics
  log: Log
  clock?: Clock
  random?: () => number
  leases?: Pick<LeaseOptions, 'heartbeatMs' | 'unresponsiveMs'>
  /** Webhooks are delayed by this process or the database, not by their receivers. */
  onLate?: () => void
  /** A webhook was sent and answered. */
  onSent?: () => void
  /** How long to pause after this many busy milliseconds, while requests are late; default 0. */
  pauseMs?: (busyMs: number) => number
  /** A pause of this length begins. */
  onPause?: (ms: number) => void
}

export type Delivery = {
  /** Checks everything now, after the clock was set. */
  wake(): void
  /** Waits up to two seconds for running attempts, settles them, and releases the partitions. */
  close(): Promise<void>
}

const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))

/** How long running attempts may continue after the stop signal. The next process repeats aborted ones. */
const drainMs = 2_000

/** Delivers webhooks of the partitions whose delivery lease this process holds, until it is closed. */
export async function startDelivery(options: DeliveryOptions): Promise<Delivery> {
  const { db, client, settings, metrics, log, clock = Date.now, random = Math.random, onLate, onSent } = options
  const posting = new AbortController()
  const loading = new AbortController()
  const settling = new AbortController()
  let { secretKey } = await readSettings(db)
  let dispatcher: Dispatcher | undefined
  const claims = createClaims<SendQueue>()
  const leases = await createLeases({
    db,
    log,
    keys: { delivery: partitions },
    onChange: () => dispatcher?.wake(),
    // The next process finds every attempt in the ledger.
    isBusy: (_, partition) => claims.busy(Number(partition)),
    ...options.leases,
  })

  const settler = createAttemptSettler({
    db,
    log,
    clock,
    settings,
    onLate,
    signal: settling.signal,
    onSettled(attempts) {
      dispatcher?.settled(attempts)
      if (attempts.some(({ replay }) => replay > 0)) replaying.wake()
    },
  })
  const queue = createQueue(db, clock)
  const loader = createLoader({ queue, claims, settings, onCapacity: () => dispatcher?.roomy() })
  const attempt = createAttempt({
    client,
    clock,
    random,
    secretKey: () => secretKey,
    settings,
  })
  const holds = (partition: number) => leases.holds('delivery', partitions[partition]!)
  const onAttempt = (made: Attempt) => {
    metrics.webhookAttempts.inc({ status: made.outcome.status })
    metrics.webhookSeconds.observe(made.ms / 1_000)
    if (made.outcome.code === 410) dispatcher?.gone(made)
    settler.add(made)
    onSent?.()
  }
  const pace = createSendPace({
    pauseMs: options.pauseMs ?? (() => 0),
    onPause: options.onPause ?? (() => undefined),
    onResumed: () => sender.resume(),
  })
  const sender = createSender({
    attempt(webhook, target, sending) {
      pace.count()
      return attempt(webhook, target, sending)
    },
    clock: options.clock,
    claims,
    settings,
    holds,
    isFull: () => pace.isPaused() || settler.isFull(),
    onAttempt,
    onFreed: loader.free,
    signal: posting.signal,
  })
  dispatcher = createDispatcher({
    db,
    leases,
    log,
    clock,
    claims,
    loader,
    sender,
    effects: {
      onWaiting: sender.queue,
      onWanted: (sendQueue) => dispatcher?.wanted(sendQueue),
      onDropped(sendQueue, webhooks) {
        for (const webhook of webhooks) {
          claims.move(webhook, 'forget')
          loader.free(sendQueue, webhook.body.length)
        }
      },
    },
    onLate,
    onTargets: (targets) => addUrls(db, [...new Set(targets.map(({ url }) => url))]),
    signal: loading.signal,
  })
  const replaying = continueReplays({ db, leases, log, signal: loading.signal })
  const removing = removeOld({ db, leases, log, clock, settings, signal: loading.signal })
  const watch = watchStreams({ db, leases, log, metrics, clock, settings, signal: loading.signal })
  const requesting = { db, leases, log, clock, random, claims, attempt, sender, holds, settings, onAttempt }
  const probing = probeStreams({ ...requesting, signal: loading.signal, posting: posting.signal })
  const running = dispatcher
  let closing: Promise<void> | undefined
  const unlisten = await db.listen(webhookChannel, (payload) => {
    if (payload === settingsChanged || payload === '')
      readSettings(db).then(
        (read) => {
          secretKey = read.secretKey
        },
        (err: unknown) => log.warn({ err }, 'stream settings not loaded'),
      )
    if (payload !== settingsChanged) running.notified(payload)
  })

  return {
    wake() {
      running.wake()
      watch.wake()
      replaying.wake()
      probing.wake()
      removing.wake()
    },
    close() {
      closing ??= end()
      return closing
    },
  }

  async function end(): Promise<void> {
    loading.abort()
    const drained = sender.halt()
    pace.close()
    // Streams without running attempts pass to another process immediately.
    await leases.retire().catch((err: unknown) => log.warn({ err }, 'leases not released'))
    const timer = setTimeout(() => posting.abort(new DOMException('the server stops', 'AbortError')), drainMs)
    await Promise.all([running.done, watch.done, probing.done, replaying.done, removing.done, drained, unlisten()])
    clearTimeout(timer)
    settling.abort()
    await settler.done
    await leases.close()
  }
}
