import type { Log } from '../log.ts'
import { readDiskReserve } from './diskReserve.ts'
import { evictFiles, type Rank } from './evictFiles.ts'

/** Interval of recounting all files while this process stores any, as other processes store files too, and people remove some. */
const recountMs = 600_000

/** Most of the time that counting may take, as a ratio. */
const countingShare = 0.05

/** Part of the reserve that is freed in addition to what is missing, so that the next file has space. */
const reserveSlack = 1 / 8

/** Pause after an attempt that could not free the reserve, in milliseconds. */
const shortMs = 30_000

/** Keeps a folder within its size limit, and the reserve of its disk free. */
export type Eviction = {
  /** Call it for every stored file. If the folder may exceed its limit, old files are removed in the background. */
  put(bytes: number): void
  /** Removes files if the reserve of the disk is not free; false: it is still not free. */
  keepReserve(): Promise<boolean>
  close(): Promise<void>
}

export function createEviction(options: {
  folder: string
  maxBytes: number
  /** As in `evictFiles`. */
  rank?: Rank | undefined
  log: Log
}): Eviction {
  const { folder, maxBytes, rank, log } = options
  const closing = new AbortController()
  let known = Number.POSITIVE_INFINITY
  let recountAt = 0
  let looking: Promise<void> | undefined
  /** Bytes stored since the current count began, which may have missed them. */
  let meanwhile = 0

  async function look(freeBytes = 0): Promise<void> {
    const startedAt = performance.now()
    meanwhile = 0
    try {
      const { keptBytes, evicted } = await evictFiles({ folder, maxBytes, freeBytes, rank, signal: closing.signal })
      known = keptBytes + meanwhile
      if (evicted > 0) log.info({ folder, evicted, keptBytes, maxBytes }, 'files evicted')
    } catch (err) {
      if (!closing.signal.aborted) log.warn({ folder, err }, 'file eviction scan failed')
    }
    const ms = performance.now() - startedAt
    recountAt = performance.now() + Math.max(recountMs, ms / countingShare)
  }

  function evictIfDue(): void {
    const isDue = known === Number.POSITIVE_INFINITY ? recountAt === 0 : known > maxBytes
    if (looking || closing.signal.aborted || !(isDue || performance.now() > recountAt)) return
    looking = look().finally(() => {
      looking = undefined
      if (meanwhile > 0) evictIfDue()
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
      evictIfDue()
    },
    async close() {
      closing.abort()
      await looking
    },
  }
}
