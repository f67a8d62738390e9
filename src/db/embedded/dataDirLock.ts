import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MintmarkError } from '../../errors.ts'
import { EmbeddedPostgresUnavailableError } from './unavailableError.ts'

/** Another process works on the same data folder. */
export class DataDirInUseError extends MintmarkError {
  readonly code = 'DATA_DIR_IN_USE'
}

export type DataDirLock = { release(): void }

/** https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5

/**
 * Makes this process the only one that starts, stops or changes what is in `dataDir`. The kernel's lock on the file
 * `lock` does it, so that it ends with its holder, by kill -9 too, and the file that stays behind means nothing. Node
 * has no call for such locks; SQLite takes them, portably, and also tells two holders within one process apart.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const file = openLock(dataDir)
  try {
    file.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    file.close()
    if ((cause as { errcode?: number }).errcode === sqliteBusy)
      throw new DataDirInUseError(`${dataDir} is in use by another Mintmark: stop it, or choose another dataDir`, {
        cause,
      })
    throw cause
  }
  return { release: () => file.close() }
}

function openLock(dataDir: string): DatabaseSync {
  try {
    // Of two that try at the same instant both may be refused once, so each tries for a moment.
    return new DatabaseSync(join(dataDir, 'lock'), { timeout: 300 })
  } catch (cause) {
    throw new EmbeddedPostgresUnavailableError(`the user of this process cannot write in ${dataDir}`, { cause })
  }
}
