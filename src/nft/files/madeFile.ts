import { open, rm } from 'node:fs/promises'
import { closeFile, readFilePart } from '../../util/files/readFilePart.ts'
import type { FilePart, MadeFile } from '../fileQuery.ts'
import type { FileText } from './fileText.ts'

/** Bytes at the beginning of a kept file that hold its head as JSON, with spaces behind. */
export const factsBytes = 4_096

/** What is at the beginning of a kept file. `bytes`: of its rows, so that a file that lost its end is not a file. */
type Head = { bytes: number; facts: unknown }

/** Writes the facts of a file into the reserved bytes at its beginning, and waits until they are on the disk. */
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
 * than they say, is not a file of ours, or an error of the disk, and is removed. undefined: there is none.
 */
export async function openMadeFile<F>(path: string): Promise<MadeFile<F> | undefined> {
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
      open: (part = { from: 0, to: head.bytes }) => readFilePart(file, { ...part, offset: factsBytes }),
      discard: () => closeFile(file),
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

/** The file of no rows, which is kept nowhere. */
export function emptyFile<F>(text: FileText, facts: F): MadeFile<F> {
  const { head } = text
  const blob = new Blob([Buffer.from(head as string), Buffer.from(text.finish().tail ?? '')])
  const open = (part: FilePart = { from: 0, to: blob.size }) => blob.slice(part.from, part.to).stream()
  return { facts, bytes: blob.size, open, discard: () => undefined }
}
