import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeError } from '../../util/errors.ts'
import type { Log } from '../../util/log.ts'
import { type Binaries, findBinaries, linkLibraries } from './binaries.ts'
import { copyBinaries } from './copyBinaries.ts'
import { EmbeddedPostgresUnavailableError, type Programs, runProgram } from './program.ts'
import { describeServerUser, type ServerUser, serverUsers } from './serverUser.ts'

export type ProgramChoice = {
  dataDir: string
  /** The owner of the database; undefined if there is none yet. */
  owner: { uid: number; gid: number } | undefined
  log: Log
  /** The package's binaries; default: the installed ones. */
  binaries?: Binaries
  /** Folders for a copy that another user can run; the first usable one is taken. */
  copyFolders?: string[]
}

/**
 * The first user and folder with which PostgreSQL runs here, found by running it: permissions, mount options, seccomp and missing libraries all show
 * at once. The package itself is tried before a copy of it.
 */
export async function choosePrograms(options: ProgramChoice): Promise<Programs> {
  const { dataDir, owner, log } = options
  const uid = process.getuid?.()
  if (uid === undefined)
    throw new EmbeddedPostgresUnavailableError(
      `the embedded PostgreSQL does not run on ${process.platform}: set databaseUrl`,
    )
  const binaries = options.binaries ?? (await findBinaries())
  const users = await serverUsers({ uid, owner })
  if (users.length === 0)
    throw new EmbeddedPostgresUnavailableError(
      owner && uid !== 0
        ? `the database in ${dataDir} belongs to the user ${owner.uid}, this is ${uid}: run as that user, or choose another dataDir`
        : 'PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it as: run as an ordinary user, or set databaseUrl',
    )
  const rejections: string[] = []
  for (const user of users) {
    const copyFolders = options.copyFolders ?? foldersFor(user, dataDir)
    const programs = await choosePlace({ binaries, user, copyFolders, rejections, log })
    if (programs) return programs
  }
  throw new EmbeddedPostgresUnavailableError(
    `PostgreSQL cannot be run here; run as an ordinary user, or set databaseUrl. Tried:\n${rejections.map((r) => `  - ${r}`).join('\n')}`,
  )
}

/** Folders from which this user can run a copy: the data folder is open to our own user; another user needs an open path. */
function foldersFor(user: ServerUser, dataDir: string): string[] {
  return user.kind === 'other' ? ['/var/cache/mintmark', tmpdir()] : [dataDir]
}

type Place = { binaries: Binaries; user: ServerUser; copyFolders: string[]; rejections: string[]; log: Log }

async function choosePlace({ binaries, user, copyFolders, rejections, log }: Place): Promise<Programs | undefined> {
  async function tryIn(folder: string): Promise<Trial> {
    const trial = await tryRunning({ folder, user })
    if (trial !== 'runs') rejections.push(`${folder} ${describeServerUser(user)}: ${trial.reason}`)
    return trial
  }
  await linkLibraries(binaries, binaries.folder).catch((err: NodeJS.ErrnoException) =>
    log.debug({ err, folder: binaries.folder }, 'PostgreSQL library links not created'),
  )
  const trial = await tryIn(binaries.folder)
  if (trial === 'runs') return { folder: binaries.folder, user }
  // If the user is the problem and not the folder, a copy of 60 MB in another folder does not help.
  if (!trial.byPlace) return undefined
  for (const parent of copyFolders) {
    const target = join(parent, `mintmark-postgres-${binaries.version}`)
    try {
      const { folder, fresh } = await copyBinaries({ binaries, target, replace: false })
      log.debug({ folder, fresh }, 'PostgreSQL started from a copy')
      if ((await tryIn(folder)) === 'runs') return { folder, user }
      if (fresh) continue
      // An older copy may have lost its contents in a power failure, so it is copied again.
      await copyBinaries({ binaries, target, replace: true })
      if ((await tryIn(folder)) === 'runs') return { folder, user }
    } catch (error) {
      rejections.push(`${target}: ${describeError(error)}`)
    }
  }
  return undefined
}

type Trial = 'runs' | { reason: string; byPlace: boolean }

/** Runs PostgreSQL for 5 ms to print its version. */
async function tryRunning(programs: Programs): Promise<Trial> {
  try {
    const { code, signal, stdout, stderr } = await runProgram(programs, 'postgres', ['--version'], { timeout: 10_000 })
    if (code === 0 && stdout.startsWith('postgres (PostgreSQL) ')) return 'runs'
    // 126 and 127 come from the loader, and from unshare if it cannot reach the program; 1 is unshare's own rejection.
    return { reason: stderr.trim() || `ended with ${signal ?? `code ${code}`}`, byPlace: code !== 1 }
  } catch (error) {
    // EPERM: the user cannot be changed. ENOENT: no unshare, or a system without glibc's loader.
    return { reason: describeError(error), byPlace: (error as NodeJS.ErrnoException).code === 'EACCES' }
  }
}
