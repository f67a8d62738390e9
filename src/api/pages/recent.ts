/** A value that others change, reread when it is no longer fresh. */
export type Recent<T> = {
  /**
   * The value, while it is fresh; `now` on the clock of performance.now(). In the second half of that time, the first
   * caller starts another read, so that no caller waits for the database.
   */
  fresh(now: number): T | undefined
  /** A fresh value; concurrent callers share one read. */
  read(): Promise<T>
  /**
   * Stores a value that was read together with others. `startedAt`: a time before that read, on the clock of
   * performance.now().
   */
  take(found: T, startedAt: number): void
  /** Discards the value, whatever its age. A read in progress serves only earlier callers. */
  forget(): void
}

/** A read in progress. `isOutdated`: it may have begun before the last change; `next`: the read that follows it. */
type Reading<T> = { found: Promise<T>; isOutdated: boolean; next: Promise<T> | undefined }

export function createRecent<T>(options: { read: () => Promise<T>; freshMs: number }): Recent<T> {
  const { freshMs } = options
  let value: T | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let forgottenAt = Number.NEGATIVE_INFINITY
  let reading: Reading<T> | undefined

  function take(found: T, startedAt: number): void {
    // A read must not replace the value of a later read, nor restore a forgotten value.
    if (startedAt < Math.max(readAt, forgottenAt)) return
    value = found
    readAt = startedAt
  }

  function begin(): Promise<T> {
    const startedAt = performance.now()
    const found = options.read()
    const own: Reading<T> = { found, isOutdated: false, next: undefined }
    reading = own
    const ended = () => {
      if (reading === own && !own.next) reading = undefined
    }
    found.then((value) => {
      if (!own.isOutdated) take(value, startedAt)
      ended()
    }, ended)
    return found
  }

  function fresh(now: number): T | undefined {
    const age = now - readAt
    if (age >= freshMs || value === undefined) return undefined
    // If this read fails, the next caller without a fresh value reads again and gets the error.
    if (age >= freshMs / 2 && !reading) begin().catch(() => undefined)
    return value
  }

  return {
    fresh,
    async read() {
      const known = fresh(performance.now())
      if (known !== undefined) return known
      if (!reading) return begin()
      if (!reading.isOutdated) return reading.found
      reading.next ??= reading.found.then(begin, begin)
      return reading.next
    },
    take,
    forget() {
      readAt = Number.NEGATIVE_INFINITY
      forgottenAt = performance.now()
      if (reading) reading.isOutdated = true
    },
  }
}
