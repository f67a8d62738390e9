import { closeSync, fsyncSync, openSync, statfsSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { workerData } from 'node:worker_threads'
import { ConflictError } from '../../util/errors.ts'
import { DiskReserveError } from '../../util/files/diskReserve.ts'
import { lowerPriority } from '../../util/threads/lowerPriority.ts'
import type { FileFormat } from '../fileQuery.ts'
import { createHolderText } from './holderText.ts'
import type { FileKind, FileSummary } from './recordText.ts'
import { serve } from './thread.ts'
import { createTokenText } from './tokenText.ts'
import { createTransferText } from './transferText.ts'

// Program of a thread that writes one file: on the main thread, hashing and writing rows would delay pages. Its messages
// are batches of rows; null: end of rows.

/** `reserve`: free bytes at the beginning of the file. */
export type FileWorkerInput = {
  path: string
  mode: number
  reserve: number
  kind: FileKind
  format: FileFormat
  maxBytes: number
  /** Disk space in bytes that must stay free; 0: none. */
  leastFree: number
}

/** The answer to the end of rows. */
export type WrittenFile = FileSummary & { bytes: number }

lowerPriority()

const { path, mode, reserve, kind, format, maxBytes, leastFree } = workerData as FileWorkerInput
const text = { holders: createHolderText, tokens: createTokenText, transfers: createTransferText }[kind](format)
let file: number | undefined
let bytes = 0
let lookedAt = 0

/** Interval of disk space checks, in written bytes. */
const lookEveryBytes = 1_048_576

serve((batch: string | null): WrittenFile | null => {
  if (file === undefined) {
    file = openSync(path, 'wx', mode)
    writeFileSync(file, Buffer.alloc(reserve))
    append(file, text.head)
  }
  if (batch !== null) {
    append(file, text.write(batch))
    if (isShort()) throw new DiskReserveError()
    return null
  }
  const { tail, ...summary } = text.finish()
  if (tail) append(file, tail)
  fsyncSync(file)
  closeSync(file)
  return { ...summary, bytes }
})

function append(file: number, rows: string | Uint8Array): void {
  const buffer = Buffer.from(rows as string)
  writeFileSync(file, buffer)
  bytes += buffer.length
  if (bytes > maxBytes)
    throw new ConflictError(
      `the file would have more than ${maxBytes} bytes, which is files.maxStoredBytes of the configuration`,
    )
}

/** Whether the disk has less free space than its reserve. */
function isShort(): boolean {
  if (leastFree === 0 || bytes - lookedAt < lookEveryBytes) return false
  lookedAt = bytes
  const disk = statfsSync(dirname(path))
  return disk.bavail * disk.bsize < leastFree
}
