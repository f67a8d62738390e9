import { stat, utimes } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../log.ts'

/** Interval of writing access times to the file system. */
const flushMs = 60_000

/** Least time between two writes for one file. */
const freshMs = 600_000

/** Most files with unwritten times; requests for further files are not recorded. */
const mostWaiting = 100_000

/** The times of the latest requests for files, stored as their access times, whether or not the file system updates these itself. */
export type AccessTimes = {
  /** Records in memory that a file was requested. */
  requested(path: string): void
  /** Writes the times recorded since the last call. */
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
        // The file may have been removed meanwhile.
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
    requested(path) {
      if (waiting.size < mostWaiting || waiting.has(path)) waiting.set(path, Date.now())
    },
    flush,
    async close() {
      closing.abort()
      await flushing
    },
  }
}
