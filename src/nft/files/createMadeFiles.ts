import { randomUUID } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { TooManyRequestsError, UnavailableError } from '../../util/errors.ts'
import { createAccessTimes } from '../../util/files/createAccessTimes.ts'
import { createEviction } from '../../util/files/createEviction.ts'
import { DiskReserveError } from '../../util/files/diskReserve.ts'
import { makeFolder } from '../../util/files/makeFolder.ts'
import type { Log } from '../../util/log.ts'
import { isAlive } from '../../util/signals.ts'
import { unlessAborted } from '../../util/wait.ts'
import type { MadeFile } from '../fileQuery.ts'
import { openMadeFile, writeFacts } from './madeFile.ts'

export type MadeFilesOptions = {
  /** Several processes may share it. */
  folder: string
  /** Most bytes of the disk; files that were requested least recently are removed first. */
  maxBytes: number
  /** Most files that this process makes at once. */
  atOnce: number
  /** Stops what is being made. */
  signal: AbortSignal
  /** Takes the errors of what could not be made, before the caller gets them. */
  onError?: (error: unknown) => void
  log: Log
}

export type AskedFile<F> = {
  /** Letters, digits, dots and hyphens. The same name is always the same file. */
  name: string
  /** The key of the request: it may create one file at a time. */
  keyId: bigint
  /**
   * Writes the file, with `factsBytes` reserved bytes at its start, and returns its facts. Nobody waits for it after the signal aborts, so it should
   * end then.
   */
  make(path: string, signal: AbortSignal): Promise<F>
}

/** Files that are made when they are first requested, and kept on the disk within a bound. */
export type MadeFiles = {
  /**
   * A file, ready to send. A missing file is created first, once for all callers, and completed even if all of them leave, for a retry. Throws
   * TooManyRequestsError if too many files are in progress, for this key or in total, and DiskReserveError if the disk has no space.
   */
  get<F extends object>(asked: AskedFile<F>): Promise<MadeFile<F>>
  /** Removes files where the reserve of their disk is not free; false: it is not free all the same. */
  keepReserve(): Promise<boolean>
  /** Waits until nothing is made any more, which is after the signal. */
  close(): Promise<void>
}

/** After so long a client that was refused may retry. */
const retryAfterSeconds = 5

/** Longest time in which a file is made, for a collection of some hundred million transfers. Afterwards its place is free for another one. */
export const mostMs = 1_800_000

/** How often a file is made for one request, where others remove it before it was opened. */
const mostTries = 3

export function createMadeFiles(options: MadeFilesOptions): MadeFiles {
  const { folder, maxBytes, atOnce, signal, onError = () => undefined, log } = options
  const times = createAccessTimes({ log })
  const eviction = createEviction({ folder, maxBytes, prepare: times.flush, log })
  const jobs = new Map<string, { keyId: bigint; done: Promise<void> }>()
  const cleaned = removeLeftovers(folder).catch((err: unknown) =>
    log.warn({ folder, err }, 'temporary files not removed'),
  )

  async function make<F extends object>(path: string, { name, make: write }: AskedFile<F>): Promise<void> {
    await cleaned
    await makeFolder(folder)
    if (!(await eviction.keepReserve())) throw new DiskReserveError()
    const temporary = join(folder, `${name}.${ownMark()}.${randomUUID()}.tmp`)
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new DOMException('the file is late', 'TimeoutError')), mostMs).unref()
    const ending = AbortSignal.any([signal, late.signal])
    // What continues after the signal may still be writing.
    const drop = () => rm(temporary, { force: true }).catch((err: unknown) => log.warn({ err }, 'file not removed'))
    const written = write(temporary, ending)
    try {
      const facts = await unlessAborted(written, ending)
      await writeFacts(temporary, facts)
      await rename(temporary, path)
    } catch (error) {
      void written.then(drop, drop)
      await drop()
      onError(error)
      if (signal.aborted) throw new UnavailableError('the server is stopping; retry')
      if (late.signal.aborted)
        throw new UnavailableError(`the file was not created within ${mostMs / 1_000} s; retry later`)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Begins to make a file, or joins those who wait for it. */
  function job<F extends object>(path: string, asked: AskedFile<F>): Promise<void> {
    const { name, keyId } = asked
    const running = jobs.get(name)
    if (running) return running.done
    if ([...jobs.values()].some((other) => other.keyId === keyId))
      throw tooMany('this key is already creating a file, the maximum is one')
    if (jobs.size >= atOnce) throw tooMany(`${jobs.size} files are being created, the maximum`)
    const done = make(path, asked).finally(() => jobs.delete(name))
    jobs.set(name, { keyId, done })
    return done
  }

  return {
    async get<F extends object>(asked: AskedFile<F>) {
      const path = join(folder, asked.name)
      for (let tries = 0; tries <= mostTries; tries++) {
        const found = await openMadeFile<F>(path)
        if (found) {
          times.asked(path)
          // Only now that it is open: it may be the one that is removed.
          if (tries > 0) eviction.put(found.bytes)
          return found
        }
        await job(path, asked)
      }
      throw new UnavailableError('the file was deleted at once, as its disk has no space; retry')
    },
    keepReserve: eviction.keepReserve,
    async close() {
      await Promise.allSettled([...jobs.values()].map(({ done }) => done))
      await cleaned
      await eviction.close()
      await times.close()
    },
  }
}

function tooMany(reason: string): TooManyRequestsError {
  return new TooManyRequestsError(`${reason}; retry in ${retryAfterSeconds} s`, { retryAfterSeconds })
}

/** Names this process in the names of files that it writes: the machine, the process id and when the process started. */
const ownMark = () => `${ownHost()}.${process.pid}.${startedAt()}`
const ownHost = () => hostname().replaceAll(/[^A-Za-z0-9-]/g, '-')
const startedAt = () => String(Math.round(performance.timeOrigin))

/**
 * Removes what processes of this machine left that were killed while they wrote a file. What other machines left is removed by the
 * eviction, an hour after it was last written.
 */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names) {
    const [, host, pid, started] = /\.([\w-]+)\.(\d+)\.(\d+)\.[0-9a-f-]{36}\.tmp$/.exec(name) ?? []
    if (host !== ownHost()) continue
    // A process of a container often gets the number that the killed one had.
    const lives = Number(pid) === process.pid ? started === startedAt() : isAlive(Number(pid))
    if (!lives) await rm(join(folder, name), { force: true })
  }
}
