import { MintmarkError } from '../../util/errors.ts'
import { unlessAborted } from '../../util/wait.ts'

/** No read of the nodes ended in this time, so other streams of the chain no longer wait for these reads. */
export class SlowReadError extends MintmarkError {
  readonly code = 'SLOW_READ'
  override readonly retryable = true

  constructor(ms: number) {
    super(`the nodes returned nothing within ${ms / 1_000} s`)
  }
}

export type ReadLimit = {
  /** The result of a read. Throws SlowReadError once no read has ended for the time; the read itself continues. */
  within<T>(read: Promise<T>): Promise<T>
  end(): void
}

/** A time limit for reads that are in progress together. It starts with the first one, and again whenever one of them ends. */
export function createReadLimit(ms: number): ReadLimit {
  const over = new AbortController()
  let running = 0
  let isEnded = false
  let timer: NodeJS.Timeout | undefined
  function restart(): void {
    clearTimeout(timer)
    if (running > 0 && !isEnded) timer = setTimeout(() => over.abort(new SlowReadError(ms)), ms)
  }
  return {
    within(read) {
      running += 1
      if (running === 1) restart()
      const done = read.finally(() => {
        running -= 1
        restart()
      })
      return unlessAborted(done, over.signal)
    },
    end() {
      isEnded = true
      clearTimeout(timer)
    },
  }
}
