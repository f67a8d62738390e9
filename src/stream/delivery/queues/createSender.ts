import type { Attempt } from '../../ledger/attempt.ts'
import { storedFromMs } from '../../ledger/urlPauses.ts'
import type { Clock, MakeAttempt } from '../attempt/createAttempt.ts'
import type { Claims } from './claims.ts'
import { adaptLimit, createDeliveryEndpoint, type Endpoint, isIdle, type Way } from './deliveryEndpoint.ts'
import { type SendQueue, type SendQueueGate, type StreamState, underWayOf } from './sendQueue.ts'
import { maySend, type SendQueueEvent } from './sendQueueState.ts'

export type SenderOptions = {
  attempt: MakeAttempt
  /** For pauses of addresses; default: one that jumps of the system's clock do not change. */
  clock?: Clock | undefined
  claims: Claims<SendQueue>
  settings: {
    maxConcurrencyPerUrl: number
    maxConcurrencyPerStream: number
    maxConcurrencyUnordered: number
    maxConcurrency: number
  }
  /** Whether this process may currently send for a partition's streams. */
  holds(partition: number): boolean
  /** Whether outcomes cannot be settled fast enough, or at all: then nothing new is sent. */
  isFull: () => boolean
  onAttempt(attempt: Attempt): void
  /** A body is no longer in memory. */
  onFreed(sendQueue: SendQueue, bytes: number): void
  signal: AbortSignal
}

/** Sends loaded webhooks: at each address one webhook per send queue, round robin. */
export type Sender = {
  /** Puts a send queue into the queue of its target's address. */
  queue(sendQueue: SendQueue): void
  /** Continues send queues that waited for settled attempts. */
  resume(): void
  /** Ends expired pauses of addresses. Returns milliseconds until the next one expires; Infinity: none is paused. */
  endPauses(): number
  /** Pauses sending to an address after a 429. A longer pause than a minute continues once it is stored. */
  pause(url: string, ms: number): void
  /** Applies the stored pauses, in milliseconds by address: begins them, and ends those that are not stored any more. */
  setStored(pauses: ReadonlyMap<string, number>): void
  /** Addresses that are paused. */
  paused(): string[]
  inFlight(): number
  /** Stops sending. Resolves when no attempt is running. */
  halt(): Promise<void>
}

export function createSender(options: SenderOptions): Sender {
  const { attempt, claims, settings, holds, isFull, onAttempt, onFreed, signal } = options
  const clock = options.clock ?? (() => performance.now())
  const { maxConcurrencyPerUrl, maxConcurrencyPerStream, maxConcurrencyUnordered, maxConcurrency } = settings
  /** Hanging retries and replays leave half of all attempts to first ones. */
  const most: Record<Way, number> = { first: maxConcurrency, again: Math.ceil(maxConcurrency / 2) }
  const endpoints = new Map<string, Endpoint<SendQueue>>()
  const paused = new Set<Endpoint<SendQueue>>()
  /** Gates that wait for free attempts of this process. */
  const blocked = new Set<SendQueueGate>()
  /** Gates that may have space for waiting send queues. */
  const open = new Set<SendQueueGate>()
  let calling = false
  const total: Record<Way, number> = { first: 0, again: 0 }
  const inFlight = () => total.first + total.again
  let halted = false
  let onDrained: (() => void) | undefined

  function endpointOf(url: string): Endpoint<SendQueue> {
    let endpoint = endpoints.get(url)
    if (!endpoint) {
      endpoint = createDeliveryEndpoint(url, maxConcurrencyPerUrl)
      endpoints.set(url, endpoint)
    }
    return endpoint
  }

  function queue(sendQueue: SendQueue): void {
    const gate = endpointOf(sendQueue.state.target!.url).gates[sendQueue.way]
    if (sendQueue.gate === gate) return
    // The stream has another address: leave the queue of the former one, which may be paused for days.
    if (sendQueue.gate) sendQueue.gate.waiting.splice(sendQueue.gate.waiting.indexOf(sendQueue), 1)
    sendQueue.gate = gate
    gate.waiting.push(sendQueue)
    open.add(gate)
    callAll()
  }

  /** Calls send queues at all open gates. A called send queue may open further gates, which the same loop handles. */
  function callAll(): void {
    if (calling) return
    calling = true
    try {
      for (const gate of open) {
        open.delete(gate)
        callNext(gate)
      }
    } finally {
      calling = false
    }
  }

  /** Makes several changes before calling any send queue. */
  function together(changes: () => void): void {
    calling = true
    try {
      changes()
    } finally {
      calling = false
    }
    callAll()
  }

  function openBlocked(): void {
    for (const gate of blocked) open.add(gate)
    blocked.clear()
  }

  function callNext(gate: SendQueueGate): void {
    const { endpoint, way } = gate
    while (gate.inFlight < gate.limit && gate.waiting.length > 0 && !halted && !paused.has(endpoint)) {
      if (inFlight() >= maxConcurrency || total[way] >= most[way] || isFull()) {
        blocked.add(gate)
        return
      }
      call(gate, gate.waiting.shift()!)
    }
    if (isIdle(endpoint) && !paused.has(endpoint)) forget(endpoint)
  }

  /**
   * Deletes an address with its gates. A gate called later would delete the new entry of the address, in which send
   * queues wait by then.
   */
  function forget({ url, gates }: Endpoint<SendQueue>): void {
    endpoints.delete(url)
    for (const gate of Object.values(gates)) {
      blocked.delete(gate)
      open.delete(gate)
    }
  }

  function call(gate: SendQueueGate, sendQueue: SendQueue): void {
    const { stream, way } = sendQueue
    sendQueue.gate = undefined
    sendQueue.change({ type: 'call' })
    // Another process delivers the stream, or this one must first confirm its lease.
    if (sendQueue.state.target && !holds(stream.partition)) sendQueue.change({ type: 'stop' })
    // The stream stopped or its webhooks were dropped while the send queue waited.
    if (!maySend(sendQueue.state)) sendQueue.change({ type: 'leave' })
    else if (underWayOf(stream, way) < mostOf(sendQueue)) void send(gate, sendQueue)
    else {
      stream.suspended[way].push(sendQueue)
      sendQueue.change({ type: 'suspend' })
    }
  }

  function mostOf({ state, way }: SendQueue): number {
    return way === 'first' && state.target?.delivery === 'unordered' ? maxConcurrencyUnordered : maxConcurrencyPerStream
  }

  function resume(stream: StreamState, way: Way): void {
    for (const sendQueue of stream.suspended[way].splice(0)) sendQueue.change({ type: 'resume' })
  }

  function pause(endpoint: Endpoint<SendQueue>, ms: number): void {
    endpoint.pausedUntil = Math.max(endpoint.pausedUntil, clock() + Math.min(ms, storedFromMs))
    paused.add(endpoint)
  }

  function setStored(pauses: ReadonlyMap<string, number>): void {
    for (const [url, ms] of pauses) {
      const endpoint = endpointOf(url)
      endpoint.pausedUntil = Math.max(endpoint.pausedUntil, clock() + ms)
      endpoint.isPauseStored = true
      paused.add(endpoint)
    }
    for (const endpoint of paused) if (endpoint.isPauseStored && !pauses.has(endpoint.url)) endpoint.pausedUntil = 0
    endPauses()
  }

  function endPauses(): number {
    const now = clock()
    let next = Number.POSITIVE_INFINITY
    for (const endpoint of paused) {
      if (endpoint.pausedUntil > now) next = Math.min(next, endpoint.pausedUntil - now)
      else {
        paused.delete(endpoint)
        endpoint.isPauseStored = false
        for (const gate of Object.values(endpoint.gates)) open.add(gate)
      }
    }
    callAll()
    return next
  }

  async function send(gate: SendQueueGate, sendQueue: SendQueue): Promise<void> {
    const { stream, way } = sendQueue
    const target = sendQueue.state.target!
    const webhook = sendQueue.state.loaded[0]!
    claims.move(webhook, 'send')
    total[way] += 1
    gate.inFlight += 1
    sendQueue.change({ type: 'send' })
    let end: SendQueueEvent = { type: 'abort', webhook }
    try {
      const made = await attempt(webhook, target, { maySend: () => holds(stream.partition), signal })
      // The lease was lost while connecting, as this process was frozen: another one sends the webhook.
      if (!made) return claims.move(webhook, 'abort')
      const { at, ms, outcome, pauseMs } = made
      claims.move(webhook, 'complete')
      end = { type: 'complete', webhook, delivered: outcome.status === 'delivered' }
      adaptLimit(gate, outcome.code, maxConcurrencyPerUrl)
      if (pauseMs !== undefined) pause(gate.endpoint, pauseMs)
      const { partition, streamId } = stream
      const { chainId, position, replay, failures } = webhook
      const key = { partition, streamId, chainId, position, replay }
      onAttempt({ ...key, number: failures + 1, urlHash: target.urlHash, at, ms, outcome, pauseMs })
    } catch (error) {
      // The shutdown of this process aborted the attempt: it is not counted, and is repeated.
      if (!signal.aborted) throw error
      claims.move(webhook, 'abort')
    } finally {
      total[way] -= 1
      gate.inFlight -= 1
      onFreed(sendQueue, webhook.body.length)
      together(() => {
        // Other suspended send queues of the stream come first, as this one has just sent.
        resume(stream, way)
        sendQueue.change(end)
        open.add(gate)
        openBlocked()
      })
      if (inFlight() === 0) onDrained?.()
    }
  }

  return {
    queue,
    resume: () => together(openBlocked),
    endPauses,
    pause: (url, ms) => pause(endpointOf(url), ms),
    setStored,
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
