import type { QueuedWebhook } from '../attempt/loadWebhooks.ts'
import type { Target } from '../attempt/target.ts'

/**
 * What a lane sends: first attempts of a stream's webhooks on one chain; first attempts of replays that were asked for, of
 * whatever chain; or retries that are due.
 */
export type LaneKind = 'first' | 'replays' | 'retries'

/**
 * Where a lane stands among all that send to the same address:
 *
 *     idle ──→ waiting ──call→ called ──send, leave→ idle
 *       └────────unpark── parked ←─park─┘
 *
 * It waits by itself as soon as it may send: an idle lane has nothing that it may send.
 */
export type Turn =
  | 'idle'
  /** In the queue of its address. */
  | 'waiting'
  /** Its turn came: it sends one webhook, parks, or leaves. */
  | 'called'
  /** Until fewer attempts of its stream are under way. */
  | 'parked'

/**
 * What is known of the lane's rows in the store:
 *
 *     done ─told→ wanted ─read→ reading ─loaded→ done, more or wanted
 *     more ─send, told→ wanted
 */
export type Reading =
  /** The store has no more for it, as far as this process was told. */
  | 'done'
  /** The store has more, but what was read last did not fit: nothing is read before one that is loaded was sent. */
  | 'more'
  /** The store may have more. */
  | 'wanted'
  | 'reading'
  /** More came while it is read, which the read may miss. */
  | 'reading, more'
  /** Rows changed while they are read: none is kept. */
  | 'reading, stale'

export type LaneState = {
  readonly kind: LaneKind
  /** undefined: nothing is sent, for the stream is not active, or is gone, or is delivered by another process. */
  readonly target: Target | undefined
  readonly turn: Turn
  readonly reading: Reading
  /** To be sent next, in this order. Empty without a target. */
  readonly loaded: readonly QueuedWebhook[]
  readonly underWay: readonly QueuedWebhook[]
  /** The position up to which rows were read. Retries have none: theirs are read from the oldest each time. */
  readonly after: bigint
  /** How many are loaded at once: doubled by each that is delivered, 1 after a failure, so that a dead address holds little. */
  readonly window: number
  /** When the next retry is due that was not read, in milliseconds since 1970; undefined: none, or the store has to be asked. */
  readonly nextDueAt: number | undefined
}

/** Everything that can happen to a lane. */
export type LaneEvent =
  /** Its stream is active, and sent to this target from now on; told anew whenever the stream was read. */
  | { type: 'start'; target: Target }
  /** Its stream is not active, or is gone, or another process delivers it: what is loaded leaves memory. */
  | { type: 'stop' }
  /** The store may have more. */
  | { type: 'told' }
  /** Rows changed that may be loaded: they leave memory and are read anew. */
  | { type: 'empty' }
  /** A probe went past the lane with this webhook, which is owed still: the lane reads it anew. */
  | { type: 'look again'; position: bigint }
  /** A retry will be due, in milliseconds since 1970. */
  | { type: 'due'; at: number }
  /** It is this late, in milliseconds since 1970. */
  | { type: 'clock'; now: number }
  /** A read of its rows begins. */
  | { type: 'read' }
  /** The read ended: webhooks that were taken from it, and what it told. */
  | {
      type: 'loaded'
      webhooks: readonly QueuedWebhook[]
      /** Position of the last row that was read, whether it was taken or not. */
      last: bigint | undefined
      /** There were more rows than could be read. */
      more: boolean
      nextDueAt: number | undefined
    }
  | { type: 'read failed' }
  | { type: 'call' }
  | { type: 'leave' }
  | { type: 'park' }
  | { type: 'unpark' }
  /** The first one that is loaded is under way. */
  | { type: 'send' }
  | { type: 'answer'; webhook: QueuedWebhook; delivered: boolean }
  /** The end of this process cut it off. */
  | { type: 'cut'; webhook: QueuedWebhook }

const widestWindow = 64

export function newLane(kind: LaneKind): LaneState {
  const nothing = { target: undefined, loaded: [], underWay: [], nextDueAt: undefined }
  return { kind, turn: 'idle', reading: 'wanted', after: 0n, window: 1, ...nothing }
}

/** A lane after an event. Throws a TypeError where this cannot happen to it: it is a fault of the caller. */
export function nextLane(state: LaneState, event: LaneEvent): LaneState {
  const next = changed(state, event)
  return next.turn === 'idle' && maySend(next) ? { ...next, turn: 'waiting' } : next
}

function changed(state: LaneState, event: LaneEvent): LaneState {
  switch (event.type) {
    case 'start':
      return started({ ...state, target: event.target })
    case 'stop':
      // What another process leaves of it, or a probe, may stand before what was read here.
      return { ...emptied(state), target: undefined, after: 0n }
    case 'told':
      return told(state)
    case 'empty':
      return emptied(state)
    case 'look again':
      return stale({ ...state, after: lookedFrom(state, event.position) })
    case 'due':
      return { ...state, nextDueAt: sooner(state.nextDueAt, event.at) }
    case 'clock':
      if (state.nextDueAt === undefined || state.nextDueAt > event.now) return state
      return told({ ...state, nextDueAt: undefined })
    case 'read':
      // What was due by now is read.
      return { ...only(state, event, isWanted(state)), reading: 'reading', nextDueAt: undefined }
    case 'loaded':
      return loaded(only(state, event, isReading(state)), event)
    case 'read failed':
      return { ...only(state, event, isReading(state)), reading: 'wanted' }
    case 'call':
      return { ...only(state, event, state.turn === 'waiting'), turn: 'called' }
    case 'leave':
      return { ...only(state, event, state.turn === 'called'), turn: 'idle' }
    case 'park':
      return { ...only(state, event, state.turn === 'called'), turn: 'parked' }
    case 'unpark':
      return { ...only(state, event, state.turn === 'parked'), turn: 'idle' }
    case 'send':
      return sent(only(state, event, state.turn === 'called' && maySend(state)))
    case 'answer':
      return { ...ended(state, event), window: event.delivered ? Math.min(widestWindow, state.window * 2) : 1 }
    case 'cut':
      return ended(state, event)
  }
}

/** The state, where the event can happen to it. */
function only(state: LaneState, { type }: LaneEvent, possible: boolean): LaneState {
  if (possible) return state
  throw new TypeError(`a lane of ${state.kind} that is ${state.turn}, its store ${state.reading}: it cannot ${type}`)
}

/**
 * Whether the next webhook may be sent beside what is under way. Retries go beside each other, all else one after the other.
 * First attempts of an unordered stream go beside each other too, but a retraction waits until everything before it is
 * answered, and what comes after it waits for its answer.
 */
export function maySend({ kind, target, loaded, underWay }: LaneState): boolean {
  if (!target || loaded.length === 0) return false
  if (kind === 'retries' || underWay.length === 0) return true
  const isAlone = loaded[0]!.retraction || underWay.some(({ retraction }) => retraction)
  return kind === 'first' && target.delivery === 'unordered' && !isAlone
}

/** Whether a read of its rows goes on. */
export function isReading({ reading }: LaneState): boolean {
  return reading === 'reading' || reading === 'reading, more' || reading === 'reading, stale'
}

function isWanted({ target, reading }: LaneState): boolean {
  return target !== undefined && reading === 'wanted'
}

/** How urgently a lane has to be read for: not at all; it has little left; nothing; and nothing is under way either. */
export function hunger(state: LaneState): 0 | 1 | 2 | 3 {
  const { kind, loaded, underWay, window } = state
  const few = kind === 'retries' ? 1 : window >> 1
  if (!isWanted(state) || loaded.length > few) return 0
  if (loaded.length > 0) return 1
  return underWay.length > 0 ? 2 : 3
}

function started(state: LaneState): LaneState {
  // A replay of an earlier webhook than the last one may have been asked for.
  return state.kind === 'replays' ? stale({ ...state, after: 0n }) : told(state)
}

function told(state: LaneState): LaneState {
  const { reading } = state
  if (reading === 'done' || reading === 'more') return { ...state, reading: 'wanted' }
  return reading === 'reading' ? { ...state, reading: 'reading, more' } : state
}

function stale(state: LaneState): LaneState {
  return { ...state, reading: isReading(state) ? 'reading, stale' : 'wanted' }
}

function emptied(state: LaneState): LaneState {
  let from = state.after
  for (const { position } of state.loaded) from = lookedFrom({ kind: state.kind, after: from }, position)
  return stale({ ...state, after: from, loaded: [] })
}

/** So that the row at this position is read again. */
function lookedFrom({ kind, after: from }: Pick<LaneState, 'kind' | 'after'>, position: bigint): bigint {
  if (kind === 'replays') return 0n
  return from >= position ? position - 1n : from
}

function loaded(state: LaneState, event: Extract<LaneEvent, { type: 'loaded' }>): LaneState {
  const nextDueAt = sooner(state.nextDueAt, event.nextDueAt)
  if (state.reading === 'reading, stale') {
    only(state, event, event.webhooks.length === 0)
    return { ...state, reading: 'wanted', nextDueAt }
  }
  const after = state.kind === 'retries' ? state.after : (event.last ?? state.after)
  const all = state.loaded.concat(event.webhooks)
  const more = all.length > 0 ? 'more' : 'wanted'
  const reading = state.reading === 'reading, more' ? 'wanted' : event.more ? more : 'done'
  return { ...state, nextDueAt, reading, after, loaded: all }
}

function sent(state: LaneState): LaneState {
  const [webhook, ...rest] = state.loaded
  const reading = state.reading === 'more' ? 'wanted' : state.reading
  return { ...state, turn: 'idle', reading, loaded: rest, underWay: [...state.underWay, webhook!] }
}

function ended(state: LaneState, event: Extract<LaneEvent, { webhook: QueuedWebhook }>): LaneState {
  const rest = state.underWay.filter((webhook) => webhook !== event.webhook)
  return { ...only(state, event, rest.length === state.underWay.length - 1), underWay: rest }
}

function sooner(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return Math.min(a, b)
}
