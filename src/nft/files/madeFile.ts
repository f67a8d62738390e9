import { type FileHandle, open, rm } from 'node:fs/promises'
import type { FilePart, MadeFile } from '../fileQuery.ts'
import type { FileText } from './fileText.ts'

/** Bytes at the beginning of a kept file that hold its head as JSON, with spaces behind. */
export const factsBytes = 4_096

/** What is read of the disk at once. */
const pieceBytes = 262_144

/** What is at the beginning of a kept file. `bytes`: of its rows, so that a file that lost its end is not a file. */
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
 * than they say, is not a file of ours, or an error of the disk, and is removed. undefined: there is none. A reader that takes nothing for
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
      open: (part = { from: 0, to: head.bytes }) => rowsOf(file, { ...part, stallMs }),
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
 * Exactly the bytes of this part of the rows that the file had when it was opened. Ends with an error where there are fewer by now, so that nobody waits for the rest or
 * takes another answer for it, and where the reader takes nothing for `stallMs`.
 */
function rowsOf(file: FileHandle, { from, to, stallMs }: FilePart & { stallMs: number }): ReadableStream<Uint8Array> {
  let at = from
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
        const piece = await readPiece(file, at, to).catch((error: unknown) => {
          end()
          throw error
        })
        at += piece.length
        if (piece.length > 0) controller.enqueue(piece)
        if (at < to) return
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

/** The file of no rows, which is kept nowhere. */
export function emptyFile<F>(text: FileText, facts: F): MadeFile<F> {
  const { head } = text
  const blob = new Blob([Buffer.from(head as string), Buffer.from(text.finish().tail ?? '')])
  const open = (part: FilePart = { from: 0, to: blob.size }) => blob.slice(part.from, part.to).stream()
  return { facts, bytes: blob.size, open, discard: () => undefined }
}
