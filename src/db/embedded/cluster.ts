import { chmod, chown, mkdtemp, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { MintmarkError } from '../../util/errors.ts'
import { type Programs, runProgram, workingFolderName } from './program.ts'

/** Only a cluster of this major version can be opened; others need pg_upgrade or a dump. */
export const postgresMajor = 18

/** The folder holds a database that this version cannot open. */
export class DataVersionError extends MintmarkError {
  readonly code = 'DATA_VERSION'
}

/** initdb failed; the message ends with initdb's error. */
export class InitdbError extends MintmarkError {
  readonly code = 'INITDB_FAILED'
}

/** The owner of the cluster in `folder`; undefined if there is none yet. */
export async function inspectCluster(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  const found = await stat(folder).catch(ifMissing)
  if (!found) return undefined
  // The files belong to another user and cannot be read: `choosePrograms` reports what to do.
  if (process.getuid?.() !== 0 && process.getuid?.() !== found.uid) return { uid: found.uid, gid: found.gid }
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(ifMissing)
  if (version === undefined) {
    // `createCluster` renames a complete cluster into place, so this folder is not ours. rmdir only removes an empty one.
    await rmdir(folder).catch((cause: NodeJS.ErrnoException) => {
      throw new DataVersionError(`${folder} is neither empty nor a PostgreSQL database: choose another dataDir`, {
        cause,
      })
    })
    return undefined
  }
  if (version.trim() !== String(postgresMajor))
    throw new DataVersionError(
      `${folder} was made by PostgreSQL ${version.trim()}, this program brings PostgreSQL ${postgresMajor}: convert it with pg_upgrade or a dump, or choose another dataDir`,
    )
  return { uid: found.uid, gid: found.gid }
}

/**
 * Creates an empty cluster: superuser `postgres`, UTF-8, byte order for text, the same on every system. The cluster gets its name once it is
 * complete, so an interrupted one is never used. Takes about 0.5 s, half of it initdb's fsync.
 */
export async function createCluster(options: { programs: Programs; folder: string }): Promise<void> {
  const { programs, folder } = options
  const parent = dirname(folder)
  const prefix = `${basename(folder)}.new-`
  for (const name of await readdir(parent))
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true })

  const work = await mkdtemp(join(parent, prefix))
  try {
    await chmod(work, 0o700)
    if (programs.user.kind === 'other') await chown(work, programs.user.uid, programs.user.gid)
    const { code, signal, stderr } = await runProgram(
      programs,
      'initdb',
      [
        `--pgdata=${workingFolderName(work)}`,
        '--username=postgres',
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        // Safe because the socket is in a folder of mode 0700: see `socketFolder`.
        '--auth=trust',
        '--no-instructions',
      ],
      { cwd: work },
    )
    if (code !== 0) throw new InitdbError(`initdb ended with ${signal ?? `code ${code}`}: ${firstFault(stderr)}`)
    await rename(work, folder)
    await syncFolder(parent)
  } catch (error) {
    await rm(work, { recursive: true, force: true })
    throw error
  }
}

/** The first error of initdb; later ones only follow from it. */
function firstFault(stderr: string): string {
  return /(?:FATAL|PANIC|error): +(.+)/.exec(stderr)?.[1] ?? stderr.trim()
}

/** Syncs a folder to disk, so that a rename in it survives a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
