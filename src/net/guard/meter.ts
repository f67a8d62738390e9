import type { Counter } from 'prom-client'
import type { Metrics } from '../../metrics/metrics.ts'
import {
  AddressBlockedError,
  BadUrlError,
  HostBusyError,
  HostUnavailableError,
  HttpStatusError,
  NotSentError,
  RedirectRefusedError,
  TimeoutError,
  TooLargeError,
  TooManyRedirectsError,
  UnwantedBodyError,
} from '../outboundError.ts'

/** Result of a request: the values of the label `outcome`. */
export type Outcome =
  | 'ok'
  | 'status'
  | 'timeout'
  | 'unavailable'
  | 'blocked'
  | 'bad_url'
  | 'too_large'
  | 'unwanted'
  | 'redirects'
  | 'busy'
  | 'bad_answer'
  | 'aborted'

/** Counts the requests of one method. */
export type Meter = { begin(): void; end(outcome: Outcome, ms: number): void; bytes(count: number): void }

type Figures = Pick<Metrics, 'outboundRequests' | 'outboundSeconds' | 'outboundBytes' | 'outboundInFlight'>

/** Labels are bound once for each outcome: looking them up would cost each webhook a microsecond. */
export function createMeter(metrics: Figures | undefined, method: 'get' | 'post'): Meter {
  if (!metrics) return { begin() {}, end() {}, bytes() {} }
  const inFlight = metrics.outboundInFlight.labels(method)
  const seconds = metrics.outboundSeconds.labels(method)
  const counters = new Map<Outcome, Counter.Internal>()
  return {
    begin: () => inFlight.inc(),
    end(outcome, ms) {
      inFlight.dec()
      seconds.observe(ms / 1_000)
      const counter = counters.get(outcome) ?? metrics.outboundRequests.labels(method, outcome)
      counters.set(outcome, counter)
      counter.inc()
    },
    bytes: (count) => metrics.outboundBytes.inc(count),
  }
}

export function outcomeOf(error: unknown): Outcome {
  if (error instanceof HttpStatusError) return 'status'
  if (error instanceof TimeoutError) return 'timeout'
  if (error instanceof HostUnavailableError) return 'unavailable'
  if (error instanceof RedirectRefusedError) return outcomeOf(error.cause)
  if (error instanceof AddressBlockedError) return 'blocked'
  if (error instanceof BadUrlError) return 'bad_url'
  if (error instanceof TooLargeError) return 'too_large'
  if (error instanceof UnwantedBodyError) return 'unwanted'
  if (error instanceof TooManyRedirectsError) return 'redirects'
  if (error instanceof HostBusyError) return 'busy'
  if (error instanceof NotSentError) return 'aborted'
  return 'bad_answer'
}
