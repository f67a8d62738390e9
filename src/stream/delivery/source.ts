import type { Endpoint } from './endpoint.ts'
import type { LaneKey, QueuedWebhook } from './loadWebhooks.ts'
import type { Target } from './target.ts'

/** What of a stream is in memory: only what is about to be sent. */
export type StreamState = {
  partition: number
  streamId: string
  /** undefined: not read yet, or the stream is gone. */
  target: Target | undefined
  lanes: Map<bigint, Lane>
  retries: Retries
  inFlight: number
  /** Sources that wait until fewer attempts of this stream are under way. */
  parked: Source[]
}

type SourceState = {
  stream: StreamState
  /** Loaded and not under way. */
  buffer: QueuedWebhook[]
  /** Waits at its endpoint or is parked. */
  waiting: boolean
  /** The store may have more. */
  more: boolean
  loading: boolean
}

/** First attempts on one chain, one after the other. */
export type Lane = SourceState & {
  kind: 'lane'
  chainId: bigint
  /** One is under way. */
  busy: boolean
  /** The last one that was loaded. */
  after: bigint
  /** How many are loaded at once: doubled by each that is delivered, 1 after a failure, so that what is dead holds little. */
  window: number
}

/** Retries and replays that are due, beside each other. */
export type Retries = SourceState & {
  kind: 'retries'
  /** Loaded and not settled yet, by position and replay. */
  held: Set<string>
  /** When the next one is due, in milliseconds since 1970. */
  nextDueAt: number | undefined
}

export type Source = Lane | Retries

/** Where sources wait for their turn. */
export type SourceEndpoint = Endpoint<Source>

export const widestWindow = 64

export function createStreamState({ partition, streamId }: Pick<LaneKey, 'partition' | 'streamId'>): StreamState {
  const stream: Omit<StreamState, 'retries'> = {
    partition,
    streamId,
    target: undefined,
    lanes: new Map(),
    inFlight: 0,
    parked: [],
  }
  const whole = stream as StreamState
  whole.retries = {
    kind: 'retries',
    stream: whole,
    buffer: [],
    waiting: false,
    more: true,
    loading: false,
    held: new Set(),
    nextDueAt: undefined,
  }
  return whole
}

export function createLane(stream: StreamState, chainId: bigint): Lane {
  return {
    kind: 'lane',
    stream,
    chainId,
    buffer: [],
    waiting: false,
    more: true,
    loading: false,
    busy: false,
    after: 0n,
    window: 1,
  }
}

export function deliveryName({ position, replay }: Pick<QueuedWebhook, 'position' | 'replay'>): string {
  return `${position}:${replay}`
}
