/** What an attempt is: a first one (`first`), or one of a retry or replay (`again`). */
export type Way = 'first' | 'again'

/** The queue of an address for one way, and how many of its attempts may be in progress: fewer while it does not answer. */
export type Gate<T> = {
  readonly endpoint: Endpoint<T>
  readonly way: Way
  inFlight: number
  limit: number
  /** In the order in which they came; the first one is called next. */
  waiting: T[]
}

/** An address. Retries that hang hold back no first attempt: each way has a gate of its own. */
export type Endpoint<T> = {
  readonly url: string
  readonly gates: Readonly<Record<Way, Gate<T>>>
  /** Nothing is sent to it before, as it answered 429; in milliseconds since 1970. */
  pausedUntil: number
}

/** Limit of a new address, so that a dead one holds few connections. */
const firstLimit = 8

export function createEndpoint<T>(url: string, max: number): Endpoint<T> {
  const gates = {} as Record<Way, Gate<T>>
  const endpoint: Endpoint<T> = { url, gates, pausedUntil: 0 }
  for (const way of ['first', 'again'] as const)
    gates[way] = { endpoint, way, inFlight: 0, limit: Math.min(firstLimit, max), waiting: [] }
  return endpoint
}

export function isIdle({ gates }: Endpoint<unknown>): boolean {
  return Object.values(gates).every(({ inFlight, waiting }) => inFlight === 0 && waiting.length === 0)
}

/** Every answer but 429 raises the limit by one; 429 halves it, and so does an attempt without an answer. */
export function adaptLimit(gate: Gate<unknown>, code: number | undefined, max: number): void {
  const slower = code === undefined || code === 429
  gate.limit = slower ? Math.max(1, Math.floor(gate.limit / 2)) : Math.min(max, gate.limit + 1)
}
