/** First attempts, and what is sent again: retries and replays. */
export type Way = 'first' | 'again'

/** How many attempts of one way an address may have under way at once: fewer while it does not answer, more again while it does. */
export type Gate<T> = {
  readonly endpoint: Endpoint<T>
  readonly way: Way
  inFlight: number
  limit: number
  /** Whose turn comes next, in the order in which they asked. */
  waiting: T[]
}

/** An address. Retries that hang hold back no first attempt: each way has a gate of its own. */
export type Endpoint<T> = {
  readonly url: string
  readonly gates: Readonly<Record<Way, Gate<T>>>
  /** The address answered 429: nothing is sent to it before, in milliseconds since 1970. */
  pausedUntil: number
}

/** New addresses begin here, so that one that is dead holds little. */
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

/** An answer, whatever else it said, raises the limit by one; none at all halves it, and so does 429. */
export function adaptLimit(gate: Gate<unknown>, code: number | undefined, max: number): void {
  const slower = code === undefined || code === 429
  gate.limit = slower ? Math.max(1, Math.floor(gate.limit / 2)) : Math.min(max, gate.limit + 1)
}
