/** A value that others change, read again when it is no longer fresh. */
export type Recent<T> = {
  /** The value that was read, while it is fresh; `now` on the clock of performance.now(). */
  fresh(now: number): T | undefined
  /** A fresh value; one read serves all callers that wait. */
  read(): Promise<T>
  /** Has the value read again, whatever its age. */
  forget(): void
}

export function createRecent<T>(options: { read: () => Promise<T>; freshMs: number }): Recent<T> {
  const { freshMs } = options
  let value: T | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<T> | undefined

  async function reread(): Promise<T> {
    const startedAt = performance.now()
    const found = await options.read()
    // One read at a time, so a later value is never overwritten by an earlier one.
    value = found
    readAt = startedAt
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
    forget() {
      readAt = Number.NEGATIVE_INFINITY
    },
  }
}
