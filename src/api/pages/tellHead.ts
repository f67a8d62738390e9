import type { CollectionState } from '../../nft/query.ts'

/** What is told while time goes by, without anything being read or written. Times are of performance.now(). */
export type Telling<T> = {
  at(now: number): T
  /** When a node or source last confirmed the head; undefined where none did. */
  confirmedAt: number | undefined
}

/**
 * Tells `told` until the head is too old for it, and then what `withdraw` gives, which is made once; undefined: `told` does not hang
 * on the head. `readAt`: before the state was read, so that the head is never younger than it is told.
 */
export function tellHead<T>(options: {
  head: CollectionState['head'] | undefined
  readAt: number
  told: T
  withdraw: ((maxAgeMs: number) => T) | undefined
}): Telling<T> {
  const { head, readAt, told, withdraw } = options
  const confirmedAt = head ? readAt - head.ageMs : undefined
  const maxAgeMs = head?.maxAgeMs ?? null
  if (!withdraw || confirmedAt === undefined || maxAgeMs === null) return { confirmedAt, at: () => told }
  let withdrawn: T | undefined
  return {
    confirmedAt,
    at(now) {
      if (now <= confirmedAt + maxAgeMs) return told
      withdrawn ??= withdraw(maxAgeMs)
      return withdrawn
    },
  }
}
