import type { Database } from '../../db/database.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { streamPartition } from '../../sync/partition.ts'
import type { Log } from '../../util/log.ts'
import { createWaker } from '../../util/wait.ts'
import type { Attempt } from '../ledger/attempt.ts'
import { takenBack } from '../ledger/ledgerEntry.ts'
import { dropQueued } from '../ledger/streamState.ts'
import { urlHash } from '../ledger/urlHash.ts'
import { readPauses, storedFromMs } from '../ledger/urlPauses.ts'
import type { Clock } from './attempt/createAttempt.ts'
import { readSendQueues, type SendQueueKey, withIndexes } from './attempt/loadWebhooks.ts'
import { readTargets, type Target } from './attempt/target.ts'
import type { Claims } from './queues/claims.ts'
import type { Loader } from './queues/createLoader.ts'
import type { Sender } from './queues/createSender.ts'
import {
  createStreamState,
  isInMemory,
  reportRetracted,
  reportSettled,
  type SendQueue,
  type SendQueueEffects,
  type StreamState,
  sendQueueOf,
  setTarget,
} from './queues/sendQueue.ts'

export type DispatcherOptions = {
  db: Database
  leases: Leases
  log: Log
  clock: Clock
  claims: Claims<SendQueue>
  loader: Loader
  sender: Sender
  effects: SendQueueEffects
  /** Called with new addresses, and awaited before anything is sent to them. */
  onTargets(targets: readonly Target[]): Promise<void>
  /** Webhooks took long from commit to memory. */
  onLate?: (() => void) | undefined
  signal: AbortSignal
}

/** Finds streams with webhooks to send, passes events to their send queues, and has the loader read for them. */
export type Dispatcher = {
  /** Leases or the clock changed: checks everything again. */
  wake(): void
  /** Handles a notification of `webhookChannel`. */
  notified(payload: string): void
  /** A send queue needs rows. */
  wanted(sendQueue: SendQueue): void
  /** There is space in memory for send queues that need rows. */
  roomy(): void
  /** A receiver answered 410: nothing more is sent to the stream's address before that is in the ledger. */
  gone(attempt: Attempt): void
  /** These attempts are now in the ledger. */
  settled(attempts: readonly Attempt[]): void
  /** Ends with the signal. */
  done: Promise<void>
}

/** Interval of full checks, which bounds the effect of a missed notification. */
const refreshMs = 5_000
const longestPauseMs = 1_000
/**
 * Limit for the time from a notification until its webhooks are in memory: usually some milliseconds, unless the
 * database or this process is busy.
 */
const lateMs = 250

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, leases, log, clock, claims, loader, sender, effects, onTargets, onLate, signal } = options
  const waker = createWaker()
  const streams = new Map<string, StreamState>()
  const changed = new Set<string>()
  /** Streams with an unsettled 410 from their address. */
  const gone = new Set<string>()
  const reported: { streamId: string; chainId: bigint; taken: boolean }[] = []
  let refreshAt = 0
  /** Time of the first entry of `reported`. */
  let reportedAt: number | undefined

  function stateOf({ partition, streamId }: Pick<SendQueueKey, 'partition' | 'streamId'>): StreamState {
    let stream = streams.get(streamId)
    if (!stream) {
      stream = createStreamState({ partition, streamId }, effects)
      streams.set(streamId, stream)
      changed.add(streamId)
    }
    return stream
  }

  const sendQueueFor = (key: SendQueueKey) => sendQueueOf(stateOf(key), key.chainId, effects)

  const isHeld = ({ partition }: StreamState) => leases.held('delivery').has(BigInt(partition))

  /** Empties the send queues of streams with a lost lease, as another process may send their webhooks now. */
  function stopLost(): void {
    for (const stream of streams.values()) if (!isHeld(stream)) setTarget(stream, undefined)
  }

  async function readChanged(): Promise<void> {
    const ids = [...changed]
    // Cleared before the read, so that a stream that changes meanwhile is read again.
    changed.clear()
    try {
      await readStreams(ids)
    } catch (error) {
      for (const id of ids) changed.add(id)
      throw error
    }
  }

  async function readStreams(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    // Before the targets, as streams with a target begin to send.
    sender.setStored(await readPauses(db))
    const read = await readTargets(db, ids, new Date(clock()))
    const targets = new Map(read.map((target) => [target.streamId, target]))
    const unknown = read.filter(({ streamId, url }) => streams.get(streamId)?.url !== url)
    if (unknown.length > 0) await onTargets(unknown)
    for (const { streamId, url } of unknown) {
      const stream = streams.get(streamId)
      if (stream) stream.url = url
    }
    for (const id of ids) {
      const stream = streams.get(id)
      if (!stream) continue
      const target = targets.get(id)
      const isSending = target?.status === 'active' && isHeld(stream) && !gone.has(id)
      setTarget(stream, isSending ? target : undefined)
      if (!isHeld(stream) || (target && target.status !== 'terminated')) continue
      const reason = target ? 'the stream was terminated' : 'the stream was deleted'
      await db.transaction((tx) => dropQueued(tx, { partition: stream.partition, id }, reason, { skipNotify: true }))
    }
  }

  async function refresh(): Promise<void> {
    const held = leases.held('delivery')
    const sendQueues = await withIndexes(db, (tx) => readSendQueues(tx, [...held]))
    const pending = new Set(sendQueues.map((sendQueue) => sendQueue.streamId))
    for (const [id, stream] of streams) {
      const mine = isHeld(stream)
      // A stream with running or unsettled attempts is kept, even if its lease is lost.
      if (isInMemory(stream) || (mine && pending.has(id))) {
        if (mine) changed.add(id)
        continue
      }
      // Stops its send queues, for which the loader may still read. If the stream returns, it gets new send queues, and
      // the old ones would send out of order beside them.
      setTarget(stream, undefined)
      streams.delete(id)
    }
    for (const sendQueue of sendQueues)
      if (held.has(BigInt(sendQueue.partition))) sendQueueFor(sendQueue).change({ type: 'notified' })
  }

  /**
   * Passes the time to send queues of retries. Returns milliseconds until the next retry is due or an address's pause
   * ends.
   */
  function wantRetries(): number {
    const now = clock()
    let next = Math.min(longestPauseMs, sender.endPauses())
    for (const { retries } of streams.values()) {
      retries.change({ type: 'clock', now })
      const { nextDueAt } = retries.state
      if (nextDueAt !== undefined) next = Math.min(next, nextDueAt - now)
    }
    return next
  }

  async function step(): Promise<void> {
    if (performance.now() >= refreshAt) {
      await refresh()
      refreshAt = performance.now() + refreshMs
    }
    const since = reportedAt
    reportedAt = undefined
    for (const { streamId, chainId, taken } of reported.splice(0)) {
      const partition = streamPartition(streamId)
      if (!leases.held('delivery').has(BigInt(partition))) continue
      const sendQueue = sendQueueFor({ partition, streamId, chainId })
      if (taken) reportRetracted(sendQueue)
      sendQueue.change({ type: 'notified' })
    }
    await readChanged()
    const waitMs = wantRetries()
    const hasRead = await loader.load()
    if (hasRead && since !== undefined && performance.now() - since > lateMs) onLate?.()
    if (!hasRead && reported.length === 0 && changed.size === 0) await waker.wait(waitMs, signal)
  }

  async function work(): Promise<void> {
    while (!signal.aborted) {
      try {
        await step()
      } catch (err) {
        if (signal.aborted) return
        log.warn({ err }, 'pending webhooks not loaded')
        refreshAt = 0
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    }
  }

  return {
    wake() {
      refreshAt = 0
      stopLost()
      waker.wake()
    },
    notified(payload) {
      if (payload === '') refreshAt = 0
      for (const name of payload === '' ? [] : payload.split(',')) {
        const [streamId = '', chain, what] = name.split(':')
        if (chain !== undefined) {
          reported.push({ streamId, chainId: BigInt(`0x${chain}`), taken: what === takenBack })
          reportedAt ??= performance.now()
        } else if (leases.held('delivery').has(BigInt(streamPartition(streamId)))) setChanged(streamId)
      }
      waker.wake()
    },
    wanted(sendQueue) {
      loader.want(sendQueue)
      waker.wake()
    },
    roomy: waker.wake,
    gone({ streamId, urlHash: answered }) {
      const stream = streams.get(streamId)
      if (!stream?.url || !urlHash(stream.url).equals(answered)) return
      gone.add(streamId)
      setTarget(stream, undefined)
    },
    settled(attempts) {
      for (const { streamId } of attempts.filter(({ outcome }) => outcome.code === 410)) {
        gone.delete(streamId)
        if (streams.has(streamId)) changed.add(streamId)
        waker.wake()
      }
      for (const attempt of attempts) reportSettled(attempt, streams.get(attempt.streamId), claims)
      // A long pause is stored now, and continues once it is read.
      for (const { streamId, pauseMs = 0 } of attempts)
        if (pauseMs >= storedFromMs && streams.has(streamId)) changed.add(streamId)
      // Their retries may be due before the loop would wake.
      if (attempts.some(({ outcome }) => outcome.status === 'failed')) waker.wake()
      sender.resume()
    },
    done: work(),
  }

  function setChanged(streamId: string): void {
    stateOf({ partition: streamPartition(streamId), streamId })
    changed.add(streamId)
  }
}
