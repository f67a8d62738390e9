import { type FileHandle, open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { MadeFile } from '../fileQuery.ts'

/** Bytes at the beginning of a kept file that hold its facts as JSON, with spaces behind. */
export const factsBytes = 4_096

/** Writes the facts of a file into the room at its beginning, and waits until they are on the disk. */
export async function writeFacts(path: string, facts: object): Promise<void> {
  const text = JSON.stringify(facts).padEnd(factsBytes)
  const file = await open(path, 'r+')
  try {
    await file.write(Buffer.from(text), 0, factsBytes, 0)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Opens a kept file, which can be read to its end from then on, also where it is removed meanwhile. One without facts is no file of
 * ours, or a fault of the disk, and is removed. undefined: there is none. A reader that takes nothing for `stallMs` has it closed: it
 * would hold the bytes of a removed file on the disk.
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
    const head = Buffer.alloc(factsBytes)
    await file.read(head, 0, factsBytes, 0)
    const facts = factsIn(head)
    if (facts === undefined) {
      await rm(path, { force: true })
      await file.close()
      return undefined
    }
    const { size } = await file.stat()
    return fileOf(file, { facts: facts as F, bytes: size - factsBytes, stallMs })
  } catch (error) {
    await file.close()
    throw error
  }
}

function factsIn(head: Buffer): unknown {
  try {
    return JSON.parse(head.toString())
  } catch {
    return undefined
  }
}

function fileOf<F>(
  file: FileHandle,
  { facts, bytes, stallMs }: { facts: F; bytes: number; stallMs: number },
): MadeFile<F> {
  return {
    facts,
    bytes,
    open: () => Readable.toWeb(untilStalled(file.createReadStream({ start: factsBytes }), stallMs)),
    // Nothing was written through it, so nothing is lost where the disk fails to close it.
    discard: () => void file.close().catch(() => undefined),
  }
}

/** Ends a stream with an error where it gives nothing for `stallMs`, as nobody takes what it has. */
function untilStalled(stream: Readable, stallMs: number): Readable {
  const stalled = () => stream.destroy(new Error(`the reader takes nothing for ${stallMs} ms`))
  const timer = setTimeout(stalled, stallMs).unref()
  return stream.on('data', () => void timer.refresh()).on('close', () => clearTimeout(timer))
}

/** A short file that is kept nowhere. */
export function fileInMemory<F>(text: string, facts: F): MadeFile<F> {
  const blob = new Blob([text])
  return { facts, bytes: blob.size, open: () => blob.stream(), discard: () => undefined }
}
