import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { WorkerInput } from './preview.ts'

export type WorkerChild = ChildProcessByStdio<Writable, Readable, Readable>

/**
 * RLIMIT_DATA that Node itself uses on x64 with sharp: 512 MB reserved for code and never touched, 100 MB of stacks and heap, and some reserve. Other
 * platforms reserve less, so the limit is only wider there.
 */
const baselineBytes = 768 * 1_048_576

/** Sets the limits, then runs the worker. By its score, the kernel kills workers first when memory runs out. */
const limitedShell =
  'ulimit -d "$1" 2>/dev/null; ulimit -c 0 2>/dev/null; echo 1000 2>/dev/null >/proc/self/oom_score_adj; shift; exec "$@"'

/**
 * Starts a worker without the server's environment, in its own process group, so that Ctrl-C in a terminal reaches only the server. On Linux
 * RLIMIT_DATA limits its memory; elsewhere only the worker's own check does.
 */
export function spawnWorker(input: WorkerInput): WorkerChild {
  // Source file in a clone, compiled file in an installed package.
  const file = fileURLToPath(new URL(`./previewWorker${extname(import.meta.url)}`, import.meta.url))
  const node = [process.execPath, '--max-old-space-size=96', file, JSON.stringify(input)]
  const limitKilobytes = Math.ceil((baselineBytes + input.memoryBytes) / 1_024)
  const [program, ...args] =
    process.platform === 'linux' && existsSync('/bin/sh')
      ? ['/bin/sh', '-c', limitedShell, 'sh', String(limitKilobytes), ...node]
      : node
  return spawn(program!, args, {
    // Few arenas, as glibc keeps freed memory in each: with many, a worker takes several times its used memory.
    env: { MALLOC_ARENA_MAX: '2' },
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}
