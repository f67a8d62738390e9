import { randomBytes } from 'node:crypto'
import { type FileHandle, link, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MintmarkError, NotFoundError } from '../../util/errors.ts'

/** A file with that name exists. */
export class BackupExistsError extends MintmarkError {
  readonly code = 'BACKUP_EXISTS'
}

/** A file that gets its name once it is completely on disk. */
export type UnfinishedFile = {
  file: FileHandle
  /** Throws BackupExistsError if the name exists by now: nothing is overwritten. */
  finish(): Promise<void>
  /** Removes the file; does nothing if it is finished. */
  [Symbol.asyncDispose](): Promise<void>
}

/** How often a writer updates the time of its file to show that it is alive. */
const touchEveryMs = 10_000

/** A file whose time was not updated for so long belongs to a killed writer. */
const deadAfterMs = 120_000

const nameOfUnfinished = /\.mintmark-[0-9a-f]{16}\.part$/

/**
 * Opens a new file beside `path` that only its owner can read, and removes those of killed writers. Writers may be on other machines or in other
 * containers, where a process id means nothing. So a writer updates the time of its file instead.
 */
export async function openUnfinished(path: string, touchMs = touchEveryMs): Promise<UnfinishedFile> {
  const unfinished = `${path}.mintmark-${randomBytes(8).toString('hex')}.part`
  const file = await open(unfinished, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    throw new NotFoundError(`there is no folder ${dirname(path)}: create it, or choose a file elsewhere`)
  })
  const timer = setInterval(() => {
    const now = new Date()
    // If the time cannot be updated, another backup may remove the file, and this backup fails. Nothing else is affected.
    utimes(unfinished, now, now).catch(() => undefined)
  }, touchMs)
  await removeDead(dirname(path), (await file.stat()).mtimeMs).catch(() => undefined)
  return {
    file,
    async finish() {
      await file.sync()
      await file.close()
      await giveName(unfinished, path)
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await file.close().catch(() => undefined)
      await rm(unfinished, { force: true })
    },
  }
}

/** Removes the files of killed writers. `now`: the time of a file just created there, as the file system's clock decides. */
async function removeDead(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!nameOfUnfinished.test(name)) continue
    const path = join(folder, name)
    const { mtimeMs } = await stat(path)
    if (now - mtimeMs > deadAfterMs) await rm(path, { force: true })
  }
}

/** Gives the file its name by a link, which, unlike a rename, never replaces another file. */
async function giveName(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const exists = code === 'EEXIST' || (await stat(path).catch(() => undefined))
    if (exists)
      throw new BackupExistsError(`${path} exists, and a backup overwrites nothing: choose a new file`, { cause })
    // Not every file system supports links.
    await rename(unfinished, path)
  }
}
