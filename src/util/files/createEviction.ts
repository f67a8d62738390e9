import type { Log } from '../../log.ts'
import { evictFiles } from './evictFiles.ts'

/** All files are counted again so often while this process puts any, as other processes put files there too, and people remove some. */
const recountMs = 600_000

/** At most this share of the time goes into counting. */
const countingShare = 0.05

/** Keeps a folder within its bound. */
export type Eviction = {
  /** To be called for every file that was put. Where the folder may be beyond its bound, old files are removed, while the caller goes on. */
  put(bytes: number): void
  close(): Promise<void>
}

export function createEviction(options: {
  folder: string
  maxBytes: number
  /** Called before files are sorted by their access times. */
  prepare: () => Promise<void>
  log: Log
}): Eviction {
  const { folder, maxBytes, prepare, log } = options
  const closing = new AbortController()
  let known = Number.POSITIVE_INFINITY
  let recountAt = 0
  let looking: Promise<void> | undefined
  /** What was put since the look under way began, which may have missed it. */
  let meanwhile = 0

  async function look(): Promise<void> {
    const startedAt = performance.now()
    meanwhile = 0
    try {
      await prepare()
      const { keptBytes, evicted } = await evictFiles({ folder, maxBytes, signal: closing.signal })
      known = keptBytes + meanwhile
      if (evicted > 0) log.info({ folder, evicted, keptBytes, maxBytes }, 'files removed to make room')
    } catch (err) {
      if (!closing.signal.aborted) log.warn({ folder, err }, 'files not counted')
    }
    const ms = performance.now() - startedAt
    recountAt = performance.now() + Math.max(recountMs, ms / countingShare)
  }

  function lookIfDue(): void {
    const due = known === Number.POSITIVE_INFINITY ? recountAt === 0 : known > maxBytes
    if (looking || closing.signal.aborted || !(due || performance.now() > recountAt)) return
    looking = look().finally(() => {
      looking = undefined
      if (meanwhile > 0) lookIfDue()
    })
  }

  return {
    put(bytes) {
      known += bytes
      meanwhile += bytes
      lookIfDue()
    },
    async close() {
      closing.abort()
      await looking
    },
  }
}
