import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { WorkerInput } from './workerMessages.ts'

export type WorkerChild = ChildProcessByStdio<Writable, Readable, Readable>

/**
 * What Node itself takes of RLIMIT_DATA on x64 with sharp loaded: 512 MB reserved for code, never touched, and 100 MB of
 * stacks and heap; the rest is room. Other machines reserve less, so that the limit is wider there, never narrower.
 */
const baselineBytes = 768 * 1_048_576

/** The kernel takes workers first when the machine itself runs out of memory. */
const limitedShell =
  'ulimit -d "$1" 2>/dev/null; ulimit -c 0 2>/dev/null; echo 1000 2>/dev/null >/proc/self/oom_score_adj; shift; exec "$@"'

/**
 * A worker with nothing of the server's environment, in a process group of its own, so that a terminal's Ctrl-C reaches
 * the server only. Linux bounds its memory as a whole (RLIMIT_DATA); elsewhere only the worker's own watch does.
 */
export function spawnWorker(input: WorkerInput): WorkerChild {
  // A clone runs the source, an installed package what was compiled of it.
  const file = fileURLToPath(new URL(`./previewWorker${extname(import.meta.url)}`, import.meta.url))
  const node = [process.execPath, '--max-old-space-size=96', file, JSON.stringify(input)]
  const limitKilobytes = Math.ceil((baselineBytes + input.memoryBytes) / 1_024)
  const [program, ...args] =
    process.platform === 'linux' && existsSync('/bin/sh')
      ? ['/bin/sh', '-c', limitedShell, 'sh', String(limitKilobytes), ...node]
      : node
  return spawn(program!, args, {
    // Few arenas: glibc keeps what it freed in each, which makes a worker grow to several times what it uses.
    env: { MALLOC_ARENA_MAX: '2' },
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}
