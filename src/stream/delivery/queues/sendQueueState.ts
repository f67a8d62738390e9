import type { QueuedWebhook } from '../attempt/loadWebhooks.ts'
import type { Target } from '../attempt/target.ts'

/**
 * What a send queue sends: first attempts of a stream's webhooks on one chain; first attempts of a stream's replays, on all chains; or
 * a stream's retries that are due.
 */
export type SendQueueKind = 'first' | 'replays' | 'retries'

/**
 * The send queue's place among all send queues that send to the same address:
 *
 *     idle ──→ waiting ──call→ called ──send, leave→ idle
 *       ↑                         └─park→ parked
 *       └────────────unpark─────────────────┘
 *
 * Whatever the event, an idle send queue that may send is waiting at once. A send queue that waits keeps its place when it is stopped or
 * emptied; it leaves when it is called.
 */
export type Turn =
  | 'idle'
  /** In the queue of its address. */
  | 'waiting'
  /** The first of its queue: it sends one webhook, parks, or leaves. */
  | 'called'
  /** Waits until fewer attempts of its stream are in progress. */
  | 'parked'

/**
 * Known facts of the send queue's rows in the queue:
 *
 *     done ──reported→ wanted ──read→ reading ──loaded→ done, more or wanted
 *     more ──reported, send→ wanted      └─reported→ reading, more ──loaded→ wanted
 *
 * `start` counts as `reported`, and so does `clock` when a retry is due. If rows changed that may have been read (`empty`, `stop`,
 * `look again`, and `start` of a send queue of replays), done and more become wanted, and a read that continues becomes stale. A read that
 * failed or was stale ends as wanted.
 */
export type Reading =
  /** The queue has no more rows for the send queue, as far as this process was reported. */
  | 'done'
  /** The queue has more rows than the send queue had space for: they are wanted once the send queue has sent one. */
  | 'more'
  /** The queue may have more rows. */
  | 'wanted'
  | 'reading'
  /** Rows came during the read, which it may miss. */
  | 'reading, more'
  /** Rows changed during the read: the send queue keeps none of it. */
  | 'reading, stale'

export type SendQueueState = {
  readonly kind: SendQueueKind
  /** undefined: the send queue sends nothing, as its stream is not active, or was deleted, or is delivered by another process. */
  readonly target: Target | undefined
  readonly turn: Turn
  readonly reading: Reading
  /** To be sent next, in this order. Empty without a target. */
  readonly loaded: readonly QueuedWebhook[]
  readonly underWay: readonly QueuedWebhook[]
  /** The position up to which rows were read; 0 for retries, which are read from the oldest each time. */
  readonly after: bigint
  /** Webhooks that may be loaded at once: doubled by each that is delivered, 1 after a failure, so that a dead address holds few. */
  readonly window: number
  /** When the next retry is due that was not read, in milliseconds since 1970; undefined: there is none, or a read will show. */
  readonly nextDueAt: number | undefined
}

/** Everything that can happen to a send queue. */
export type SendQueueEvent =
  /** The stream is active and this is its target; happens again whenever the stream was read. */
  | { type: 'start'; target: Target }
  /** The stream is not active, or was deleted, or another process delivers it: its loaded webhooks leave memory. */
  | { type: 'stop' }
  /** The queue may have more rows for the send queue. */
  | { type: 'reported' }
  /** Rows changed that may be loaded: the loaded webhooks leave memory and are read again. */
  | { type: 'empty' }
  /** A probe with the webhook at this position was settled. If it is still pending, the send queue has to read its row again. */
  | { type: 'look again'; position: bigint }
  /** A retry will be due at this time, in milliseconds since 1970. */
  | { type: 'due'; at: number }
  /** The time is now this, in milliseconds since 1970. */
  | { type: 'clock'; now: number }
  /** A read of the send queue's rows begins. */
  | { type: 'read' }
  /** The read ended, and the send queue has taken these webhooks from it. */
  | {
      type: 'loaded'
      webhooks: readonly QueuedWebhook[]
      /** Position of the last row that was read, taken or not; undefined: no row was read. */
      last: bigint | undefined
      /** Further rows wait that were not read or not taken. */
      more: boolean
      nextDueAt: number | undefined
    }
  | { type: 'read failed' }
  | { type: 'call' }
  | { type: 'leave' }
  | { type: 'park' }
  | { type: 'unpark' }
  /** The first loaded webhook is in progress. */
  | { type: 'send' }
  | { type: 'answer'; webhook: QueuedWebhook; delivered: boolean }
  /** The end of this process cut the attempt off. */
  | { type: 'cut'; webhook: QueuedWebhook }

const widestWindow = 64

export function newSendQueue(kind: SendQueueKind): SendQueueState {
  const nothing = { target: undefined, loaded: [], underWay: [], nextDueAt: undefined }
  return { kind, turn: 'idle', reading: 'wanted', after: 0n, window: 1, ...nothing }
}

/** The state of a send queue after an event. Throws a TypeError if the event cannot happen in this state, an error of the caller. */
export function nextSendQueue(state: SendQueueState, event: SendQueueEvent): SendQueueState {
  const next = changed(state, event)
  return next.turn === 'idle' && maySend(next) ? { ...next, turn: 'waiting' } : next
}

function changed(state: SendQueueState, event: SendQueueEvent): SendQueueState {
  switch (event.type) {
    case 'start':
      return started({ ...state, target: event.target })
    case 'stop':
      // When the send queue starts again, rows may be pending below what was read here: those that another process or a probe leaves.
      return { ...emptied(state), target: undefined, after: 0n }
    case 'reported':
      return reported(state)
    case 'empty':
      return emptied(state)
    case 'look again':
      return stale({ ...state, after: lookedFrom(state, event.position) })
    case 'due':
      return { ...state, nextDueAt: sooner(state.nextDueAt, event.at) }
    case 'clock':
      if (state.nextDueAt === undefined || state.nextDueAt > event.now) return state
      return reported({ ...state, nextDueAt: undefined })
    case 'read':
      // The read takes the retries that are due by now, and shows when the next one is.
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

/** The state, where the event can happen in it. */
function only(state: SendQueueState, { type }: SendQueueEvent, possible: boolean): SendQueueState {
  if (possible) return state
  throw new TypeError(
    `a send queue of ${state.kind} that is ${state.turn}, its rows ${state.reading}: it cannot ${type}`,
  )
}

/**
 * Whether the send queue may send its next webhook beside the attempts that it has in progress. Retries are sent side by side, replays and
 * first attempts one after the other. First attempts of an unordered stream are sent side by side, too, but a retraction waits until
 * all before it are answered, and all after it wait for its answer.
 */
export function maySend({ kind, target, loaded, underWay }: SendQueueState): boolean {
  if (!target || loaded.length === 0) return false
  if (kind === 'retries' || underWay.length === 0) return true
  const isAlone = loaded[0]!.retraction || underWay.some(({ retraction }) => retraction)
  return kind === 'first' && target.delivery === 'unordered' && !isAlone
}

/** Whether a read of the send queue's rows continues. */
export function isReading({ reading }: SendQueueState): boolean {
  return reading === 'reading' || reading === 'reading, more' || reading === 'reading, stale'
}

function isWanted({ target, reading }: SendQueueState): boolean {
  return target !== undefined && reading === 'wanted'
}

/** How urgently a send queue has to be read for. 0: not at all; 1: few webhooks are loaded; 2: none is; 3: none is, and none is in progress. */
export function hunger(state: SendQueueState): 0 | 1 | 2 | 3 {
  const { kind, loaded, underWay, window } = state
  const few = kind === 'retries' ? 1 : window >> 1
  if (!isWanted(state) || loaded.length > few) return 0
  if (loaded.length > 0) return 1
  return underWay.length > 0 ? 2 : 3
}

function started(state: SendQueueState): SendQueueState {
  // A client may have requested a replay of a webhook below the last position that was read.
  return state.kind === 'replays' ? stale({ ...state, after: 0n }) : reported(state)
}

function reported(state: SendQueueState): SendQueueState {
  const { reading } = state
  if (reading === 'done' || reading === 'more') return { ...state, reading: 'wanted' }
  return reading === 'reading' ? { ...state, reading: 'reading, more' } : state
}

function stale(state: SendQueueState): SendQueueState {
  return { ...state, reading: isReading(state) ? 'reading, stale' : 'wanted' }
}

function emptied(state: SendQueueState): SendQueueState {
  let from = state.after
  for (const { position } of state.loaded) from = lookedFrom({ kind: state.kind, after: from }, position)
  return stale({ ...state, after: from, loaded: [] })
}

/** The position after which the next read begins, so that it finds the row at `position` again. */
function lookedFrom({ kind, after: from }: Pick<SendQueueState, 'kind' | 'after'>, position: bigint): bigint {
  if (kind === 'replays') return 0n
  return from >= position ? position - 1n : from
}

function loaded(state: SendQueueState, event: Extract<SendQueueEvent, { type: 'loaded' }>): SendQueueState {
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

function sent(state: SendQueueState): SendQueueState {
  const [webhook, ...rest] = state.loaded
  const reading = state.reading === 'more' ? 'wanted' : state.reading
  return { ...state, turn: 'idle', reading, loaded: rest, underWay: [...state.underWay, webhook!] }
}

function ended(state: SendQueueState, event: Extract<SendQueueEvent, { webhook: QueuedWebhook }>): SendQueueState {
  const rest = state.underWay.filter((webhook) => webhook !== event.webhook)
  return { ...only(state, event, rest.length === state.underWay.length - 1), underWay: rest }
}

function sooner(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return Math.min(a, b)
}
