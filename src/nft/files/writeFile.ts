import { ConflictError } from '../../util/errors.ts'
import { DiskReserveError } from '../../util/files/diskReserve.ts'
import type { FileFormat } from '../fileQuery.ts'
import type { FileWorkerInput, WrittenFile } from './fileWorker.ts'
import type { FileKind } from './recordText.ts'
import { startThread } from './thread.ts'

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
export async function writeFile(options: WriteFileOptions): Promise<WrittenFile> {
  const { path, mode = 0o600, kind, format, batches, reserve = 0, leastFree = 0, signal } = options
  const { maxBytes = Number.MAX_SAFE_INTEGER } = options
  const input: FileWorkerInput = { path, mode, reserve, kind, format, maxBytes, leastFree }
  const thread = startThread<string | null, WrittenFile | null>('fileWorker', input)
  const send = (message: string | null) =>
    thread.send(message, signal).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'CONFLICT') throw new ConflictError(error.message)
      throw error.code === 'UNAVAILABLE' ? new DiskReserveError() : error
    })

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
    await thread.end()
  }
}
