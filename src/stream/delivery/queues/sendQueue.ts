import type { Attempt } from '../../ledger/attempt.ts'
import type { QueuedWebhook, SendQueueKey } from '../attempt/loadWebhooks.ts'
import type { Target } from '../attempt/target.ts'
import type { Claims } from './claims.ts'
import type { Gate, Way } from './deliveryEndpoint.ts'
import {
  hunger,
  isReading,
  newSendQueue,
  nextSendQueue,
  type SendQueueEvent,
  type SendQueueKind,
  type SendQueueState,
} from './sendQueueState.ts'

/** A stream in the memory of the delivering process, with its send queues. */
export type StreamState = {
  readonly partition: number
  readonly streamId: string
  /** The last read address, which has a row in `webhook_url`; set only by the dispatcher. */
  url: string | undefined
  /** First attempts, by chain. */
  readonly firsts: Map<bigint, SendQueue>
  readonly replays: SendQueue
  readonly retries: SendQueue
  /**
   * Send queues that wait for fewer running attempts of this stream, in order of arrival; changed only by the sender.
   */
  readonly suspended: Record<Way, SendQueue[]>
}

/** Webhooks of one stream that are sent by the same rule. Its events are in `sendQueueState.ts`. */
export type SendQueue = {
  readonly stream: StreamState
  readonly kind: SendQueueKind
  readonly way: Way
  /** undefined: all chains. */
  readonly chainId: bigint | undefined
  /** The state after the last event. */
  readonly state: SendQueueState
  change(event: SendQueueEvent): void
  /** Number of its unsettled attempts; maintained by `Claims`. */
  held: number
  /** The gate at which it waits; set only by the sender. */
  gate: SendQueueGate | undefined
}

export type SendQueueGate = Gate<SendQueue>

/** Effects of an event of a send queue. */
export type SendQueueEffects = {
  /** It waits at the gate of its target; called again when the address changes. */
  onWaiting(sendQueue: SendQueue): void
  /** It needs rows; called again as it becomes more urgent. */
  onWanted(sendQueue: SendQueue): void
  /** These webhooks were removed from its memory, unsent. */
  onDropped(sendQueue: SendQueue, webhooks: readonly QueuedWebhook[]): void
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }
type StreamKey = Pick<SendQueueKey, 'partition' | 'streamId'>

export function createStreamState({ partition, streamId }: StreamKey, effects: SendQueueEffects): StreamState {
  const suspended = { first: [], again: [] }
  const stream = {
    partition,
    streamId,
    url: undefined,
    firsts: new Map(),
    suspended,
  } as unknown as Writable<StreamState>
  stream.replays = createSendQueue(stream, 'replays', undefined, effects)
  stream.retries = createSendQueue(stream, 'retries', undefined, effects)
  return stream
}

/** The send queue of a stream's first attempts on a chain, created if missing. */
export function sendQueueOf(stream: StreamState, chainId: bigint, effects: SendQueueEffects): SendQueue {
  const known = stream.firsts.get(chainId)
  if (known) return known
  const sendQueue = createSendQueue(stream, 'first', chainId, effects)
  stream.firsts.set(chainId, sendQueue)
  const { target } = stream.retries.state
  if (target) sendQueue.change({ type: 'start', target })
  return sendQueue
}

function createSendQueue(
  stream: StreamState,
  kind: SendQueueKind,
  chainId: bigint | undefined,
  effects: SendQueueEffects,
): SendQueue {
  let state = newSendQueue(kind)
  const sendQueue: SendQueue = {
    ...{ stream, kind, chainId, way: kind === 'first' ? 'first' : 'again', held: 0, gate: undefined },
    get state() {
      return state
    },
    change(event) {
      const before = state
      const after = nextSendQueue(before, event)
      state = after
      if (after === before) return
      const isDropped = event.type === 'stop' || event.type === 'empty'
      if (isDropped && before.loaded.length > 0) effects.onDropped(sendQueue, before.loaded)
      if (hunger(after) > hunger(before)) effects.onWanted(sendQueue)
      const isElsewhere = before.slot !== 'waiting' || before.target?.url !== after.target?.url
      if (after.slot === 'waiting' && after.target && isElsewhere) effects.onWaiting(sendQueue)
    },
  }
  return sendQueue
}

/** Sets the target of all send queues of a stream; undefined stops them. */
export function setTarget(stream: StreamState, target: Target | undefined): void {
  for (const sendQueue of sendQueuesOf(stream)) sendQueue.change(target ? { type: 'start', target } : { type: 'stop' })
}

/**
 * A reorg retracted webhooks of the send queue's chain. They may be loaded, also as retries and replays, so everything
 * is read again.
 */
export function reportRetracted(sendQueue: SendQueue): void {
  for (const own of [sendQueue, sendQueue.stream.replays, sendQueue.stream.retries]) own.change({ type: 'empty' })
}

/** Passes a settled attempt to the stream's send queues. `stream` undefined: it is not in memory any more. */
export function reportSettled(attempt: Attempt, stream: StreamState | undefined, claims: Claims<SendQueue>): void {
  const { chainId, position, replay, number, outcome, probe } = attempt
  claims.move({ position, replay, failures: number - 1 }, 'settle')
  if (!stream) return
  if (probe) {
    // The send queue did not take the probe's webhook. If the stream was resumed meanwhile, it may have read past that
    // webhook.
    const sendQueue = replay > 0 ? stream.replays : stream.firsts.get(chainId)
    sendQueue?.change({ type: 'look again', position })
    stream.retries.change({ type: 'notified' })
  }
  if (outcome.status === 'failed' && outcome.retryAt)
    stream.retries.change({ type: 'due', at: outcome.retryAt.getTime() })
}

export function sendQueuesOf(stream: StreamState): SendQueue[] {
  return [stream.retries, stream.replays, ...stream.firsts.values()]
}

/** Number of running attempts of a stream. */
export function underWayOf({ firsts, replays, retries }: StreamState, way: Way): number {
  if (way === 'again') return replays.state.underWay.length + retries.state.underWay.length
  let count = 0
  for (const { state } of firsts.values()) count += state.underWay.length
  return count
}

/** Whether a stream has webhooks that are being read, loaded, running, or unsettled. */
export function isInMemory(stream: StreamState): boolean {
  return sendQueuesOf(stream).some((sendQueue) => sendQueue.held > 0 || isReading(sendQueue.state))
}
