import type { Database } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import type { Leases } from '../../sync/lease.ts'
import { streamPartition } from '../../sync/partition.ts'
import { createWaker } from '../../util/wait.ts'
import type { Attempt } from '../ledger/attempt.ts'
import { takenBack } from '../ledger/ledgerEntry.ts'
import { dropQueued } from '../ledger/streamState.ts'
import type { Claims } from './claims.ts'
import type { Clock } from './clock.ts'
import type { Loader } from './createLoader.ts'
import type { Sender } from './createSender.ts'
import { type LaneKey, readLanes, withIndexes } from './loadWebhooks.ts'
import { createLane, createStreamState, type Lane, type Source, type StreamState, sourcesOf } from './source.ts'
import { readTargets, type Target } from './target.ts'

export type DispatcherOptions = {
  db: Database
  leases: Leases
  log: Log
  clock: Clock
  claims: Claims<Source>
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
  /** There is room in memory for what was asked for. */
  roomy(): void
  settled(attempts: readonly Attempt[]): void
  /** Ends with the signal. */
  done: Promise<void>
}

/** How often everything is looked at, whatever was told: what was missed is found so. */
const refreshMs = 5_000
const longestRestMs = 1_000

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, leases, log, clock, claims, loader, sender, onTargets, signal } = options
  const waker = createWaker()
  const streams = new Map<string, StreamState>()
  const changed = new Set<string>()
  const told: { streamId: string; chainId: bigint; taken: boolean }[] = []
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

  function laneOf({ partition, streamId, chainId }: LaneKey): Lane {
    const stream = stateOf(streamId, partition)
    let lane = stream.lanes.get(chainId)
    if (!lane) {
      lane = createLane(stream, chainId)
      stream.lanes.set(chainId, lane)
    }
    return lane
  }

  function setTarget(stream: StreamState, target: Target | undefined): void {
    stream.target = target
    for (const source of sourcesOf(stream)) {
      if (target?.status !== 'active') {
        loader.empty(source)
        continue
      }
      // A replay of an earlier webhook may have been asked for.
      if (source === stream.replays) source.after = 0n
      more(source)
      sender.offer(source)
    }
  }

  const isHeld = ({ partition }: StreamState) => leases.held('delivery').has(BigInt(partition))

  /** Another process sends for them, or did meanwhile: what is in memory holds no more. */
  function forgetLost(): void {
    for (const stream of streams.values()) if (!isHeld(stream)) setTarget(stream, undefined)
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
      setTarget(stream, isHeld(stream) ? target : undefined)
      if (!isHeld(stream) || (target && target.status !== 'terminated')) continue
      const reason = target ? 'the stream was terminated' : 'the stream was deleted'
      await db.transaction((tx) => dropQueued(tx, { partition: stream.partition, id }, reason, { silent: true }))
    }
  }

  async function refresh(): Promise<void> {
    const held = leases.held('delivery')
    const lanes = await withIndexes(db, (tx) => readLanes(tx, [...held]))
    const due = new Set(lanes.map((lane) => lane.streamId))
    for (const [id, stream] of streams) {
      const mine = isHeld(stream)
      // Of what is under way, or not settled yet, this process knows as long as it is so.
      const idle = sourcesOf(stream).every((source) => source.held === 0 && !source.loading)
      if (idle && !(mine && due.has(id))) streams.delete(id)
      else if (mine) changed.add(id)
    }
    for (const lane of lanes) if (held.has(BigInt(lane.partition))) more(laneOf(lane))
  }

  /** Milliseconds until the next retry is due, or the next address goes on. */
  function wantDue(): number {
    const now = clock()
    let next = Math.min(longestRestMs, sender.endPauses())
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
    for (const { streamId, chainId, taken } of told.splice(0)) {
      const partition = streamPartition(streamId)
      if (!leases.held('delivery').has(BigInt(partition))) continue
      const lane = laneOf({ partition, streamId, chainId })
      if (taken) for (const source of [lane, lane.stream.replays, lane.stream.retries]) loader.empty(source)
      more(lane)
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
      forgetLost()
      waker.wake()
    },
    notified(payload) {
      if (payload === '') refreshAt = 0
      for (const name of payload === '' ? [] : payload.split(',')) {
        const [streamId = '', chain, what] = name.split(':')
        if (chain !== undefined) told.push({ streamId, chainId: BigInt(`0x${chain}`), taken: what === takenBack })
        else if (leases.held('delivery').has(BigInt(streamPartition(streamId)))) setChanged(streamId)
      }
      waker.wake()
    },
    loaded: (source) => sender.offer(source),
    low(source) {
      loader.want(source)
      waker.wake()
    },
    roomy: waker.wake,
    settled(attempts) {
      for (const attempt of attempts) {
        claims.move({ ...attempt, failures: attempt.number - 1 }, 'settle')
        const stream = streams.get(attempt.streamId)
        if (!stream) continue
        if (attempt.probe) lookAgain(stream, attempt)
        const { retries } = stream
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

  /** A probe is not of the lane, which passed it by while it was under way, if its stream was resumed meanwhile. */
  function lookAgain(stream: StreamState, { chainId, position, replay }: Attempt): void {
    const lane = replay > 0 ? stream.replays : stream.lanes.get(chainId)
    if (lane) loader.lookAgain(lane, position)
    more(stream.retries)
    waker.wake()
  }

  function setChanged(streamId: string): void {
    stateOf(streamId, streamPartition(streamId))
    changed.add(streamId)
  }
}
