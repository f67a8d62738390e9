import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** A running process; `args[0]` is its name, or its title if it set one. */
export type RunningProcess = { pid: number; args: string[] }

/** Every visible process, except zombies, which have no arguments. Takes about 5 ms for 200 processes. */
export async function listProcesses(): Promise<RunningProcess[]> {
  return process.platform === 'linux' ? readProc() : runPs()
}

/** Slim images have no `ps`. */
async function readProc(): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const processes = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(unlessEnded)
      return { pid: Number(pid), args: line.split('\0') }
    }),
  )
  return processes.filter((p) => p.args[0] !== '')
}

/** ENOENT and ESRCH: the process ended since it was listed. */
function unlessEnded(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT' || error.code === 'ESRCH') return ''
  throw error
}

async function runPs(): Promise<RunningProcess[]> {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-axww', '-o', 'pid=,command='], { maxBuffer: 16_777_216 })
  return stdout.split('\n').flatMap((line) => {
    const found = /^\s*(\d+) (.*)$/.exec(line)
    if (!found) return []
    const [, pid, command = ''] = found
    // ps joins the arguments with spaces; a title stays whole, so that its beginning can be compared.
    return [{ pid: Number(pid), args: command.startsWith('postgres: ') ? [command] : command.split(' ') }]
  })
}
