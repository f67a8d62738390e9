import { chmod, lstat, readdir, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describeError, MintmarkError } from '../../util/errors.ts'
import { makeFolder } from '../../util/files/makeFolder.ts'
import type { Log } from '../../util/log.ts'

/** The data folder cannot be used; the message has the reason and possible remedies. */
export class DataDirError extends MintmarkError {
  readonly code = 'DATA_DIR'
}

/** Names that Mintmark and file systems create in a data folder. The journal of the lock exists while it is held, and after a kill -9. */
const ownEntries =
  /^(?:postgres(?:\.new-.*)?|lock(?:-journal)?|media|files|mintmark-postgres-.*|\.probe-\d+|lost\+found)$/

/** Bits of a mode: all rights of the group and of others, and the write right of others. */
const forOthers = 0o077
const writtenByAll = 0o002

/**
 * Creates the data folder if it is missing, for its owner only, and returns its real path. A folder that is open to other users is closed to them,
 * but only if it has no entries but ours: `--data /tmp` must not close /tmp. Throws DataDirError if another user could create things there (a lock, a
 * link), or nothing can be created there.
 * The folder may belong to this process's user or to root, who has all rights anyway: volumes of Kubernetes belong to root and are writable by a
 * group. Root may use the folder of any user, as containers do with host folders, unless every user can create folders above it: then somebody else
 * may have created it.
 */
export async function openDataDir(path: string, log: Log): Promise<string> {
  try {
    await makeFolder(path)
    const real = await realpath(path)
    if (process.getuid) await keepPrivate(path, real, process.getuid(), log)
    return real
  } catch (cause) {
    throw cause instanceof DataDirError ? cause : dataDirFault(path, cause)
  }
}

const otherPlaces =
  'choose a folder of this user with --data (dataDir), or a PostgreSQL with --database-url (databaseUrl)'

/** The error message for an operator if a system call fails in the data folder. */
export function dataDirFault(path: string, cause: unknown): DataDirError {
  const known = reasons[(cause as NodeJS.ErrnoException).code ?? '']
  const message = `the data folder ${path} cannot be used`
  return known === undefined
    ? new DataDirError(`${message}: ${describeError(cause)}: ${otherPlaces}`, { cause })
    : new DataDirError(`${message}: ${known}: ${otherPlaces}`)
}

const reasons: Record<string, string> = {
  EACCES: 'the user of this process may not write there',
  EPERM: 'the user of this process may not do that there',
  EROFS: 'its disk takes no writes',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the quota of its disk is used up',
  ENOTDIR: 'a file of that name, or above it, is not a folder',
  EEXIST: 'something that is not a folder exists there',
  ENOENT: 'no folder can be made there',
  ELOOP: 'its links lead nowhere',
  ENAMETOOLONG: 'its name is too long',
}

async function keepPrivate(path: string, real: string, uid: number, log: Log): Promise<void> {
  const trusted = (owner: number) => owner === uid || owner === 0
  const link = await lstat(path)
  if (link.isSymbolicLink() && !trusted(link.uid))
    throw new DataDirError(`${path} is a link of the user ${link.uid}: use the folder itself`)
  const folder = await stat(real)
  const rootMay = uid === 0 && ((await stat(dirname(real))).mode & writtenByAll) === 0
  if (!trusted(folder.uid) && !rootMay)
    throw new DataDirError(
      `${real} belongs to the user ${folder.uid}, this is ${uid}: run as that user, or choose another dataDir`,
    )
  if ((folder.mode & forOthers) === 0) return
  const isOurs = uid === 0 || folder.uid === uid
  if (isOurs && (await readdir(real)).every((name) => ownEntries.test(name))) {
    await chmod(real, 0o700)
    log.warn({ dataDir: real, mode: (folder.mode & 0o777).toString(8) }, 'data folder permissions restricted')
  } else if ((folder.mode & writtenByAll) !== 0)
    throw new DataDirError(
      `${real} can be written by every user of this machine: choose a folder of its own, such as ${real}/mintmark`,
    )
}
