import { readFileSync } from 'node:fs'

type Ancestor = { pid: number; parent: number; args: string[] }

/**
 * Calls back once when the npm above this process has exited. `npx mintmark` and `npm start` put a shell between npm and
 * us; SIGTERM ends npm and that shell, and neither passes it on (npm 11, dash), so that no signal would ever stop us.
 * If a process was sent to the background on purpose, or where there is no /proc, nothing is watched.
 */
export function onNpmGone(callback: () => void, intervalMs = 500): void {
  const chain = ancestorsUpToNpm()
  if (!chain) return
  const timer = setInterval(() => {
    if (process.ppid === chain[0]?.pid && chain.slice(0, -1).every((one) => isStill(one))) return
    clearInterval(timer)
    callback()
  }, intervalMs)
  timer.unref()
}

/** At most the launcher, the shell and npm. */
function ancestorsUpToNpm(): Ancestor[] | undefined {
  const chain: Ancestor[] = []
  for (let pid = process.ppid; chain.length < 3; ) {
    const one = readAncestor(pid)
    if (!one) return undefined
    chain.push(one)
    const script = one.args.join(' ')
    // npm writes its command line over its own arguments.
    if (script.startsWith('npm ')) return chain
    if (/&|\b(nohup|setsid)\b/.test(script)) return undefined
    pid = one.parent
  }
  return undefined
}

/** An orphan gets a new parent, so each one shows whether the next one lives. */
function isStill({ pid, parent }: Ancestor): boolean {
  return readAncestor(pid)?.parent === parent
}

function readAncestor(pid: number): Ancestor | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold anything; state and parent follow it.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return { pid, parent, args: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') }
  } catch (error) {
    // The process has exited, or this system has no /proc.
    if (['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
