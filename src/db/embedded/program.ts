import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { MintmarkError } from '../../util/errors.ts'
import type { ServerUser } from './serverUser.ts'

/** PostgreSQL cannot run here; the message has the missing requirement and possible remedies. */
export class EmbeddedPostgresUnavailableError extends MintmarkError {
  readonly code = 'EMBEDDED_POSTGRES_UNAVAILABLE'
}

/** PostgreSQL's programs in one folder (`bin`, `lib`, `share`), run as one user. */
export type Programs = { folder: string; user: ServerUser }

export type ProgramName = 'initdb' | 'postgres'

export type ProgramExit = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

/**
 * The name of a folder for a program whose working directory it is. The kernel enters a working directory before the user changes, and does not
 * resolve the path again, so parent folders may be closed to that user. On Linux this name does not need the path either.
 */
export function workingFolderName(folder: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : folder
}

/**
 * Variables that only glibc reads (mallopt(3)): how many bytes of freed memory a backend keeps. By default it returns the memory of each page's text
 * to the kernel and requests it again for the next. That takes an eighth of its time.
 */
export const allocation = {
  MALLOC_TRIM_THRESHOLD_: String(8 * 1_048_576),
  MALLOC_MMAP_THRESHOLD_: String(2 * 1_048_576),
}

/** Starts a program without this process's environment, parts of which libpq and the loader would obey. */
export function spawnProgram(
  { folder, user }: Programs,
  name: ProgramName,
  args: string[],
  options: Pick<SpawnOptions, 'cwd' | 'detached' | 'stdio' | 'timeout'>,
): ChildProcess {
  const program = join(folder, 'bin', name)
  const settings = { ...options, env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC', ...allocation } }
  if (user.kind === 'self') return spawn(program, args, settings)
  if (user.kind === 'other') return spawn(program, args, { ...settings, uid: user.uid, gid: user.gid })
  // unshare executes the program in its own process, so the process id is the program's.
  const map = ['--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`]
  return spawn('unshare', [...map, '--', program, ...args], settings)
}

/** Runs a program to its end; rejects if it could not be started. */
export async function runProgram(
  programs: Programs,
  name: ProgramName,
  args: string[],
  options: Pick<SpawnOptions, 'cwd' | 'timeout'> = {},
): Promise<ProgramExit> {
  const child = spawnProgram(programs, name, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<Pick<ProgramExit, 'code' | 'signal'>>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  const [exit, stdout, stderr] = await Promise.all([ended, text(child.stdout!), text(child.stderr!)])
  return { ...exit, stdout, stderr }
}
