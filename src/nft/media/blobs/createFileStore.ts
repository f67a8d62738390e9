import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createEviction } from '../../../util/files/createEviction.ts'
import { DiskReserveError } from '../../../util/files/diskReserve.ts'
import { noteRequest } from '../../../util/files/evictFiles.ts'
import { makeFolder } from '../../../util/files/makeFolder.ts'
import { closeFile, readFilePart } from '../../../util/files/readFilePart.ts'
import type { Log } from '../../../util/log.ts'
import { type PreviewStore, PreviewStoreError, parseKey } from './previewStore.ts'

/** Kept videos without a request for this many minutes are removed before any preview image. */
const idleMinutes = 60

export type FileStoreOptions = {
  folder: string
  /** Disk limit in bytes; least recently requested files are removed first. null: no limit. */
  maxBytes: number | null
  log: Log
}

/** Files below `folder`, in two levels of folders by the first bytes of the hash, 65,536 in all. */
export function createFileStore({ folder, maxBytes, log }: FileStoreOptions): PreviewStore {
  const bound = maxBytes ?? Number.POSITIVE_INFINITY
  const eviction = createEviction({ folder, maxBytes: bound, rank, log })

  function pathOf(key: string): string {
    const { hash, file } = parseKey(key)
    return join(folder, hash.slice(0, 2), hash.slice(2, 4), `${hash}-${file}`)
  }

  return {
    async put(key, bytes) {
      const path = pathOf(key)
      const temporary = `${path}.${randomUUID()}.tmp`
      try {
        await makeFolder(dirname(path))
        if (!(await eviction.keepReserve())) throw new DiskReserveError()
        await writeDurably(temporary, bytes)
        await rename(temporary, path)
        if (maxBytes !== null) eviction.put(bytes.length)
      } catch (cause) {
        await rm(temporary, { force: true }).catch(() => undefined)
        throw new PreviewStoreError('a preview cannot be written to the disk', { cause })
      }
    },
    async get(key) {
      const path = pathOf(key)
      try {
        const bytes = await readFile(path)
        noteRequest(path)
        return { bytes, contentType: 'image/webp' }
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw new PreviewStoreError('a preview cannot be read from the disk', { cause })
      }
    },
    async open(key) {
      const path = pathOf(key)
      try {
        const file = await openFile(path)
        if (!file) return undefined
        noteRequest(path)
        const { size } = await file.stat()
        return { bytes: size, open: (part) => readFilePart(file, part), discard: () => closeFile(file) }
      } catch (cause) {
        throw new PreviewStoreError('a media file cannot be read from the disk', { cause })
      }
    },
    keepReserve: eviction.keepReserve,
    close: eviction.close,
  }
}

/** Eviction order of files. A kept video may be as large as a thousand preview images, and is as easy to fetch again. */
function rank({ path, minute, now }: { path: string; minute: number; now: number }): number {
  return /-file\.\w+$/.test(path) && now - minute > idleMinutes ? minute - now : minute
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  return open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
}

/** Writes a file and syncs it to disk: otherwise, after a power failure, the renamed file could be empty. */
async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}
