/** Limits concurrent calls. Further calls wait, and start in the order in which they came. */
export type CallSlots = {
  /** Runs a call. Throws the reason of `signal` if it is aborted before the call starts. */
  run<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T>
}

export function createCallSlots(most: number): CallSlots {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async run(signal, call) {
      // A call that ends passes its slot on to the first one that waits.
      if (running < most) running++
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        signal.throwIfAborted()
        return await call()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
  }
}
