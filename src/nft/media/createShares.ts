/** A holder of slots. It gets another one while it has fewer than `ofFree` times the free ones. */
export type Holder = { name: string; ofFree: number }

/** Slots that several kinds of work share, none of which may take all. */
export type Shares = {
  readonly free: number
  /** Takes one slot that counts for all `holders`; false: one of them has too many now. */
  take(holders: readonly Holder[]): boolean
  give(holders: readonly Holder[]): void
}

/**
 * Dynamic thresholds (Choudhury and Hahne 1998): with `ofFree` 1, a single holder gets half of the slots, and two get a
 * third each. So a new holder always finds a slot, and none is reserved for holders that may never come.
 */
export function createShares(places: number): Shares {
  const held = new Map<string, number>()
  let free = places

  return {
    get free() {
      return free
    },
    take(holders) {
      if (holders.some(({ name, ofFree }) => (held.get(name) ?? 0) >= ofFree * free)) return false
      free--
      for (const { name } of holders) held.set(name, (held.get(name) ?? 0) + 1)
      return true
    },
    give(holders) {
      free++
      for (const { name } of holders) {
        const remaining = (held.get(name) ?? 0) - 1
        if (remaining > 0) held.set(name, remaining)
        else held.delete(name)
      }
    },
  }
}
