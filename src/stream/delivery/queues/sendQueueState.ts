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
 *       ↑                         └─suspend→ suspended
 *       └────────────resume─────────────────────┘
 *
 * Whatever the event, an idle send queue that may send is waiting at once. A send queue that waits keeps its place when it is stopped or
 * emptied; it leaves when it is called.
 */
export type Slot =
  | 'idle'
  /** In the queue of its address. */
  | 'waiting'
  /** At the head of the queue: it sends one webhook, is suspended, or leaves. */
  | 'called'
  /** Suspended until fewer attempts of its stream are running. */
  | 'suspended'

/**
 * Known facts of the send queue's rows in the queue:
 *
 *     done ──notified→ wanted ──read→ reading ──loaded→ done, more or wanted
 *     more ──notified, send→ wanted      └─notified→ reading, more ──loaded→ wanted
 *
 * `start` counts as `notified`, and so does `clock` when a retry is due. If rows changed that may have been read (`empty`, `stop`,
 * `look again`, and `start` of a send queue of replays), done and more become wanted, and a read that continues becomes stale. A read that
 * failed or was stale ends as wanted.
 */
export type Reading =
  /** The queue has no more rows for the send queue, as far as this process knows. */
  | 'done'
  /** The queue has more rows than the send queue had space for: it needs them once it has sent one. */
  | 'more'
  /** The queue may have more rows. */
  | 'wanted'
  | 'reading'
  /** Rows were added during the read, which may miss them. */
  | 'reading, more'
  /** Rows changed during the read, so its result is discarded. */
  | 'reading, stale'

export type SendQueueState = {
  readonly kind: SendQueueKind
  /** undefined: nothing is sent, as the stream is not active, was deleted, or is delivered by another process. */
  readonly target: Target | undefined
  readonly slot: Slot
  readonly reading: Reading
  /** Next webhooks in order. Empty without a target. */
  readonly loaded: readonly QueuedWebhook[]
  readonly underWay: readonly QueuedWebhook[]
  /** Position of the last read row; 0 for retries, which are always read from the oldest. */
  readonly after: bigint
  /** Most loaded webhooks: doubled by each delivered one, 1 after a failure, so that a dead address has few. */
  readonly window: number
  /** When the next unread retry is due, in milliseconds since 1970; undefined: there is none, or a read will show. */
  readonly nextDueAt: number | undefined
}

/** Events of a send queue. */
export type SendQueueEvent =
  /** The stream is active with this target; repeated whenever the stream is read. */
  | { type: 'start'; target: Target }
  /**
   * The stream is not active, was deleted, or is delivered by another process: its loaded webhooks are removed from
   * memory.
   */
  | { type: 'stop' }
  /** The queue may have more rows for the send queue. */
  | { type: 'notified' }
  /** Loaded rows may have changed: the loaded webhooks are removed from memory and read again. */
  | { type: 'empty' }
  /** A probe with the webhook at this position was settled. If it is still pending, its row must be read again. */
  | { type: 'look again'; position: bigint }
  /** A retry will be due at this time, in milliseconds since 1970. */
  | { type: 'due'; at: number }
  /** The current time, in milliseconds since 1970. */
  | { type: 'clock'; now: number }
  /** A read of the send queue's rows begins. */
  | { type: 'read' }
  /** A read ended, from which the send queue took these webhooks. */
  | {
      type: 'loaded'
      webhooks: readonly QueuedWebhook[]
      /** Position of the last row of the read; undefined: no rows. */
      last: bigint | undefined
      /** Unread or untaken rows remain. */
      more: boolean
      nextDueAt: number | undefined
    }
  | { type: 'read failed' }
  | { type: 'call' }
  | { type: 'leave' }
  | { type: 'suspend' }
  | { type: 'resume' }
  /** The first loaded webhook is being sent. */
  | { type: 'send' }
  | { type: 'complete'; webhook: QueuedWebhook; delivered: boolean }
  /** The shutdown of this process aborted the attempt. */
  | { type: 'abort'; webhook: QueuedWebhook }

const widestWindow = 64

export function newSendQueue(kind: SendQueueKind): SendQueueState {
  const nothing = { target: undefined, loaded: [], underWay: [], nextDueAt: undefined }
  return { kind, slot: 'idle', reading: 'wanted', after: 0n, window: 1, ...nothing }
}

/**
 * The state of a send queue after an event. Throws a TypeError if the state does not allow the event, which is a bug of
 * the caller.
 */
export function nextSendQueue(state: SendQueueState, event: SendQueueEvent): SendQueueState {
  const next = changed(state, event)
  return next.slot === 'idle' && maySend(next) ? { ...next, slot: 'waiting' } : next
}

function changed(state: SendQueueState, event: SendQueueEvent): SendQueueState {
  switch (event.type) {
    case 'start':
      return started({ ...state, target: event.target })
    case 'stop':
      // After a restart of the send queue, rows may be pending below the last read position: those of another process
      // or a probe.
      return { ...emptied(state), target: undefined, after: 0n }
    case 'notified':
      return notified(state)
    case 'empty':
      return emptied(state)
    case 'look again':
      return stale({ ...state, after: lookedFrom(state, event.position) })
    case 'due':
      return { ...state, nextDueAt: sooner(state.nextDueAt, event.at) }
    case 'clock':
      if (state.nextDueAt === undefined || state.nextDueAt > event.now) return state
      return notified({ ...state, nextDueAt: undefined })
    case 'read':
      // The read takes retries that are due now, and returns when the next one is due.
      return { ...only(state, event, isWanted(state)), reading: 'reading', nextDueAt: undefined }
    case 'loaded':
      return loaded(only(state, event, isReading(state)), event)
    case 'read failed':
      return { ...only(state, event, isReading(state)), reading: 'wanted' }
    case 'call':
      return { ...only(state, event, state.slot === 'waiting'), slot: 'called' }
    case 'leave':
      return { ...only(state, event, state.slot === 'called'), slot: 'idle' }
    case 'suspend':
      return { ...only(state, event, state.slot === 'called'), slot: 'suspended' }
    case 'resume':
      return { ...only(state, event, state.slot === 'suspended'), slot: 'idle' }
    case 'send':
      return sent(only(state, event, state.slot === 'called' && maySend(state)))
    case 'complete':
      return { ...ended(state, event), window: event.delivered ? Math.min(widestWindow, state.window * 2) : 1 }
    case 'abort':
      return ended(state, event)
  }
}

/** The state, if it allows the event. */
function only(state: SendQueueState, { type }: SendQueueEvent, possible: boolean): SendQueueState {
  if (possible) return state
  throw new TypeError(
    `a send queue of ${state.kind} that is ${state.slot}, its rows ${state.reading}: it cannot ${type}`,
  )
}

/**
 * Whether the send queue may send its next webhook beside its running attempts. Retries run in parallel, replays and
 * first attempts one at a time. First attempts of an unordered stream also run in parallel, but a retraction waits for
 * all earlier ones, and later ones wait for it.
 */
export function maySend({ kind, target, loaded, underWay }: SendQueueState): boolean {
  if (!target || loaded.length === 0) return false
  if (kind === 'retries' || underWay.length === 0) return true
  const isAlone = loaded[0]!.retraction || underWay.some(({ retraction }) => retraction)
  return kind === 'first' && target.delivery === 'unordered' && !isAlone
}

/** Whether a read of the send queue's rows is running. */
export function isReading({ reading }: SendQueueState): boolean {
  return reading === 'reading' || reading === 'reading, more' || reading === 'reading, stale'
}

function isWanted({ target, reading }: SendQueueState): boolean {
  return target !== undefined && reading === 'wanted'
}

/** How urgently a send queue needs rows. 0: not; 1: few webhooks are loaded; 2: none; 3: none, and none is running. */
export function hunger(state: SendQueueState): 0 | 1 | 2 | 3 {
  const { kind, loaded, underWay, window } = state
  const few = kind === 'retries' ? 1 : window >> 1
  if (!isWanted(state) || loaded.length > few) return 0
  if (loaded.length > 0) return 1
  return underWay.length > 0 ? 2 : 3
}

function started(state: SendQueueState): SendQueueState {
  // A client may have requested a replay below the last read position.
  return state.kind === 'replays' ? stale({ ...state, after: 0n }) : notified(state)
}

function notified(state: SendQueueState): SendQueueState {
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

/** The position after which the next read begins, so that it includes the row at `position`. */
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
  return { ...state, slot: 'idle', reading, loaded: rest, underWay: [...state.underWay, webhook!] }
}

function ended(state: SendQueueState, event: Extract<SendQueueEvent, { webhook: QueuedWebhook }>): SendQueueState {
  const rest = state.underWay.filter((webhook) => webhook !== event.webhook)
  return { ...only(state, event, rest.length === state.underWay.length - 1), underWay: rest }
}

function sooner(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return Math.min(a, b)
}
