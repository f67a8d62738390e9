import { readFileSync } from 'node:fs'

type Ancestor = { pid: number; parent: number; args: string[] }

/**
 * Calls back once when the npm process above this one has exited. `npx mintmark` and `npm start` put a shell between
 * npm and us. SIGTERM ends npm and the shell, and neither forwards it (npm 11, dash). Does nothing for background
 * processes, or without /proc.
 */
export function onNpmExit(callback: () => void, intervalMs = 500): void {
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
    // npm overwrites its arguments with its command line.
    if (script.startsWith('npm ')) return chain
    if (/&|\b(nohup|setsid)\b/.test(script)) return undefined
    pid = one.parent
  }
  return undefined
}

/** An orphan gets a new parent, so each process shows whether its parent still runs. */
function isStill({ pid, parent }: Ancestor): boolean {
  return readAncestor(pid)?.parent === parent
}

function readAncestor(pid: number): Ancestor | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain anything; state and parent follow it.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return { pid, parent, args: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') }
  } catch (error) {
    // The process has exited, or this system has no /proc.
    if (['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
