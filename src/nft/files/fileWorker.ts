import { closeSync, fsyncSync, openSync, statfsSync, writeFileSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { ConflictError } from '../../util/errors.ts'
import type { FileFormat } from '../fileQuery.ts'
import type { FileKind, FileSummary } from './fileText.ts'
import { createHolderText } from './holderText.ts'
import { createTokenText } from './tokenText.ts'
import { createTransferText } from './transferText.ts'

// Program of a thread that writes one file: on the main thread, hashing and writing rows would delay pages. Each
// message gets one reply, in order.

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

/** A batch of rows; null: end of rows; undefined: the thread ends without a reply, and leaves its output. */
export type FileWorkerMessage = string | null | undefined

export type FileWorkerAnswer =
  | { done: (FileSummary & { bytes: number }) | null }
  /** `code`: of a system error, such as ENOSPC. */
  | { failed: { message: string; code?: string } }
  /** The request cannot be fulfilled, for the reason in the message. */
  | { rejected: string }
  /** Further writing would use the disk's reserve. */
  | { short: true }

/** Niceness of this thread relative to the process: beside busy threads it gets a third of their time. */
const niceness = 5

// On Linux the call affects only this thread, elsewhere the whole process.
if (process.platform === 'linux') setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness))

const { path, mode, reserve, kind, format, maxBytes, leastFree } = workerData as FileWorkerInput
const text = { holders: createHolderText, tokens: createTokenText, transfers: createTransferText }[kind](format)
let file: number | undefined
let bytes = 0
let lookedAt = 0

/** Interval of disk space checks, in written bytes. */
const lookEveryBytes = 1_048_576

parentPort!.on('message', (batch: FileWorkerMessage) => {
  if (batch === undefined) return parentPort!.close()
  try {
    parentPort!.postMessage(work(batch))
  } catch (error) {
    parentPort!.postMessage(failureOf(error as NodeJS.ErrnoException))
  }
})

function work(batch: string | null): FileWorkerAnswer {
  if (file === undefined) {
    file = openSync(path, 'wx', mode)
    writeFileSync(file, Buffer.alloc(reserve))
    append(file, text.head)
  }
  if (batch !== null) {
    append(file, text.write(batch))
    return isShort() ? { short: true } : { done: null }
  }
  const { tail, ...summary } = text.finish()
  if (tail) append(file, tail)
  fsyncSync(file)
  closeSync(file)
  return { done: { ...summary, bytes } }
}

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

function failureOf(error: NodeJS.ErrnoException): FileWorkerAnswer {
  if (error instanceof ConflictError) return { rejected: error.message }
  const { message, code } = error
  return { failed: { message, ...(code !== undefined && { code }) } }
}
