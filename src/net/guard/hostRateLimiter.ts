import { createLru } from '../../util/createLru.ts'
import type { Log } from '../../util/log.ts'
import { createRequestLimit, type RequestLimit } from '../../util/requestLimit.ts'
import { HostBusyError } from '../outboundError.ts'
import type { GatewayOf } from './gatewayOf.ts'

export type HostRateLimiterOptions = {
  /** Concurrent requests to one host. */
  perHost: number
  /** A gateway starts with `perHost` like every host and gets up to `most` while it answers; its subdomains share its limit. */
  gateways?: { of: GatewayOf; most: number }
  /** Concurrent requests in total. */
  inFlight: number
  /** Requests that may wait for one host. */
  maxQueued: number
  /** Longest wait of one request, in milliseconds; a request to a host with a longer pause is rejected at once. */
  maxWaitMs: number
  log?: Log
}

/** Result of an exchange with a host: `limited` by it (429, 503), `failed` to reach it or to get an answer in time. */
export type VisitOutcome = { kind: 'ok' | 'failed' | 'neutral' } | { kind: 'limited'; retryAfterMs: number | undefined }

/** A slot for one request at a host; `release` returns it, exactly once. */
export type Visit = { release(outcome: VisitOutcome): void }

export type HostRateLimiter = {
  /** Rejects with HostBusyError, or with the signal's reason. */
  enter(host: string, signal?: AbortSignal): Promise<Visit>
  /** Remaining pause of the host, in milliseconds; 0 if it may be queried. */
  pausedMs(host: string): number
  inFlight(): number
  close(): void
}

type Waiter = { start(): void; reject(error: Error): void }

type Host = {
  name: string
  active: number
  /**
   * Limit of concurrent requests: grows with each success while all slots were in use, halves on `limited` and `failed`, and restarts with one after
   * a pause for failures.
   */
  limit: RequestLimit
  /** The number of its latest visit. */
  started: number
  /** Failures and rejections since the last success. */
  failures: number
  pausedUntil: number
  /** Number of the last visit that started before the last pause; failures of earlier visits show nothing new. */
  judged: number
  waiting: Set<Waiter>
  queued: boolean
  timer: NodeJS.Timeout | undefined
}

/**
 * Decides when a request may be sent to its host. Hosts with waiting requests take turns, one request each. A host that is full, paused or dead is
 * skipped, and so does not delay others. Its requests wait, and are postponed if that takes too long. Packages with a queue per host have neither
 * turns among hosts nor a common limit.
 */
export function createHostRateLimiter(options: HostRateLimiterOptions): HostRateLimiter {
  const hosts = createLru<string, Host>(20_000)
  /** Hosts with waiting requests that could start one, each at most once, in order. */
  const waitingHosts: Host[] = []
  const closed = new AbortController()
  let inFlight = 0

  const hostOf = (requested: string): Host => {
    const gateway = options.gateways?.of(requested)
    const name = gateway ?? requested
    const known = hosts.get(name)
    if (known) return known
    const host: Host = {
      name,
      active: 0,
      limit: createRequestLimit({
        start: options.perHost,
        max: gateway === undefined ? options.perHost : Math.max(options.perHost, options.gateways!.most),
        threshold: options.perHost,
      }),
      started: 0,
      failures: 0,
      pausedUntil: 0,
      judged: 0,
      waiting: new Set(),
      queued: false,
      timer: undefined,
    }
    hosts.set(name, host)
    return host
  }

  const hasCapacity = (host: Host, now: number) => host.active < host.limit.most() && host.pausedUntil <= now

  const queue = (host: Host) => {
    if (host.queued || host.waiting.size === 0 || !hasCapacity(host, performance.now())) return
    host.queued = true
    waitingHosts.push(host)
  }

  const next = () => {
    while (inFlight < options.inFlight && waitingHosts.length > 0) {
      const host = waitingHosts.shift()!
      host.queued = false
      const [waiter] = host.waiting
      if (waiter && hasCapacity(host, performance.now())) waiter.start()
      queue(host)
    }
  }

  const begin = (host: Host): Visit => {
    host.active++
    inFlight++
    const number = host.limit.begin()
    host.started = number
    return {
      release(outcome) {
        const allInUse = host.active >= host.limit.most()
        host.active--
        inFlight--
        judge(host, outcome, number, allInUse)
        queue(host)
        next()
      },
    }
  }

  const judge = (host: Host, outcome: VisitOutcome, number: number, allInUse: boolean) => {
    if (outcome.kind === 'neutral') return
    if (outcome.kind === 'ok') {
      host.failures = 0
      // A success shows that the host can handle the limit only if all slots were in use.
      if (allInUse) host.limit.raise()
      return
    }
    host.limit.halve(number)
    const requested = outcome.kind === 'limited' ? outcome.retryAfterMs : undefined
    if (number <= host.judged) {
      // The visit started before the last pause, so this is not a new failure; but a longer Retry-After counts.
      if (requested !== undefined) pause(host, requested)
      return
    }
    host.failures++
    const ms = requested ?? pauseMs(outcome.kind, host.failures, Math.random())
    if (ms <= 0) return
    host.judged = host.started
    // An outage shows nothing about a host's capacity: afterwards its limit grows fast up to half of `perHost`.
    if (outcome.kind === 'failed') host.limit.restart(Math.max(1, options.perHost / 2))
    const fields = { host: host.name, why: outcome.kind, failures: host.failures, ms: Math.round(ms) }
    options.log?.info(fields, 'outbound host paused')
    pause(host, ms)
  }

  const pause = (host: Host, ms: number) => {
    const until = performance.now() + ms
    if (until <= host.pausedUntil) return
    host.pausedUntil = until
    clearTimeout(host.timer)
    if (ms > options.maxWaitMs) for (const waiter of host.waiting) waiter.reject(backingOff(host, ms))
    if (host.waiting.size > 0) wakeAfter(host, ms)
  }

  const wakeAfter = (host: Host, ms: number) => {
    clearTimeout(host.timer)
    host.timer = setTimeout(() => {
      // Timers may fire a little earlier than by performance.now().
      const remaining = host.pausedUntil - performance.now()
      if (remaining > 0) return wakeAfter(host, remaining)
      queue(host)
      next()
    }, Math.ceil(ms))
  }

  const wait = (host: Host, signal: AbortSignal | undefined) =>
    new Promise<Visit>((resolve, reject) => {
      const end = () => {
        host.waiting.delete(waiter)
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const waiter: Waiter = {
        start() {
          end()
          resolve(begin(host))
        },
        reject(error) {
          end()
          reject(error)
        },
      }
      const abort = () => waiter.reject(signal?.reason)
      const timer = setTimeout(() => waiter.reject(full(host)), options.maxWaitMs)
      signal?.addEventListener('abort', abort, { once: true })
      host.waiting.add(waiter)
    })

  const full = (host: Host) =>
    new HostBusyError({
      host: host.name,
      retryAfterMs: options.maxWaitMs,
      detail: 'is at its request limit',
    })

  return {
    async enter(name, signal) {
      signal?.throwIfAborted()
      closed.signal.throwIfAborted()
      const host = hostOf(name)
      const now = performance.now()
      const remaining = host.pausedUntil - now
      if (remaining > options.maxWaitMs) throw backingOff(host, remaining)
      if (host.waiting.size === 0 && inFlight < options.inFlight && hasCapacity(host, now)) return begin(host)
      if (host.waiting.size >= options.maxQueued) throw full(host)
      const visit = wait(host, signal)
      if (remaining > 0 && host.waiting.size === 1) wakeAfter(host, remaining)
      queue(host)
      return visit
    },
    pausedMs: (name) =>
      Math.max(0, (hosts.peek(options.gateways?.of(name) ?? name)?.pausedUntil ?? 0) - performance.now()),
    inFlight: () => inFlight,
    close() {
      const reason = new HostBusyError({
        host: 'every host',
        retryAfterMs: 0,
        detail: 'gets no more requests: closing',
      })
      closed.abort(reason)
      for (const host of hosts.values()) {
        clearTimeout(host.timer)
        for (const waiter of host.waiting) waiter.reject(reason)
      }
    },
  }
}

function backingOff(host: Host, ms: number): HostBusyError {
  return new HostBusyError({
    host: host.name,
    retryAfterMs: Math.ceil(ms),
    detail: 'is paused after a rejection or failure',
  })
}

/** This many consecutive failures count as chance and do not pause a host. */
const forgiven = 2
const firstMs = 1_000
const longestMs = 300_000

/**
 * Pause of a host after consecutive failures, if it specified none: twice as long each time, five minutes at most, varied by up to a fifth (`dice` is
 * 0 to 1) so that many hosts do not resume at once. A rejection (`limited`) counts from the first, a failure from the third.
 */
export function pauseMs(kind: 'limited' | 'failed', failures: number, dice: number): number {
  const counted = kind === 'limited' ? failures : failures - forgiven
  if (counted < 1) return 0
  return Math.min(longestMs, firstMs * 2 ** Math.min(20, counted - 1)) * (1 - dice / 5)
}
