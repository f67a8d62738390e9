/** The keys, such as chains, for which a loop was woken; `all`: all its work. */
export type WokenFor = 'all' | ReadonlySet<bigint>

export const isWokenFor = (woken: WokenFor, key: bigint): boolean => woken === 'all' || woken.has(key)

/** A wait that can be ended: `wake` ends the current wait, or the next one as soon as it begins. */
export type Waker = {
  /** `key`: the only one for which something changed; omitted: all. */
  wake(key?: bigint): void
  /** The keys since the last call. */
  wokenFor(): WokenFor
  /** Resolves after `ms`, on `wake`, or when `signal` aborts, whichever comes first; true: it was woken. */
  wait(ms: number, signal: AbortSignal): Promise<boolean>
}

export function createWaker(): Waker {
  let woken = false
  let wokenFor: 'all' | Set<bigint> = new Set()
  let resume: (() => void) | undefined
  return {
    wake(key) {
      woken = true
      if (key === undefined) wokenFor = 'all'
      else if (wokenFor !== 'all') wokenFor.add(key)
      resume?.()
    },
    wokenFor() {
      const was = wokenFor
      wokenFor = new Set()
      return was
    },
    async wait(ms, signal) {
      if (!woken && !signal.aborted)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(done, ms)
          signal.addEventListener('abort', done, { once: true })
          resume = done
          function done(): void {
            clearTimeout(timer)
            signal.removeEventListener('abort', done)
            resume = undefined
            resolve()
          }
        })
      const was = woken
      woken = false
      return was
    },
  }
}

/** Resolves after `ms`, or when `signal` aborts, whichever comes first. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await createWaker().wait(ms, signal)
}

/** Settles as `work` does, or rejects with the signal's reason as soon as it aborts; `work` itself continues. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // Nothing awaits the work any more: an unhandled rejection would end the process.
    work.catch(() => undefined)
    throw signal.reason
  }
  let stop: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop!)
  }
}
