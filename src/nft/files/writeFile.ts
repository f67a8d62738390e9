import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ConflictError } from '../../util/errors.ts'
import { DiskReserveError } from '../../util/files/diskReserve.ts'
import type { FileFormat } from '../fileQuery.ts'
import type { FileKind, FileSummary } from './fileText.ts'
import type { FileWorkerAnswer, FileWorkerInput, FileWorkerMessage } from './fileWorker.ts'

export type WriteFileOptions = {
  /** The file must not exist. */
  path: string
  /** Permissions before the umask; default: the owner only. */
  mode?: number
  kind: FileKind
  format: FileFormat
  /** Batches of rows in the format of `kind` (`holderText.ts`, `tokenText.ts`). */
  batches: AsyncIterable<string>
  /** Reserved bytes at the beginning of the file; default: none. */
  reserve?: number
  /** Limit of the rows in bytes; default: none. */
  maxBytes?: number
  /** Disk space in bytes that must stay free; default: none. */
  leastFree?: number
  signal: AbortSignal
}

/**
 * Writes a file in a separate thread and syncs it to disk. Reads the next batch while the last one is written. On
 * failure, the caller must remove the partial file. Throws ConflictError if the file, or an amount for a leaf, would be
 * too large. Throws DiskReserveError if it would use the disk's reserve.
 */
export async function writeFile(options: WriteFileOptions): Promise<FileSummary & { bytes: number }> {
  const { path, mode = 0o600, kind, format, batches, reserve = 0, leastFree = 0, signal } = options
  const { maxBytes = Number.MAX_SAFE_INTEGER } = options
  const input: FileWorkerInput = { path, mode, reserve, kind, format, maxBytes, leastFree }
  // Source file in a clone, compiled file in an installed package.
  const worker = new Worker(new URL(`./fileWorker${extname(import.meta.url)}`, import.meta.url), { workerData: input })
  // Always has a listener: an unhandled error would end the process, and an exited thread answers no message.
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
    if ('rejected' in answer) throw new ConflictError(answer.rejected)
    return answer.done
  }

  try {
    let sent: Promise<unknown> = Promise.resolve()
    for await (const batch of batches) {
      await sent
      sent = send(batch)
      // The next batch may fail first; the `await` above throws this failure.
      sent.catch(() => undefined)
    }
    await sent
    return (await send(null))!
  } finally {
    // The thread ends itself once it is loaded and its batch is written: V8 aborts the process if a thread is
    // terminated while it loads.
    worker.postMessage(undefined satisfies FileWorkerMessage)
    await isOver
  }
}
