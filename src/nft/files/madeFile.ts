import { type FileHandle, open, rm } from 'node:fs/promises'
import type { MadeFile } from '../fileQuery.ts'

/** Bytes at the beginning of a kept file that hold its head as JSON, with spaces behind. */
export const factsBytes = 4_096

/** What is read of the disk at once. */
const pieceBytes = 262_144

/** What stands at the beginning of a kept file. `bytes`: of its rows, so that a file that lost its end is no file. */
type Head = { bytes: number; facts: unknown }

/** Writes the facts of a file into the room at its beginning, and waits until they are on the disk. */
export async function writeFacts(path: string, facts: object): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const head: Head = { bytes: (await file.stat()).size - factsBytes, facts }
    await file.write(Buffer.from(JSON.stringify(head).padEnd(factsBytes)), 0, factsBytes, 0)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Opens a kept file, which can be read to its end from then on, also where it is removed meanwhile. One without facts, or shorter or longer
 * than they say, is no file of ours, or a fault of the disk, and is removed. undefined: there is none. A reader that takes nothing for
 * `stallMs` has it closed: it would hold the bytes of a removed file on the disk.
 */
export async function openMadeFile<F>(
  path: string,
  { stallMs }: { stallMs: number },
): Promise<MadeFile<F> | undefined> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!file) return undefined
  try {
    const start = Buffer.alloc(factsBytes)
    await file.read(start, 0, factsBytes, 0)
    const head = headIn(start)
    const { size } = await file.stat()
    if (head === undefined || size - factsBytes !== head.bytes) {
      await rm(path, { force: true })
      await file.close()
      return undefined
    }
    return {
      facts: head.facts as F,
      bytes: head.bytes,
      open: () => rowsOf(file, { bytes: head.bytes, stallMs }),
      discard: () => close(file),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

function headIn(start: Buffer): Head | undefined {
  try {
    return JSON.parse(start.toString())
  } catch {
    return undefined
  }
}

/** Nothing was written through it, so nothing is lost where the disk fails to close it. */
function close(file: FileHandle): void {
  file.close().catch(() => undefined)
}

/**
 * Exactly the rows that the file had when it was opened. Ends with an error where there are fewer by now, so that nobody waits for the rest or
 * takes another answer for it, and where the reader takes nothing for `stallMs`.
 */
function rowsOf(file: FileHandle, { bytes, stallMs }: { bytes: number; stallMs: number }): ReadableStream<Uint8Array> {
  let at = 0
  let timer: NodeJS.Timeout
  function end(): void {
    clearTimeout(timer)
    close(file)
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const stalled = () => {
          controller.error(new Error(`the reader takes nothing for ${stallMs} ms`))
          end()
        }
        timer = setTimeout(stalled, stallMs).unref()
      },
      async pull(controller) {
        timer.refresh()
        const piece = await readPiece(file, at, bytes).catch((error: unknown) => {
          end()
          throw error
        })
        at += piece.length
        if (piece.length > 0) controller.enqueue(piece)
        if (at < bytes) return
        controller.close()
        end()
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

/** The bytes of the rows from `at` on, a piece at most; none at their end. */
async function readPiece(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const length = Math.min(pieceBytes, bytes - at)
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, factsBytes + at)
  if (bytesRead === 0 && length > 0) throw new Error(`the file has ${at} of its ${bytes} bytes`)
  return buffer.subarray(0, bytesRead)
}

/** A short file that is kept nowhere. */
export function fileInMemory<F>(text: string, facts: F): MadeFile<F> {
  const blob = new Blob([text])
  return { facts, bytes: blob.size, open: () => blob.stream(), discard: () => undefined }
}
