import { open, rm } from 'node:fs/promises'
import { closeFile, readFilePart } from '../../util/files/readFilePart.ts'
import type { FilePart, MadeFile } from '../fileQuery.ts'
import type { FileText } from './recordText.ts'

/** Reserved bytes at the beginning of a cached file, for its head as JSON, padded with spaces. */
export const factsBytes = 4_096

/** Head of a cached file. `bytes`: size of its rows, which reveals a truncated file. */
type Head = { bytes: number; facts: unknown }

/** Writes a file's facts into its reserved bytes, and syncs them to disk. */
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
 * Opens a cached file, which stays readable even if it is removed meanwhile. A file without facts, or with another size
 * than they have, is damaged or not ours, and is removed. undefined: there is none.
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

/** A file without rows, which is not cached. */
export function emptyFile<F>(text: FileText, facts: F): MadeFile<F> {
  const { head } = text
  const blob = new Blob([Buffer.from(head as string), Buffer.from(text.finish().tail ?? '')])
  const open = (part: FilePart = { from: 0, to: blob.size }) => blob.slice(part.from, part.to).stream()
  return { facts, bytes: blob.size, open, discard: () => undefined }
}
