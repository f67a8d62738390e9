import type { CollectionState } from '../../nft/query.ts'

/** Headers that depend on time, without another read. Times are of performance.now(). */
export type StatusReport<T> = {
  at(now: number): T
  /** When a node or source last confirmed the head; undefined: never. */
  confirmedAt: number | undefined
}

/**
 * Returns `reported` until the head is too old, then the result of `withdraw`, which is called once. `withdraw`
 * undefined: `reported` does not depend on the head. `readAt`: a time before the state was read, so that the head's age
 * is never too small.
 */
export function reportHead<T>(options: {
  head: CollectionState['head'] | undefined
  readAt: number
  reported: T
  withdraw: ((maxAgeMs: number) => T) | undefined
}): StatusReport<T> {
  const { head, readAt, reported, withdraw } = options
  const confirmedAt = head ? readAt - head.ageMs : undefined
  const maxAgeMs = head?.maxAgeMs ?? null
  if (!withdraw || confirmedAt === undefined || maxAgeMs === null) return { confirmedAt, at: () => reported }
  let withdrawn: T | undefined
  return {
    confirmedAt,
    at(now) {
      if (now <= confirmedAt + maxAgeMs) return reported
      withdrawn ??= withdraw(maxAgeMs)
      return withdrawn
    },
  }
}
