import type { Attempt } from '../ledger/attempt.ts'
import type { MakeAttempt } from './createAttempt.ts'
import { adaptLimit, createEndpoint } from './endpoint.ts'
import type { QueuedWebhook } from './loadWebhooks.ts'
import { type Source, type SourceEndpoint, type StreamState, widestWindow } from './source.ts'

export type SenderOptions = {
  attempt: MakeAttempt
  settings: { maxConcurrencyPerUrl: number; maxConcurrencyPerStream: number; maxConcurrency: number }
  /** Attempts that are made and not settled yet: while there are many, nothing new is sent. */
  unsettled: () => number
  onAttempt(attempt: Attempt, source: Source): void
  /** A source has little left. */
  onLow(source: Source): void
  /** Bytes of bodies in memory went down by so much. */
  onFreed(bytes: number): void
  signal: AbortSignal
}

/** Sends what sources hold, each in its turn. */
export type Sender = {
  /** A source has something to send, or may send again. */
  offer(source: Source): void
  /** What waited for attempts to be settled goes on. */
  resume(): void
  inFlight(): number
  /** Nothing new is sent from now on. Resolves when nothing is under way any more. */
  halt(): Promise<void>
}

const mostUnsettled = 8_192

export function createSender(options: SenderOptions): Sender {
  const { attempt, settings, unsettled, onAttempt, onLow, onFreed, signal } = options
  const { maxConcurrencyPerUrl, maxConcurrencyPerStream, maxConcurrency } = settings
  const endpoints = new Map<string, SourceEndpoint>()
  /** Addresses that wait for room among all attempts. */
  let blocked = new Set<SourceEndpoint>()
  let total = 0
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
    if (source.waiting || source.buffer.length === 0 || target?.status !== 'active') return
    if (source.kind === 'lane' && source.busy) return
    source.waiting = true
    const endpoint = endpointOf(target.url)
    endpoint.waiting.push(source)
    fill(endpoint)
  }

  function fill(endpoint: SourceEndpoint): void {
    while (endpoint.inFlight < endpoint.limit && endpoint.waiting.length > 0 && !halted) {
      if (total >= maxConcurrency || unsettled() >= mostUnsettled) {
        blocked.add(endpoint)
        return
      }
      const source = endpoint.waiting.shift()!
      source.waiting = false
      const { stream } = source
      // Its stream stopped, or moved to another address, while it waited.
      if (stream.target?.url !== endpoint.url) offer(source)
      else if (stream.target.status !== 'active' || source.buffer.length === 0) continue
      else if (stream.inFlight >= maxConcurrencyPerStream) park(source)
      else void send(endpoint, source, source.buffer.shift()!)
    }
    if (endpoint.inFlight === 0 && endpoint.waiting.length === 0) endpoints.delete(endpoint.url)
  }

  function park(source: Source): void {
    source.waiting = true
    source.stream.parked.push(source)
  }

  function unpark(stream: StreamState): void {
    for (const source of stream.parked.splice(0)) {
      source.waiting = false
      offer(source)
    }
  }

  async function send(endpoint: SourceEndpoint, source: Source, webhook: QueuedWebhook): Promise<void> {
    const { stream } = source
    const target = stream.target!
    total += 1
    endpoint.inFlight += 1
    stream.inFlight += 1
    if (source.kind === 'lane') source.busy = true
    // Several retries of a stream may be under way at once.
    else offer(source)
    if (source.buffer.length <= (source.kind === 'lane' ? source.window >> 1 : 1)) onLow(source)
    try {
      const { at, ms, outcome } = await attempt(webhook, target, signal)
      const delivered = outcome.status === 'delivered'
      adaptLimit(endpoint, outcome.code !== undefined, maxConcurrencyPerUrl)
      if (source.kind === 'lane') source.window = delivered ? Math.min(widestWindow, source.window * 2) : 1
      const { partition, streamId } = stream
      const { chainId, position, replay, failures } = webhook
      const key = { partition, streamId, chainId, position, replay }
      onAttempt({ ...key, number: failures + 1, urlHash: target.urlHash, at, ms, outcome }, source)
    } catch (error) {
      // What was cut off by the end of this process is not counted; it is made again.
      if (!signal.aborted) throw error
    } finally {
      total -= 1
      endpoint.inFlight -= 1
      stream.inFlight -= 1
      if (source.kind === 'lane') source.busy = false
      onFreed(webhook.body.length)
      // Where memory is full, only a source with nothing left and nothing under way is given more.
      if (source.buffer.length === 0) onLow(source)
      offer(source)
      unpark(stream)
      fill(endpoint)
      if (blocked.size > 0) resume()
      if (total === 0) onDrained?.()
    }
  }

  function resume(): void {
    const waiting = blocked
    blocked = new Set()
    for (const endpoint of waiting) fill(endpoint)
  }

  return {
    offer,
    resume,
    inFlight: () => total,
    async halt() {
      halted = true
      if (total > 0)
        await new Promise<void>((resolve) => {
          onDrained = resolve
        })
    },
  }
}
