import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { ApiCall } from './apiCall.ts'
import { type ApiFault, faultOf } from './apiFault.ts'
import type { Answered, Unchanged } from './sendCall.ts'
import { serverNow } from './serverTime.ts'
import { longestRequestMs, noAnswer } from './withinLimit.ts'

/** The latest response and the error since. `data` stays while requests fail. */
export type Polled<T> = {
  data: T | undefined
  headers: Headers | undefined
  fault: ApiFault | undefined
  /** When the server last sent or confirmed `data`, in ms since 1970; null: never. */
  at: number | null
}

export type Watch<T> = {
  state: ReadonlySignal<Polled<T>>
  /** Makes the request due now. */
  again(): void
  stop(): void
}

/**
 * Keeps responses fresh, with one timer and few concurrent requests for the whole page. Equal requests share one poll, and unchanged
 * responses are 304. Polling stops while the page is hidden or nobody watches, and backs off while requests fail.
 */
export type Poller = {
  /** `everyMs`: pause between two requests; Infinity: one response. */
  watch<T>(call: ApiCall<T>, everyMs: number): Watch<T>
  /** Number of polled requests. */
  size(): number
  /** The page was hidden or shown again. */
  setVisible(visible: boolean): void
}

export type PollerOptions = {
  send<T>(call: ApiCall<T>, options: { etag: string | null; signal: AbortSignal }): Promise<Answered<T> | Unchanged>
  /** Monotonic milliseconds: a clock change would stop polling or send all requests at once. */
  elapsed?: () => number
  /** Milliseconds since 1970, for `at`. */
  now?: () => number
  setTimer?: (run: () => void, ms: number) => unknown
  clearTimer?: (timer: never) => void
  visible?: boolean
}

/** Concurrent requests: browsers open six connections to a host, and a click needs one. */
const atOnce = 4
/** The first retry waits at most twice this long. */
const firstRetryMs = 5_000
/** Longest pause after failures, unless `Retry-After` is longer. */
const longestMs = 60_000

type Entry = {
  call: ApiCall<unknown>
  state: Signal<Polled<unknown>>
  watchers: Map<symbol, number>
  etag: string | null
  dueAt: number
  failures: number
  underWay: AbortController | undefined
  /** A refresh was requested during a request, whose response may be older than the change. */
  requestedMeanwhile: boolean
}

export function createPoller(options: PollerOptions): Poller {
  const { send, now = serverNow, setTimer = setTimeout, clearTimer = clearTimeout } = options
  const elapsed = options.elapsed ?? (() => performance.now())
  const entries = new Map<string, Entry>()
  let visible = options.visible ?? true
  let timer: unknown
  let busy = 0

  function plan(): void {
    if (timer !== undefined) clearTimer(timer as never)
    timer = undefined
    if (!visible || busy >= atOnce) return
    let next = Number.POSITIVE_INFINITY
    for (const entry of entries.values()) if (!entry.underWay) next = Math.min(next, entry.dueAt)
    if (next !== Number.POSITIVE_INFINITY) timer = setTimer(work, Math.max(0, next - elapsed()))
  }

  function work(): void {
    timer = undefined
    const dueEntries = [...entries.values()].filter((entry) => !entry.underWay && entry.dueAt <= elapsed())
    for (const entry of dueEntries.sort((a, b) => a.dueAt - b.dueAt).slice(0, atOnce - busy)) void request(entry)
    plan()
  }

  async function request(entry: Entry): Promise<void> {
    const underWay = new AbortController()
    entry.underWay = underWay
    entry.requestedMeanwhile = false
    busy++
    let isLate = false
    const patience = setTimer(() => {
      isLate = true
      underWay.abort()
    }, longestRequestMs)
    try {
      const answered = await send(entry.call, { etag: entry.etag, signal: underWay.signal })
      if (underWay.signal.aborted) return
      entry.failures = 0
      const before = entry.state.value
      if ('unchanged' in answered)
        entry.state.value = {
          data: before.data,
          headers: overlaid(before.headers, answered.headers),
          fault: undefined,
          at: now(),
        }
      else {
        entry.etag = answered.etag
        entry.state.value = { data: answered.data, headers: answered.headers, fault: undefined, at: now() }
      }
    } catch (error) {
      if (underWay.signal.aborted && !isLate) return
      entry.failures++
      entry.state.value = { ...entry.state.value, fault: isLate ? noAnswer(entry.call) : faultOf(error) }
    } finally {
      clearTimer(patience as never)
      busy--
      entry.underWay = undefined
      entry.dueAt = elapsed() + (entry.requestedMeanwhile ? 0 : pauseOf(entry))
      plan()
    }
  }

  return {
    watch<T>(call: ApiCall<T>, everyMs: number): Watch<T> {
      const known = entries.get(call.target)
      const entry: Entry = known ?? {
        call,
        state: signal<Polled<unknown>>({ data: undefined, headers: undefined, fault: undefined, at: null }),
        watchers: new Map(),
        etag: null,
        dueAt: elapsed(),
        failures: 0,
        underWay: undefined,
        requestedMeanwhile: false,
      }
      entries.set(call.target, entry)
      const watcher = Symbol(call.target)
      entry.watchers.set(watcher, everyMs)
      if (known) entry.dueAt = Math.min(entry.dueAt, elapsed() + everyMs)
      plan()
      return {
        state: entry.state as unknown as ReadonlySignal<Polled<T>>,
        again() {
          entry.requestedMeanwhile = true
          entry.dueAt = elapsed()
          plan()
        },
        stop() {
          entry.watchers.delete(watcher)
          if (entry.watchers.size > 0 || entries.get(call.target) !== entry) return
          entries.delete(call.target)
          entry.underWay?.abort()
          plan()
        },
      }
    },
    size: () => entries.size,
    setVisible(next) {
      visible = next
      plan()
    },
  }
}

function pauseOf({ watchers, failures, state }: Entry): number {
  const everyMs = Math.min(...watchers.values())
  if (failures === 0) return everyMs
  const requested = state.value.fault?.retryAfterMs ?? 0
  return Math.max(requested, Math.min(longestMs, Math.min(everyMs, firstRetryMs) * 2 ** failures))
}

/** The stored headers, updated with those of a 304 (RFC 9111, 3.2). */
function overlaid(before: Headers | undefined, confirmed: Headers): Headers {
  const headers = new Headers(before)
  for (const [name, value] of confirmed) headers.set(name, value)
  return headers
}
