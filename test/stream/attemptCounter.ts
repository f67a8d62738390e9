import type { Received } from '../receiver.ts'

/** Counts how often a receiver got each attempt of a webhook. */
export type AttemptCounter = {
  count(received: Received): void
  /** Attempts that arrived more than once, identified by webhook-id and number. */
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
