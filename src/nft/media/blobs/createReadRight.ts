/** How long what was found out holds, in milliseconds. */
const heldMs = 60_000

/** Whether this key may read objects of the bucket. */
export type ReadRight = {
  /** An object was read. */
  seen(): void
  /** Finds out, where nothing is known of the last minute. Throws what `probe` throws. */
  has(): Promise<boolean>
}

/**
 * A store in which a key may not list answers for a missing object what it answers for a forbidden one, so that only an
 * object that is certainly there tells whether reading is allowed. `probe` reads such a one.
 */
export function createReadRight(probe: () => Promise<boolean>): ReadRight {
  let known: { has: boolean; until: number } | undefined
  let probing: Promise<boolean> | undefined

  function learn(has: boolean): boolean {
    known = { has, until: performance.now() + heldMs }
    return has
  }

  return {
    seen: () => void learn(true),
    async has() {
      if (known && performance.now() < known.until) return known.has
      probing ??= probe()
        .then(learn)
        .finally(() => {
          probing = undefined
        })
      return probing
    },
  }
}
