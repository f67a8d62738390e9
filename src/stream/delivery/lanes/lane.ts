import type { Attempt } from '../../ledger/attempt.ts'
import type { LaneKey, QueuedWebhook } from '../attempt/loadWebhooks.ts'
import type { Target } from '../attempt/target.ts'
import type { Claims } from './claims.ts'
import type { Gate, Way } from './endpoint.ts'
import { hunger, isReading, type LaneEvent, type LaneKind, type LaneState, newLane, nextLane } from './laneState.ts'

/** The part of a stream that the delivering process has in memory: its lanes. */
export type StreamState = {
  readonly partition: number
  readonly streamId: string
  /** The address when the stream was last read, which has a row in `webhook_url`; only the dispatcher sets it. */
  url: string | undefined
  /** First attempts, by chain. */
  readonly firsts: Map<bigint, Lane>
  readonly replays: Lane
  readonly retries: Lane
  /** Lanes that wait until fewer attempts of this stream are under way, in the order in which they came; only the sender changes it. */
  readonly parked: Record<Way, Lane[]>
}

/** Webhooks of one stream that are sent by one rule. `laneState.ts` says what can happen to a lane. */
export type Lane = {
  readonly stream: StreamState
  readonly kind: LaneKind
  readonly way: Way
  /** undefined: webhooks of every chain. */
  readonly chainId: bigint | undefined
  /** As the last event left it. */
  readonly state: LaneState
  change(event: LaneEvent): void
  /** Attempts that the lane took and that are not settled; `Claims` counts them. */
  held: number
  /** The queue in which the lane waits; only the sender sets it. */
  gate: LaneGate | undefined
}

/** The queue of an address, of one way. */
export type LaneGate = Gate<Lane>

/** What is done when an event changed a lane. */
export type LaneEffects = {
  /** The lane waits for its turn at the address of its target; called again when the address changes. */
  onWaiting(lane: Lane): void
  /** The lane wants to be read for; called again as it becomes hungrier. */
  onWanted(lane: Lane): void
  /** These webhooks left the memory of the lane, unsent. */
  onDropped(lane: Lane, webhooks: readonly QueuedWebhook[]): void
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }
type StreamKey = Pick<LaneKey, 'partition' | 'streamId'>

export function createStreamState({ partition, streamId }: StreamKey, effects: LaneEffects): StreamState {
  const parked = { first: [], again: [] }
  const stream = { partition, streamId, url: undefined, firsts: new Map(), parked } as unknown as Writable<StreamState>
  stream.replays = createLane(stream, 'replays', undefined, effects)
  stream.retries = createLane(stream, 'retries', undefined, effects)
  return stream
}

/** The lane of a stream's first attempts on a chain, made where there is none yet. */
export function laneOf(stream: StreamState, chainId: bigint, effects: LaneEffects): Lane {
  const known = stream.firsts.get(chainId)
  if (known) return known
  const lane = createLane(stream, 'first', chainId, effects)
  stream.firsts.set(chainId, lane)
  const { target } = stream.retries.state
  if (target) lane.change({ type: 'start', target })
  return lane
}

function createLane(stream: StreamState, kind: LaneKind, chainId: bigint | undefined, effects: LaneEffects): Lane {
  let state = newLane(kind)
  const lane: Lane = {
    ...{ stream, kind, chainId, way: kind === 'first' ? 'first' : 'again', held: 0, gate: undefined },
    get state() {
      return state
    },
    change(event) {
      const before = state
      const after = nextLane(before, event)
      state = after
      if (after === before) return
      const isDropped = event.type === 'stop' || event.type === 'empty'
      if (isDropped && before.loaded.length > 0) effects.onDropped(lane, before.loaded)
      if (hunger(after) > hunger(before)) effects.onWanted(lane)
      const isElsewhere = before.turn !== 'waiting' || before.target?.url !== after.target?.url
      if (after.turn === 'waiting' && after.target && isElsewhere) effects.onWaiting(lane)
    },
  }
  return lane
}

/** Sets the target of all lanes of a stream; undefined: the stream's webhooks are not sent. */
export function setTarget(stream: StreamState, target: Target | undefined): void {
  for (const lane of lanesOf(stream)) lane.change(target ? { type: 'start', target } : { type: 'stop' })
}

/** A reorganisation took webhooks of the lane's chain back: they may be loaded, also as retries and replays, so all is read anew. */
export function tellTakenBack(lane: Lane): void {
  for (const own of [lane, lane.stream.replays, lane.stream.retries]) own.change({ type: 'empty' })
}

/** Tells a stream's lanes that an attempt is in the ledger. `stream`: undefined where nothing of it is in memory any more. */
export function tellSettled(attempt: Attempt, stream: StreamState | undefined, claims: Claims<Lane>): void {
  const { chainId, position, replay, number, outcome, probe } = attempt
  claims.move({ position, replay, failures: number - 1 }, 'settle')
  if (!stream) return
  if (probe) {
    // The lane did not take what was probed with: if the stream was resumed meanwhile, it may have read on past that webhook.
    const lane = replay > 0 ? stream.replays : stream.firsts.get(chainId)
    lane?.change({ type: 'look again', position })
    stream.retries.change({ type: 'told' })
  }
  if (outcome.status === 'failed' && outcome.retryAt)
    stream.retries.change({ type: 'due', at: outcome.retryAt.getTime() })
}

export function lanesOf(stream: StreamState): Lane[] {
  return [stream.retries, stream.replays, ...stream.firsts.values()]
}

/** How many attempts of a stream are under way. */
export function underWayOf({ firsts, replays, retries }: StreamState, way: Way): number {
  if (way === 'again') return replays.state.underWay.length + retries.state.underWay.length
  let count = 0
  for (const { state } of firsts.values()) count += state.underWay.length
  return count
}

/** Whether a stream has webhooks in memory: being read, loaded, under way, or not settled. */
export function isInMemory(stream: StreamState): boolean {
  return lanesOf(stream).some((lane) => lane.held > 0 || isReading(lane.state))
}
