import type { Database } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import type { Leases } from '../../sync/lease.ts'
import { createWaker } from '../../util/wait.ts'
import type { Attempt } from '../ledger/attempt.ts'
import { dropQueued } from '../ledger/streamState.ts'
import { streamPartition } from '../streamPartition.ts'
import type { Clock } from './clock.ts'
import type { Loader } from './createLoader.ts'
import type { Sender } from './createSender.ts'
import { type LaneKey, readLanes, withIndexes } from './loadWebhooks.ts'
import { createLane, createStreamState, deliveryName, type Source, type StreamState } from './source.ts'
import { readTargets, type Target } from './target.ts'

export type DispatcherOptions = {
  db: Database
  leases: Leases
  log: Log
  clock: Clock
  loader: Loader
  sender: Sender
  /** They are about to be sent to. */
  onTargets(targets: readonly Target[]): Promise<void>
  signal: AbortSignal
}

/** Knows which streams have something to send, and sees that it is loaded and offered to the sender. */
export type Dispatcher = {
  /** Leases changed, or time did. */
  wake(): void
  /** As `webhookChannel` writes it. */
  notified(payload: string): void
  loaded(source: Source): void
  low(source: Source): void
  settled(attempts: readonly Attempt[]): void
  /** Ends with the signal. */
  done: Promise<void>
}

/** How often everything is looked at, whatever was told: what was missed is found so. */
const refreshMs = 5_000
const longestRestMs = 1_000

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, leases, log, clock, loader, sender, onTargets, signal } = options
  const waker = createWaker()
  const streams = new Map<string, StreamState>()
  const changed = new Set<string>()
  const told: { streamId: string; chainId: bigint }[] = []
  let refreshAt = 0

  function stateOf(streamId: string, partition: number): StreamState {
    let stream = streams.get(streamId)
    if (!stream) {
      stream = createStreamState({ partition, streamId })
      streams.set(streamId, stream)
      changed.add(streamId)
    }
    return stream
  }

  function more(source: Source): void {
    source.more = true
    loader.want(source)
  }

  function moreInLane({ partition, streamId, chainId }: LaneKey): void {
    const stream = stateOf(streamId, partition)
    let lane = stream.lanes.get(chainId)
    if (!lane) {
      lane = createLane(stream, chainId)
      stream.lanes.set(chainId, lane)
    }
    more(lane)
  }

  /** Nothing of it stays in memory; it is loaded anew when it is sent again. */
  function empty(stream: StreamState): void {
    for (const source of [stream.retries, ...stream.lanes.values()]) {
      const [first] = source.buffer
      if (!first) continue
      loader.free(source.buffer.reduce((sum, { body }) => sum + body.length, 0))
      if (source.kind === 'lane') source.after = first.position - 1n
      else for (const webhook of source.buffer) source.held.delete(deliveryName(webhook))
      source.buffer = []
      source.more = true
    }
  }

  function setTarget(stream: StreamState, target: Target | undefined): void {
    stream.target = target
    if (target?.status !== 'active') empty(stream)
    else
      for (const source of [stream.retries, ...stream.lanes.values()]) {
        more(source)
        sender.offer(source)
      }
  }

  async function readChanged(): Promise<void> {
    const ids = [...changed]
    if (ids.length === 0) return
    const read = await readTargets(db, ids, new Date(clock()))
    const targets = new Map(read.map((target) => [target.streamId, target]))
    const unknown = read.filter(({ streamId, url }) => streams.get(streamId)?.target?.url !== url)
    if (unknown.length > 0) await onTargets(unknown)
    for (const id of ids) {
      changed.delete(id)
      const stream = streams.get(id)
      if (!stream) continue
      const target = targets.get(id)
      setTarget(stream, target)
      if (target && target.status !== 'terminated') continue
      const reason = target ? 'the stream was terminated' : 'the stream was deleted'
      await db.transaction((tx) => dropQueued(tx, { partition: stream.partition, id }, reason, { silent: true }))
    }
  }

  async function refresh(): Promise<void> {
    const held = leases.held('delivery')
    const lanes = await withIndexes(db, (tx) => readLanes(tx, [...held]))
    const due = new Set(lanes.map((lane) => lane.streamId))
    for (const [id, stream] of streams) {
      const mine = held.has(BigInt(stream.partition))
      if (!mine) setTarget(stream, undefined)
      if (!mine || (!due.has(id) && stream.inFlight === 0 && ![...stream.lanes.values()].some((lane) => lane.loading)))
        streams.delete(id)
      else {
        changed.add(id)
        more(stream.retries)
      }
    }
    for (const lane of lanes) moreInLane(lane)
  }

  /** Milliseconds until the next retry is due. */
  function wantDue(): number {
    const now = clock()
    let next = longestRestMs
    for (const { retries } of streams.values()) {
      if (retries.nextDueAt === undefined) continue
      if (retries.nextDueAt <= now) more(retries)
      else next = Math.min(next, retries.nextDueAt - now)
    }
    return next
  }

  async function step(): Promise<void> {
    if (performance.now() >= refreshAt) {
      await refresh()
      refreshAt = performance.now() + refreshMs
    }
    for (const { streamId, chainId } of told.splice(0)) {
      const partition = streamPartition(streamId)
      if (leases.held('delivery').has(BigInt(partition))) moreInLane({ partition, streamId, chainId })
    }
    await readChanged()
    const rest = wantDue()
    if (!(await loader.load()) && told.length === 0 && changed.size === 0) await waker.wait(rest, signal)
  }

  async function work(): Promise<void> {
    while (!signal.aborted) {
      try {
        await step()
      } catch (err) {
        if (signal.aborted) return
        log.warn({ err }, 'webhooks could not be loaded')
        refreshAt = 0
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    }
  }

  return {
    wake() {
      refreshAt = 0
      waker.wake()
    },
    notified(payload) {
      if (payload === '') refreshAt = 0
      for (const name of payload === '' ? [] : payload.split(',')) {
        const [streamId = '', chain] = name.split(':')
        if (chain !== undefined) told.push({ streamId, chainId: BigInt(`0x${chain}`) })
        else if (leases.held('delivery').has(BigInt(streamPartition(streamId)))) setChanged(streamId)
      }
      waker.wake()
    },
    loaded: (source) => sender.offer(source),
    low(source) {
      loader.want(source)
      waker.wake()
    },
    settled(attempts) {
      for (const attempt of attempts) {
        const retries = streams.get(attempt.streamId)?.retries
        if (!retries) continue
        retries.held.delete(deliveryName(attempt))
        const { outcome } = attempt
        if (outcome.status === 'delivered' || !outcome.retryAt) continue
        const at = outcome.retryAt.getTime()
        if (retries.nextDueAt === undefined || at < retries.nextDueAt) {
          retries.nextDueAt = at
          waker.wake()
        }
      }
      sender.resume()
    },
    done: work(),
  }

  function setChanged(streamId: string): void {
    stateOf(streamId, streamPartition(streamId))
    changed.add(streamId)
  }
}
