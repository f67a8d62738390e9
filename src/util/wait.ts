/** A wait that can be ended: `wake` ends the wait in progress, or the next one as soon as it begins. */
export type Waker = {
  wake(): void
  /** Resolves after `ms`, on `wake`, or when `signal` aborts, whichever comes first; true: it was woken. */
  wait(ms: number, signal: AbortSignal): Promise<boolean>
}

export function createWaker(): Waker {
  let woken = false
  let resume: (() => void) | undefined
  return {
    wake() {
      woken = true
      resume?.()
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

/** Settles as `work` does, or rejects with the signal's reason as soon as it aborts; `work` itself continues. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // Nothing waits for the work any more: without a handler its failure would end the process.
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
