/** A value that others change, read again when it is no longer fresh. */
export type Recent<T> = {
  /**
   * The value that was read, while it is fresh; `now` on the clock of performance.now(). In the second half of that time, the first caller starts
   * another read, so that no caller waits for the database.
   */
  fresh(now: number): T | undefined
  /** A fresh value; one read serves all callers that wait. */
  read(): Promise<T>
  /** Takes a value that was read together with others. `startedAt`: a time before that read, on the clock of performance.now(). */
  take(found: T, startedAt: number): void
  /** Reads the value again, whatever its age. The result of a read in progress is only for earlier callers. */
  forget(): void
}

/** A read in progress. `isOutdated`: it may have begun before what is to be seen now; `next`: the one behind it. */
type Reading<T> = { found: Promise<T>; isOutdated: boolean; next: Promise<T> | undefined }

export function createRecent<T>(options: { read: () => Promise<T>; freshMs: number }): Recent<T> {
  const { freshMs } = options
  let value: T | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let forgottenAt = Number.NEGATIVE_INFINITY
  let reading: Reading<T> | undefined

  function take(found: T, startedAt: number): void {
    // The value of a read that began later stays, and none comes back that was forgotten.
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
    // If it fails, the first caller that finds no fresh value reads again and is reported.
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
