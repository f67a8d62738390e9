import type { Attempt } from '../../ledger/attempt.ts'
import type { LaneKey, QueuedWebhook } from '../attempt/loadWebhooks.ts'
import type { Target } from '../attempt/target.ts'
import type { Claims } from './claims.ts'
import type { Gate, Way } from './endpoint.ts'
import { hunger, isReading, type LaneEvent, type LaneKind, type LaneState, newLane, nextLane } from './laneState.ts'

/** What of a stream is in memory: only what is about to be sent. */
export type StreamState = {
  readonly partition: number
  readonly streamId: string
  /** Its address when it was last read, of which the ledger knows; the dispatcher's own. */
  url: string | undefined
  /** First attempts, by chain. */
  readonly firsts: Map<bigint, Lane>
  readonly replays: Lane
  readonly retries: Lane
  /** Lanes that wait until fewer attempts of this stream are under way, in the order in which they came; the sender's own. */
  readonly parked: Record<Way, Lane[]>
}

/** Webhooks of one stream that are sent by one rule. What can happen to it is in `laneState.ts`. */
export type Lane = {
  readonly stream: StreamState
  readonly kind: LaneKind
  readonly way: Way
  /** undefined: of whatever chain. */
  readonly chainId: bigint | undefined
  /** As its last change left it; nothing else sets it. */
  readonly state: LaneState
  change(event: LaneEvent): void
  /** Attempts that it took and that are not settled; `Claims` counts them. */
  held: number
  /** The queue in which it stands while it waits; the sender's own. */
  gate: LaneGate | undefined
}

/** The queue of an address, of one way. */
export type LaneGate = Gate<Lane>

/** What follows from a lane's changes. */
export type LaneEffects = {
  /** It waits for its turn at the address of its target; told again when that is another one. */
  onWaiting(lane: Lane): void
  /** It has to be read for; told again as it becomes more urgent. */
  onWanted(lane: Lane): void
  /** These left its memory, unsent. */
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

/** The lane of a chain, which is there from the first webhook on. */
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

/** The target of all lanes of a stream from now on; undefined: nothing of it is sent. */
export function setTarget(stream: StreamState, target: Target | undefined): void {
  for (const lane of lanesOf(stream)) lane.change(target ? { type: 'start', target } : { type: 'stop' })
}

/** Rows of a chain were taken back: what is loaded may be among them, also to be sent again. */
export function tellTakenBack(lane: Lane): void {
  for (const own of [lane, lane.stream.replays, lane.stream.retries]) own.change({ type: 'empty' })
}

/** An attempt is in the ledger now. `stream`: what of its stream is in memory, if anything is. */
export function tellSettled(attempt: Attempt, stream: StreamState | undefined, claims: Claims<Lane>): void {
  const { chainId, position, replay, number, outcome, probe } = attempt
  claims.move({ position, replay, failures: number - 1 }, 'settle')
  if (!stream) return
  if (probe) {
    // A probe is not of the lane, which passed its webhook by meanwhile, if the stream was resumed.
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

/** Attempts of a stream under way. */
export function underWayOf({ firsts, replays, retries }: StreamState, way: Way): number {
  if (way === 'again') return replays.state.underWay.length + retries.state.underWay.length
  let count = 0
  for (const { state } of firsts.values()) count += state.underWay.length
  return count
}

/** Whether anything of a stream is in memory: read, loaded, under way, or not settled. */
export function isInMemory(stream: StreamState): boolean {
  return lanesOf(stream).some((lane) => lane.held > 0 || isReading(lane.state))
}
