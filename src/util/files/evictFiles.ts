import { opendir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** A temporary file older than this belongs to a killed writer: a write takes moments. */
const deadAfterMs = 3_600_000

/** Files are sorted by the minute of their latest request. */
const minuteMs = 60_000

/** Files are removed down to this ratio of the limit, so that the next file does not trigger another scan. */
const keptShare = 0.9

/** Least time between two writes of a file's access time. */
const freshMs = 600_000

/** Stores the present as the access time of a requested file, as not every file system does. Nobody waits for it. */
export function noteRequest(path: string): void {
  const note = async () => {
    const { atimeMs, mtime } = await stat(path)
    if (Date.now() - atimeMs > freshMs) await utimes(path, new Date(), mtime)
  }
  // The file may have been removed meanwhile. A file without this time is only removed earlier.
  note().catch(() => undefined)
}

type File = { path: string; bytes: number; minute: number }

/** The position of a file in the order of removal, the smallest first, by the minute of its latest request; `now`: the current minute. */
export type Rank = (file: { path: string; minute: number; now: number }) => number

/**
 * If the files below `folder` use more than `maxBytes` of the disk, or `freeBytes` must be freed, removes the least recently requested ones, and
 * always the files of killed writers. Returns the remaining bytes. Memory holds one number per minute and no list of files, however many there are.
 * Several processes may do this at once, as all of them remove the same files first.
 */
export async function evictFiles(options: {
  folder: string
  maxBytes: number
  freeBytes?: number
  /** Omitted: files are removed in the order of their latest requests. */
  rank?: Rank | undefined
  signal: AbortSignal
}): Promise<{ keptBytes: number; evicted: number }> {
  const { folder, maxBytes, freeBytes = 0, rank = ({ minute }) => minute, signal } = options
  const now = Math.floor(Date.now() / minuteMs)
  const placeOf = (file: File) => rank({ ...file, now })
  const bytesOf = new Map<number, number>()
  let total = 0
  for await (const file of walk(folder, signal)) {
    const { bytes } = file
    const place = placeOf(file)
    bytesOf.set(place, (bytesOf.get(place) ?? 0) + bytes)
    total += bytes
  }
  const beyond = total > maxBytes ? total - Math.floor(maxBytes * keptShare) : 0
  let excess = Math.max(beyond, freeBytes)
  if (excess === 0) return { keptBytes: total, evicted: 0 }

  let last = Number.NEGATIVE_INFINITY
  for (const place of [...bytesOf.keys()].sort((a, b) => a - b)) {
    if (excess <= 0) break
    excess -= bytesOf.get(place)!
    last = place
  }
  let evicted = 0
  for await (const file of walk(folder, signal)) {
    const { path, bytes } = file
    const place = placeOf(file)
    if (place > last) continue
    // Of the last minute, only as many files as needed.
    if (place === last && excess + bytes <= 0) {
      excess += bytes
      continue
    }
    await rm(path, { force: true })
    total -= bytes
    evicted++
  }
  return { keptBytes: total, evicted }
}

/** Yields all files, and removes those of killed writers. */
async function* walk(folder: string, signal: AbortSignal): AsyncGenerator<File> {
  for await (const path of filesBelow(folder)) {
    signal.throwIfAborted()
    const file = await stat(path).catch(unlessMissing)
    if (!file) continue
    if (path.endsWith('.tmp')) {
      // A younger temporary file is being written, and is not in the order yet.
      if (Date.now() - file.mtimeMs > deadAfterMs) await rm(path, { force: true })
    } else
      yield {
        path,
        bytes: Math.max(file.size, file.blocks * 512),
        minute: Math.floor(Math.max(file.atimeMs, file.mtimeMs) / minuteMs),
      }
  }
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch(unlessMissing)
  if (!entries) return
  for await (const entry of entries)
    if (entry.isDirectory()) yield* filesBelow(join(folder, entry.name))
    else if (entry.isFile()) yield join(folder, entry.name)
}

/** Other processes may remove files at any moment. */
function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
