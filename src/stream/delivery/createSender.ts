import type { Attempt } from '../ledger/attempt.ts'
import type { Claims } from './claims.ts'
import type { Clock } from './clock.ts'
import type { MakeAttempt } from './createAttempt.ts'
import { adaptLimit, createEndpoint, isIdle, type Way } from './endpoint.ts'
import type { QueuedWebhook } from './loadWebhooks.ts'
import {
  mayStart,
  type Source,
  type SourceEndpoint,
  type SourceGate,
  type StreamState,
  widestWindow,
} from './source.ts'

export type SenderOptions = {
  attempt: MakeAttempt
  clock: Clock
  claims: Claims<Source>
  settings: {
    maxConcurrencyPerUrl: number
    maxConcurrencyPerStream: number
    maxConcurrencyUnordered: number
    maxConcurrency: number
  }
  /** Whether this process may send for the streams of a partition at this moment. */
  maySend(partition: number): boolean
  /** Attempts that are made and not settled yet: while there are many, nothing new is sent. */
  unsettled: () => number
  onAttempt(attempt: Attempt, source: Source): void
  /** A source has little left. */
  onLow(source: Source): void
  /** A body is no longer in memory. */
  onFreed(source: Source, bytes: number): void
  signal: AbortSignal
}

/** Sends what sources hold, each in its turn. */
export type Sender = {
  /** A source has something to send, or may send again. */
  offer(source: Source): void
  /** What waited for attempts to be settled goes on. */
  resume(): void
  /** Addresses whose pause is over go on. Milliseconds until the next one does; Infinity: none is paused. */
  endPauses(): number
  /** An address asked with 429 to be sent nothing for so long. */
  pause(url: string, ms: number): void
  /** Addresses that are sent nothing at the moment. */
  paused(): string[]
  inFlight(): number
  /** Nothing new is sent from now on. Resolves when nothing is under way any more. */
  halt(): Promise<void>
}

const mostUnsettled = 8_192

export function createSender(options: SenderOptions): Sender {
  const { attempt, clock, claims, settings, maySend, unsettled, onAttempt, onLow, onFreed, signal } = options
  const { maxConcurrencyPerUrl, maxConcurrencyPerStream, maxConcurrencyUnordered, maxConcurrency } = settings
  /** What hangs when it is sent again leaves half of all attempts to first ones. */
  const most: Record<Way, number> = { first: maxConcurrency, again: Math.ceil(maxConcurrency / 2) }
  const endpoints = new Map<string, SourceEndpoint>()
  const paused = new Set<SourceEndpoint>()
  /** They wait for room among all attempts. */
  let blocked = new Set<SourceGate>()
  const total: Record<Way, number> = { first: 0, again: 0 }
  const inFlight = () => total.first + total.again
  let halted = false
  let onDrained: (() => void) | undefined

  function endpointOf(url: string): SourceEndpoint {
    let endpoint = endpoints.get(url)
    if (!endpoint) {
      endpoint = createEndpoint(url, maxConcurrencyPerUrl)
      endpoints.set(url, endpoint)
    }
    return endpoint
  }

  function offer(source: Source): void {
    const { target } = source.stream
    if (target && source.gate && source.gate.endpoint.url !== target.url) leave(source, source.gate)
    if (source.waiting || source.buffer.length === 0 || target?.status !== 'active') return
    if (source.kind === 'lane' && !mayStart(source)) return
    const gate = endpointOf(target.url).gates[source.way]
    source.waiting = true
    source.gate = gate
    gate.waiting.push(source)
    fill(gate)
  }

  /** Its stream moved to another address: at the former one, which may be paused for days, it waits no longer. */
  function leave(source: Source, gate: SourceGate): void {
    gate.waiting.splice(gate.waiting.indexOf(source), 1)
    source.waiting = false
    source.gate = undefined
  }

  function fill(gate: SourceGate): void {
    const { endpoint, way } = gate
    while (gate.inFlight < gate.limit && gate.waiting.length > 0 && !halted && !paused.has(endpoint)) {
      if (inFlight() >= maxConcurrency || total[way] >= most[way] || unsettled() >= mostUnsettled) {
        blocked.add(gate)
        return
      }
      const source = gate.waiting.shift()!
      source.waiting = false
      source.gate = undefined
      const { stream } = source
      // Its stream stopped, or moved to another address, while it waited.
      if (stream.target?.url !== endpoint.url) offer(source)
      else if (stream.target.status !== 'active' || source.buffer.length === 0) continue
      // Whoever holds the lease again looks at everything anew, and offers it.
      else if (!maySend(stream.partition)) continue
      // Another of the lane was sent, or a retraction was read, since it was offered: it is offered again when that is answered.
      else if (source.kind === 'lane' && !mayStart(source)) continue
      else if (stream.inFlight[way] >= mostOf(stream, way)) park(source)
      else void send(gate, source, source.buffer.shift()!)
    }
    if (isIdle(endpoint) && !paused.has(endpoint)) endpoints.delete(endpoint.url)
  }

  function mostOf({ target }: StreamState, way: Way): number {
    return way === 'first' && target?.delivery === 'unordered' ? maxConcurrencyUnordered : maxConcurrencyPerStream
  }

  function park(source: Source): void {
    source.waiting = true
    source.stream.parked[source.way].push(source)
  }

  function unpark(stream: StreamState, way: Way): void {
    for (const source of stream.parked[way].splice(0)) {
      source.waiting = false
      offer(source)
    }
  }

  function pause(endpoint: SourceEndpoint, ms: number): void {
    endpoint.pausedUntil = Math.max(endpoint.pausedUntil, clock() + ms)
    paused.add(endpoint)
  }

  async function send(gate: SourceGate, source: Source, webhook: QueuedWebhook): Promise<void> {
    const { stream, way } = source
    const target = stream.target!
    claims.move(webhook, 'send')
    total[way] += 1
    gate.inFlight += 1
    stream.inFlight[way] += 1
    if (source.kind === 'lane') {
      source.inFlight += 1
      source.retracting = webhook.retraction
    }
    // Several may be under way at once: retries, and what an unordered stream sends first.
    offer(source)
    if (source.buffer.length <= (source.kind === 'lane' ? source.window >> 1 : 1)) onLow(source)
    try {
      const { at, ms, outcome, pauseMs } = await attempt(webhook, target, signal)
      claims.move(webhook, 'answer')
      const delivered = outcome.status === 'delivered'
      adaptLimit(gate, outcome.code, maxConcurrencyPerUrl)
      if (pauseMs !== undefined) pause(gate.endpoint, pauseMs)
      if (source.kind === 'lane') source.window = delivered ? Math.min(widestWindow, source.window * 2) : 1
      const { partition, streamId } = stream
      const { chainId, position, replay, failures } = webhook
      const key = { partition, streamId, chainId, position, replay }
      onAttempt({ ...key, number: failures + 1, urlHash: target.urlHash, at, ms, outcome }, source)
    } catch (error) {
      // What was cut off by the end of this process is not counted; it is made again.
      if (!signal.aborted) throw error
      claims.move(webhook, 'cut')
    } finally {
      total[way] -= 1
      gate.inFlight -= 1
      stream.inFlight[way] -= 1
      if (source.kind === 'lane') {
        source.inFlight -= 1
        source.retracting = false
      }
      onFreed(source, webhook.body.length)
      // Where memory is full, only a source with nothing left and nothing under way is given more.
      if (source.buffer.length === 0) onLow(source)
      offer(source)
      unpark(stream, way)
      fill(gate)
      if (blocked.size > 0) resume()
      if (inFlight() === 0) onDrained?.()
    }
  }

  function resume(): void {
    const waiting = blocked
    blocked = new Set()
    for (const gate of waiting) fill(gate)
  }

  return {
    offer,
    resume,
    endPauses() {
      const now = clock()
      let next = Number.POSITIVE_INFINITY
      for (const endpoint of paused) {
        if (endpoint.pausedUntil > now) next = Math.min(next, endpoint.pausedUntil - now)
        else {
          paused.delete(endpoint)
          for (const gate of Object.values(endpoint.gates)) fill(gate)
        }
      }
      return next
    },
    pause: (url, ms) => pause(endpointOf(url), ms),
    paused: () => [...paused].map(({ url }) => url),
    inFlight,
    async halt() {
      halted = true
      if (inFlight() > 0)
        await new Promise<void>((resolve) => {
          onDrained = resolve
        })
    },
  }
}
