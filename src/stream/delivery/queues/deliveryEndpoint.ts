/** Kind of an attempt: a first one (`first`), or one of a retry or replay (`again`). */
export type Way = 'first' | 'again'

/**
 * The queue of an address for one kind, with its limit of parallel attempts, which shrinks while the address does not
 * respond.
 */
export type Gate<T> = {
  readonly endpoint: Endpoint<T>
  readonly way: Way
  inFlight: number
  limit: number
  /** In order of arrival; the first one is called next. */
  waiting: T[]
}

/** An address with a gate per kind, so that hanging retries never delay first attempts. */
export type Endpoint<T> = {
  readonly url: string
  readonly gates: Readonly<Record<Way, Gate<T>>>
  /** End of the pause after a 429, in milliseconds since 1970. */
  pausedUntil: number
  /** Whether that pause was read from the database: it ends there, too. */
  isPauseStored: boolean
}

/** Limit of a new address, so that a dead one occupies few connections. */
const firstLimit = 8

export function createDeliveryEndpoint<T>(url: string, max: number): Endpoint<T> {
  const gates = {} as Record<Way, Gate<T>>
  const endpoint: Endpoint<T> = { url, gates, pausedUntil: 0, isPauseStored: false }
  for (const way of ['first', 'again'] as const)
    gates[way] = { endpoint, way, inFlight: 0, limit: Math.min(firstLimit, max), waiting: [] }
  return endpoint
}

export function isIdle({ gates }: Endpoint<unknown>): boolean {
  return Object.values(gates).every(({ inFlight, waiting }) => inFlight === 0 && waiting.length === 0)
}

/** Every response but 429 raises the limit by one; a 429, or no response, halves it. */
export function adaptLimit(gate: Gate<unknown>, code: number | undefined, max: number): void {
  const slower = code === undefined || code === 429
  gate.limit = slower ? Math.max(1, Math.floor(gate.limit / 2)) : Math.min(max, gate.limit + 1)
}
