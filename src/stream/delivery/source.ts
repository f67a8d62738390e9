import type { Endpoint, Gate, Way } from './endpoint.ts'
import type { LaneKey, QueuedWebhook } from './loadWebhooks.ts'
import type { Target } from './target.ts'

/** What of a stream is in memory: only what is about to be sent. */
export type StreamState = {
  partition: number
  streamId: string
  /** undefined: not read yet, or the stream is gone, or delivered by another process. */
  target: Target | undefined
  /** By chain. */
  lanes: Map<bigint, Lane>
  replays: Lane
  retries: Retries
  inFlight: Record<Way, number>
  /** Sources that wait until fewer attempts of this stream are under way. */
  parked: Record<Way, Source[]>
}

type SourceState = {
  readonly stream: StreamState
  /** Loaded and not under way. */
  buffer: QueuedWebhook[]
  /** Waits at its endpoint or is parked. */
  waiting: boolean
  /** Where it waits; undefined: it is parked, or does not wait. */
  gate: SourceGate | undefined
  /** The store may have more. */
  more: boolean
  loading: boolean
  /** How often it was emptied, or has to look again at what it passed by: what was read before that is not kept. */
  emptied: number
  /** Attempts that it took and that are not settled. */
  held: number
}

/**
 * First attempts of deliveries: those on one chain, one after the other unless the stream is unordered; or of replays that were
 * asked for, one after the other.
 */
export type Lane = SourceState & {
  kind: 'lane'
  way: Way
  /** undefined: replays, of whatever chain. */
  chainId: bigint | undefined
  /** Under way. */
  inFlight: number
  /** A retraction is under way: what replaces the block that it takes back comes afterwards. */
  retracting: boolean
  /** The last one that was loaded. */
  after: bigint
  /** How many are loaded at once: doubled by each that is delivered, 1 after a failure, so that what is dead holds little. */
  window: number
}

/** Retries that are due, beside each other. */
export type Retries = SourceState & {
  kind: 'retries'
  way: 'again'
  /** When the next one is due, in milliseconds since 1970. */
  nextDueAt: number | undefined
}

export type Source = Lane | Retries

/** Where sources wait for their turn. */
export type SourceEndpoint = Endpoint<Source>
export type SourceGate = Gate<Source>

export const widestWindow = 64

export function createStreamState({ partition, streamId }: Pick<LaneKey, 'partition' | 'streamId'>): StreamState {
  const stream = {
    partition,
    streamId,
    target: undefined,
    lanes: new Map(),
    inFlight: { first: 0, again: 0 },
    parked: { first: [], again: [] },
  } as unknown as StreamState
  stream.replays = createLane(stream, undefined)
  stream.retries = { kind: 'retries', way: 'again', ...createSource(stream), nextDueAt: undefined }
  return stream
}

export function createLane(stream: StreamState, chainId: bigint | undefined): Lane {
  const way = chainId === undefined ? 'again' : 'first'
  return { kind: 'lane', way, chainId, ...createSource(stream), inFlight: 0, retracting: false, after: 0n, window: 1 }
}

function createSource(stream: StreamState): SourceState {
  return { stream, buffer: [], waiting: false, gate: undefined, more: true, loading: false, emptied: 0, held: 0 }
}

/**
 * Whether the next of a lane may be sent beside what is under way. An unordered lane has many under way at once, but a
 * retraction waits until everything before it is answered, and what comes after it waits for its answer.
 */
export function mayStart({ stream, way, buffer, inFlight, retracting }: Lane): boolean {
  if (inFlight === 0) return true
  return way === 'first' && stream.target?.delivery === 'unordered' && !retracting && buffer[0]?.retraction !== true
}

export function sourcesOf(stream: StreamState): Source[] {
  return [stream.retries, stream.replays, ...stream.lanes.values()]
}
