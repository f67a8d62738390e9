/** An address and how many attempts it may have under way at once: fewer while it does not answer, more again while it does. */
export type Endpoint<T> = {
  readonly url: string
  inFlight: number
  limit: number
  /** Whose turn comes next, in the order in which they asked. */
  waiting: T[]
}

/** New addresses begin here, so that one that is dead holds little. */
const firstLimit = 8

export function createEndpoint<T>(url: string, max: number): Endpoint<T> {
  return { url, inFlight: 0, limit: Math.min(firstLimit, max), waiting: [] }
}

/** An answer, whatever it said, raises the limit by one; none at all halves it. */
export function adaptLimit(endpoint: Endpoint<unknown>, answered: boolean, max: number): void {
  endpoint.limit = answered ? Math.min(max, endpoint.limit + 1) : Math.max(1, Math.floor(endpoint.limit / 2))
}
