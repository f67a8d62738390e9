import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ConflictError } from '../../util/errors.ts'
import { DiskReserveError } from '../../util/files/diskReserve.ts'
import type { FileFormat } from '../fileQuery.ts'
import type { FileKind, FileSummary } from './fileText.ts'
import type { FileWorkerAnswer, FileWorkerInput, FileWorkerMessage } from './fileWorker.ts'

export type WriteFileOptions = {
  /** A file that is not there yet. */
  path: string
  /** Who may read and write it, less what the umask takes; its owner alone where omitted. */
  mode?: number
  kind: FileKind
  format: FileFormat
  /** Batches of rows, as `kind` has them (`holderText.ts`, `tokenText.ts`). */
  batches: AsyncIterable<string>
  /** Bytes that are left free at the beginning of the file; none if omitted. */
  reserve?: number
  /** Most bytes of the rows; no bound where omitted. */
  maxBytes?: number
  /** Bytes of the disk that stay free; none if omitted. */
  leastFree?: number
  signal: AbortSignal
}

/**
 * Writes a file in a thread of its own and waits until it is on the disk. The next batch is read while the last one is written. What was
 * written is left where it fails, for the caller to remove. Throws ConflictError if the file would be too large, or
 * an amount too large for a leaf, DiskReserveError where it would take what is to stay free.
 */
export async function writeFile(options: WriteFileOptions): Promise<FileSummary & { bytes: number }> {
  const { path, mode = 0o600, kind, format, batches, reserve = 0, leastFree = 0, signal } = options
  const { maxBytes = Number.MAX_SAFE_INTEGER } = options
  const input: FileWorkerInput = { path, mode, reserve, kind, format, maxBytes, leastFree }
  // A clone of the repository runs the source, an installed package the compiled file.
  const worker = new Worker(new URL(`./fileWorker${extname(import.meta.url)}`, import.meta.url), { workerData: input })
  // Listened to all the time: an unhandled error ends the process, and a thread that has exited answers no message.
  const ended = new Promise<never>((_, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread that writes the file ended before the file was written')))
  })
  const isOver = ended.catch(() => undefined)

  async function send(message: string | null): Promise<(FileSummary & { bytes: number }) | null> {
    const answered = once(worker, 'message', { signal }) as Promise<[FileWorkerAnswer]>
    worker.postMessage(message)
    const [answer] = await Promise.race([answered, ended])
    if ('failed' in answer) throw Object.assign(new Error(answer.failed.message), answer.failed)
    if ('short' in answer) throw new DiskReserveError()
    if ('refused' in answer) throw new ConflictError(answer.refused)
    return answer.done
  }

  try {
    let sent: Promise<unknown> = Promise.resolve()
    for await (const batch of batches) {
      await sent
      sent = send(batch)
      // The next batch may fail first; this failure is thrown by the `await` above.
      sent.catch(() => undefined)
    }
    await sent
    return (await send(null))!
  } finally {
    // It ends by itself, as soon as it is loaded and its batch is written: V8 ends the process where a thread is terminated while it loads.
    worker.postMessage(undefined satisfies FileWorkerMessage)
    await isOver
  }
}
