import { chmodSync, closeSync, lstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MintmarkError } from '../../util/errors.ts'
import { DataDirError, dataDirFault } from './dataDir.ts'

/** Another process uses the same data folder. */
export class DataDirInUseError extends MintmarkError {
  readonly code = 'DATA_DIR_IN_USE'
}

export type DataDirLock = { release(): void }

/** https://www.sqlite.org/rescode.html */
const sqliteBusy = 5
const sqliteCorrupt = 11
const sqliteNoDatabase = 26

/** Mode of the lock's file: only its owner may open it, as every process that can read the file could hold its lock. */
const lockMode = 0o600

/**
 * Makes this process the only one that starts, stops or changes the contents of `dataDir`, by a kernel lock on the file `lock`. Such a lock ends with
 * its holder, even by kill -9, and the remaining file means nothing. Node has no call for such locks; SQLite has them on every system, and also
 * separates two holders within one process.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const file = openLock(dataDir)
  try {
    file.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    file.close()
    const { errcode } = cause as { errcode?: number }
    if (errcode === sqliteBusy)
      throw new DataDirInUseError(`${dataDir} is in use by another Mintmark: stop it, or choose another dataDir`)
    if (errcode === sqliteNoDatabase || errcode === sqliteCorrupt)
      throw new DataDirError(
        `${join(dataDir, 'lock')} is not a lock of Mintmark's: remove it, or choose another dataDir`,
      )
    throw dataDirFault(dataDir, cause)
  }
  return { release: () => file.close() }
}

function openLock(dataDir: string): DatabaseSync {
  const path = join(dataDir, 'lock')
  try {
    makeLock(dataDir, path)
    // If two processes try at the same instant, both may be rejected, so each tries for 0.3 s.
    return new DatabaseSync(path, { timeout: 300 })
  } catch (cause) {
    throw cause instanceof DataDirError ? cause : dataDirFault(dataDir, cause)
  }
}

/**
 * Creates the file, or checks the existing one. Only a new file is opened here: a process loses its locks on a file (fcntl(2)) when it closes any
 * descriptor of it.
 */
function makeLock(dataDir: string, path: string): void {
  try {
    closeSync(openSync(path, 'wx', lockMode))
    return
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const found = lstatSync(path)
  const uid = process.getuid?.()
  if (!found.isFile()) throw new DataDirError(`${path} is not a file: remove it, or choose another dataDir`)
  if (uid === undefined) return
  if (![uid, 0, lstatSync(dataDir).uid].includes(found.uid))
    throw new DataDirError(
      `${path} belongs to the user ${found.uid}, this is ${uid}: remove it, or choose another dataDir`,
    )
  if ((found.mode & 0o077) !== 0 && (uid === 0 || found.uid === uid)) chmodSync(path, lockMode)
}
