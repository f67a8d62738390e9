import { randomUUID } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { TooManyRequestsError, UnavailableError } from '../../util/errors.ts'
import { createEviction } from '../../util/files/createEviction.ts'
import { DiskReserveError } from '../../util/files/diskReserve.ts'
import { noteRequest } from '../../util/files/evictFiles.ts'
import { makeFolder } from '../../util/files/makeFolder.ts'
import type { Log } from '../../util/log.ts'
import { isAlive } from '../../util/signals.ts'
import { unlessAborted } from '../../util/wait.ts'
import type { MadeFile } from '../fileQuery.ts'
import { openMadeFile, writeFacts } from './madeFile.ts'

export type MadeFilesOptions = {
  /** Several processes may share it. */
  folder: string
  /** Disk limit in bytes; least recently requested files are removed first. */
  maxBytes: number
  /** Most files that this process creates in parallel. */
  atOnce: number
  /** Stops running jobs. */
  signal: AbortSignal
  /** Called with the errors of failed jobs, before the caller gets them. */
  onError?: (error: unknown) => void
  log: Log
}

export type RequestedFile<F> = {
  /** Letters, digits, dots and hyphens. A name always identifies the same content. */
  name: string
  /** The key of the request: it may create one file at a time. */
  keyId: bigint
  /**
   * Writes the file, with `factsBytes` reserved at its start, and returns its facts. It should end after the signal
   * aborts, as nobody waits for it then.
   */
  make(path: string, signal: AbortSignal): Promise<F>
}

/** Files that are created on the first request, and cached on disk within a limit. */
export type MadeFiles = {
  /**
   * A file ready to send. A missing file is created once for all callers, and completed even if all of them disconnect,
   * for a retry. Throws TooManyRequestsError if too many files are in progress, for this key or in total, and
   * DiskReserveError if the disk has no space.
   */
  get<F extends object>(requested: RequestedFile<F>): Promise<MadeFile<F>>
  /** Removes files if their disk has less free space than its reserve; false: that did not suffice. */
  keepReserve(): Promise<boolean>
  /** Waits until all jobs have ended, after the signal. */
  close(): Promise<void>
}

/** Retry-After of rejected requests. */
const retryAfterSeconds = 5

/** Timeout of a job, enough for a collection of several hundred million transfers. Afterwards its slot is free. */
export const mostMs = 1_800_000

/** Attempts per request, as others may remove the file before it is opened. */
const mostTries = 3

export function createMadeFiles(options: MadeFilesOptions): MadeFiles {
  const { folder, maxBytes, atOnce, signal, onError = () => undefined, log } = options
  const eviction = createEviction({ folder, maxBytes, log })
  const jobs = new Map<string, { keyId: bigint; done: Promise<void> }>()
  const cleaned = removeLeftovers(folder).catch((err: unknown) =>
    log.warn({ folder, err }, 'temporary files not removed'),
  )

  async function make<F extends object>(path: string, { name, make: write }: RequestedFile<F>): Promise<void> {
    await cleaned
    await makeFolder(folder)
    if (!(await eviction.keepReserve())) throw new DiskReserveError()
    const temporary = join(folder, `${name}.${ownMark()}.${randomUUID()}.tmp`)
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new DOMException('the file is late', 'TimeoutError')), mostMs).unref()
    const ending = AbortSignal.any([signal, late.signal])
    // A job that continues after the signal may still be writing.
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

  /** Starts a job for a file, or joins the running one. */
  function job<F extends object>(path: string, requested: RequestedFile<F>): Promise<void> {
    const { name, keyId } = requested
    const running = jobs.get(name)
    if (running) return running.done
    if ([...jobs.values()].some((other) => other.keyId === keyId))
      throw tooMany('this key is already creating a file, the maximum is one')
    if (jobs.size >= atOnce) throw tooMany(`${jobs.size} files are being created, the maximum`)
    const done = make(path, requested).finally(() => jobs.delete(name))
    jobs.set(name, { keyId, done })
    return done
  }

  return {
    async get<F extends object>(requested: RequestedFile<F>) {
      const path = join(folder, requested.name)
      for (let tries = 0; tries <= mostTries; tries++) {
        const found = await openMadeFile<F>(path)
        if (found) {
          noteRequest(path)
          // Only after it is opened: it may be the file that is evicted.
          if (tries > 0) eviction.put(found.bytes)
          return found
        }
        await job(path, requested)
      }
      throw new UnavailableError('the file was deleted at once, as its disk has no space; retry')
    },
    keepReserve: eviction.keepReserve,
    async close() {
      await Promise.allSettled([...jobs.values()].map(({ done }) => done))
      await cleaned
      await eviction.close()
    },
  }
}

function tooMany(reason: string): TooManyRequestsError {
  return new TooManyRequestsError(`${reason}; retry in ${retryAfterSeconds} s`, { retryAfterSeconds })
}

/** Identifies this process in names of its files: machine, process id and start time. */
const ownMark = () => `${ownHost()}.${process.pid}.${startedAt()}`
const ownHost = () => hostname().replaceAll(/[^A-Za-z0-9-]/g, '-')
const startedAt = () => String(Math.round(performance.timeOrigin))

/**
 * Removes files of processes on this machine that were killed while writing. Eviction removes those of other machines
 * an hour after their last write.
 */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names) {
    const [, host, pid, started] = /\.([\w-]+)\.(\d+)\.(\d+)\.[0-9a-f-]{36}\.tmp$/.exec(name) ?? []
    if (host !== ownHost()) continue
    // In a container, a process often gets the id of the killed one.
    const lives = Number(pid) === process.pid ? started === startedAt() : isAlive(Number(pid))
    if (!lives) await rm(join(folder, name), { force: true })
  }
}
