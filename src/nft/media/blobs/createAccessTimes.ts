import { stat, utimes } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../../log.ts'

/** How long what was asked for waits to be written down. */
const flushMs = 60_000

/** A file's time is written at most so often. */
const freshMs = 600_000

/** Files that wait at most; what is asked for beyond that loses its place among those that were asked for. */
const mostWaiting = 100_000

/** When files were asked for last, kept as their access times, whether or not the file system writes these itself. */
export type AccessTimes = {
  /** Costs nothing but memory. */
  asked(path: string): void
  /** Writes down what was asked for since the last time. */
  flush(): Promise<void>
  close(): Promise<void>
}

export function createAccessTimes({ log }: { log: Log }): AccessTimes {
  let waiting = new Map<string, number>()
  const closing = new AbortController()

  async function flush(): Promise<void> {
    const paths = waiting
    waiting = new Map()
    for (const [path, at] of paths)
      try {
        const { atimeMs, mtime } = await stat(path)
        if (at - atimeMs > freshMs) await utimes(path, new Date(at), mtime)
      } catch (error) {
        // Removed meanwhile, by whomever.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log.debug({ path, err: error }, 'access time not kept')
      }
  }

  const flushing = (async () => {
    while (!closing.signal.aborted) {
      await delay(flushMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      await flush()
    }
  })()

  return {
    asked(path) {
      if (waiting.size < mostWaiting || waiting.has(path)) waiting.set(path, Date.now())
    },
    flush,
    async close() {
      closing.abort()
      await flushing
    },
  }
}
