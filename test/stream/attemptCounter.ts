import type { Received } from '../receiver.ts'

/** Counts how often each attempt of a webhook came to a receiver. */
export type AttemptCounter = {
  count(received: Received): void
  /** Attempts that came more than once, each by its webhook-id and number. */
  repeated(): string[]
}

export function createAttemptCounter(): AttemptCounter {
  const times = new Map<string, number>()
  return {
    count({ headers, body }) {
      const attempt = `${headers['webhook-id']} ${/"retries":\d+/.exec(body)![0]}`
      times.set(attempt, (times.get(attempt) ?? 0) + 1)
    },
    repeated: () => [...times].filter(([, count]) => count > 1).map(([attempt]) => attempt),
  }
}
