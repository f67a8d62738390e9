import type { Log } from '../log.ts'
import { readDiskReserve } from './diskReserve.ts'
import { evictFiles, type Rank } from './evictFiles.ts'

/** All files are counted again so often while this process puts any, as other processes put files there too, and people remove some. */
const recountMs = 600_000

/** At most this share of the time goes into counting. */
const countingShare = 0.05

/** More than is missing of the disk's reserve is freed, by this part of the reserve, so that the next file has space. */
const reserveSlack = 1 / 8

/** For so long after a look that could not free the reserve, in milliseconds, there is no further one. */
const shortMs = 30_000

/** Keeps a folder within its bound, and the reserve of its disk free. */
export type Eviction = {
  /** To be called for every file that was put. If the folder may be beyond its bound, old files are removed, while the caller continues. */
  put(bytes: number): void
  /** Removes files where the reserve of the disk is not free; false: it is not free all the same. */
  keepReserve(): Promise<boolean>
  close(): Promise<void>
}

export function createEviction(options: {
  folder: string
  maxBytes: number
  /** As in `evictFiles`. */
  rank?: Rank | undefined
  /** Called before files are sorted by their access times. */
  prepare: () => Promise<void>
  log: Log
}): Eviction {
  const { folder, maxBytes, rank, prepare, log } = options
  const closing = new AbortController()
  let known = Number.POSITIVE_INFINITY
  let recountAt = 0
  let looking: Promise<void> | undefined
  /** What was put since the look in progress began, which may have missed it. */
  let meanwhile = 0

  async function look(freeBytes = 0): Promise<void> {
    const startedAt = performance.now()
    meanwhile = 0
    try {
      await prepare()
      const { keptBytes, evicted } = await evictFiles({ folder, maxBytes, freeBytes, rank, signal: closing.signal })
      known = keptBytes + meanwhile
      if (evicted > 0) log.info({ folder, evicted, keptBytes, maxBytes }, 'files evicted')
    } catch (err) {
      if (!closing.signal.aborted) log.warn({ folder, err }, 'file eviction scan failed')
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

  let freeing: Promise<boolean> | undefined
  let shortUntil = Number.NEGATIVE_INFINITY

  async function free(): Promise<boolean> {
    const { bytes, missing } = await readDiskReserve(folder)
    if (missing === 0) return true
    if (performance.now() < shortUntil || closing.signal.aborted) return false
    await looking
    looking = look(missing + bytes * reserveSlack).finally(() => {
      looking = undefined
    })
    await looking
    const isFree = (await readDiskReserve(folder)).missing === 0
    if (!isFree) shortUntil = performance.now() + shortMs
    return isFree
  }

  return {
    keepReserve() {
      freeing ??= free().finally(() => {
        freeing = undefined
      })
      return freeing
    },
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
