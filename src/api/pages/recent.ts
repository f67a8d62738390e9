/** A value that others change, read again when it is no longer fresh. */
export type Recent<T> = {
  /** The value that was read, while it is fresh; `now` on the clock of performance.now(). */
  fresh(now: number): T | undefined
  /** A fresh value; one read serves all callers that wait. */
  read(): Promise<T>
  /** Takes a value that was read together with others. `startedAt`: a time before that read, on the clock of performance.now(). */
  take(found: T, startedAt: number): void
  /** Has the value read again, whatever its age. */
  forget(): void
}

export function createRecent<T>(options: { read: () => Promise<T>; freshMs: number }): Recent<T> {
  const { freshMs } = options
  let value: T | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<T> | undefined

  function take(found: T, startedAt: number): void {
    // The value of a read that began later stays.
    if (startedAt < readAt) return
    value = found
    readAt = startedAt
  }

  async function reread(): Promise<T> {
    const startedAt = performance.now()
    const found = await options.read()
    take(found, startedAt)
    return found
  }

  const fresh = (now: number) => (now - readAt < freshMs ? value : undefined)

  return {
    fresh,
    async read() {
      const known = fresh(performance.now())
      if (known !== undefined) return known
      reading ??= reread().finally(() => {
        reading = undefined
      })
      return reading
    },
    take,
    forget() {
      readAt = Number.NEGATIVE_INFINITY
    },
  }
}
