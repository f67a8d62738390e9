/** A value that others change, read again when it is older than it may be. */
export type Recent<T> = {
  /** What was read, while it is to be trusted; `now` on the clock of performance.now(). */
  fresh(now: number): T | undefined
  /** A value to be trusted; read once however many wait for it. */
  read(): Promise<T>
  /** It is to be read again, whatever its age. */
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
