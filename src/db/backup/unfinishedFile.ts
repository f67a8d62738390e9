import { randomBytes } from 'node:crypto'
import { type FileHandle, link, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MintmarkError, NotFoundError } from '../../errors.ts'

/** There is a file of that name already. */
export class BackupExistsError extends MintmarkError {
  readonly code = 'BACKUP_EXISTS'
}

/** A file that gets its name when all of it is on the disk. */
export type UnfinishedFile = {
  file: FileHandle
  /** Throws BackupExistsError where the name was taken meanwhile: nothing is overwritten. */
  finish(): Promise<void>
  /** Removes what was written; nothing where it was finished. */
  [Symbol.asyncDispose](): Promise<void>
}

/** How often a file that is being written is marked as such. */
const touchEveryMs = 10_000

/** A file that was not marked for so long has no writer any more: it was killed. */
const deadAfterMs = 120_000

const nameOfUnfinished = /\.mintmark-[0-9a-f]{16}\.part$/

/**
 * Opens a file of its own beside `path`, for its owner alone, and removes those beside it whose writers were killed. Writers
 * may be on other machines or in other containers, so a process number tells nothing: a writer marks its file instead.
 */
export async function openUnfinished(path: string, touchMs = touchEveryMs): Promise<UnfinishedFile> {
  const unfinished = `${path}.mintmark-${randomBytes(8).toString('hex')}.part`
  const file = await open(unfinished, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    throw new NotFoundError(`there is no folder ${dirname(path)}: make it, or name a file elsewhere`)
  })
  const timer = setInterval(() => {
    const now = new Date()
    // Without the mark the file may be taken for dead, and the backup fails; nothing else is harmed.
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

/** By the clock of the file system that holds them: `now` is the time of a file that was just made there. */
async function removeDead(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!nameOfUnfinished.test(name)) continue
    const path = join(folder, name)
    const { mtimeMs } = await stat(path)
    if (now - mtimeMs > deadAfterMs) await rm(path, { force: true })
  }
}

/** A link, unlike a renaming, replaces nothing. */
async function giveName(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const exists = code === 'EEXIST' || (await stat(path).catch(() => undefined))
    if (exists)
      throw new BackupExistsError(`${path} exists, and a backup overwrites nothing: name a new file`, { cause })
    // Not every file system has links.
    await rename(unfinished, path)
  }
}
