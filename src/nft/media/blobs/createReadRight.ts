/** How long a result is cached, in milliseconds. */
const heldMs = 60_000

/** Whether this key may read objects of the bucket. */
export type ReadRight = {
  /** Must be called after an object was read. */
  seen(): void
  /** Whether objects can be read; probes if that was not seen within the last minute. Throws the errors of `probe`. */
  has(): Promise<boolean>
}

/**
 * If a key may not list a bucket, a missing object has the same response as a forbidden one. So only an existing object
 * shows whether the key may read. `probe` reads such an object.
 */
export function createReadRight(probe: () => Promise<boolean>): ReadRight {
  let known: { has: boolean; until: number } | undefined
  let probing: Promise<boolean> | undefined

  function remember(has: boolean): boolean {
    known = { has, until: performance.now() + heldMs }
    return has
  }

  return {
    seen: () => void remember(true),
    async has() {
      if (known && performance.now() < known.until) return known.has
      probing ??= probe()
        .then(remember)
        .finally(() => {
          probing = undefined
        })
      return probing
    },
  }
}
