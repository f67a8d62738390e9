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

// The program of a thread that writes one file: hashing and writing rows would hold up the pages that the main thread answers. Each
// message is answered by one, in order.

/** `reserve`: bytes that are left free at the beginning of the file. */
export type FileWorkerInput = {
  path: string
  mode: number
  reserve: number
  kind: FileKind
  format: FileFormat
  maxBytes: number
  /** Bytes of the disk that stay free; 0: none. */
  leastFree: number
}

/** A batch of rows; null: there are no more; undefined, which has no answer: the thread ends, and leaves what it wrote. */
export type FileWorkerMessage = string | null | undefined

export type FileWorkerAnswer =
  | { done: (FileSummary & { bytes: number }) | null }
  /** `code`: of an error of the system, such as ENOSPC. */
  | { failed: { message: string; code?: string } }
  /** What is requested cannot be written, as the message says. */
  | { refused: string }
  /** Writing on would take the reserve of the disk. */
  | { short: true }

/** Niceness of this thread above that of the process: beside busy threads it gets a third of their time. */
const niceness = 5

// On Linux the call changes this thread alone, elsewhere it would change the whole process.
if (process.platform === 'linux') setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness))

const { path, mode, reserve, kind, format, maxBytes, leastFree } = workerData as FileWorkerInput
const text = { holders: createHolderText, tokens: createTokenText, transfers: createTransferText }[kind](format)
let file: number | undefined
let bytes = 0
let lookedAt = 0

/** After so many bytes the disk is looked at again. */
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

/** Whether the disk has less space than what is to stay free. */
function isShort(): boolean {
  if (leastFree === 0 || bytes - lookedAt < lookEveryBytes) return false
  lookedAt = bytes
  const disk = statfsSync(dirname(path))
  return disk.bavail * disk.bsize < leastFree
}

function failureOf(error: NodeJS.ErrnoException): FileWorkerAnswer {
  if (error instanceof ConflictError) return { refused: error.message }
  const { message, code } = error
  return { failed: { message, ...(code !== undefined && { code }) } }
}
