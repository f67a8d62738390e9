import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of a second in /proc, the same on every Linux that Node runs on. */
const ticks = 100

/** Seconds of processor time that a process has used. */
export function cpuSeconds(pid: number): number {
  return (timesOf(pid)?.used ?? 0) / ticks
}

/** The same of its main thread alone. */
export function mainThreadSeconds(pid: number): number {
  return (timesOf(`${pid}/task/${pid}`)?.used ?? 0) / ticks
}

/**
 * The same of a process with its children, those that ended included: a server of PostgreSQL is one process and one more for each
 * connection.
 */
export function cpuSecondsOfAll(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(timesOf)
    .filter((times) => times?.parent === pid)
  const ended = (timesOf(pid)?.ended ?? 0) / ticks
  return children.reduce((sum, times) => sum + times!.used / ticks, cpuSeconds(pid) + ended)
}

/** The fields of proc_pid_stat(5): the parent, what the process used itself, and what its children had used that ended. */
function timesOf(pid: number | string): { parent: number; used: number; ended: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    return { parent: fields[1]!, used: fields[11]! + fields[12]!, ended: fields[13]! + fields[14]! }
  } catch {
    // The process has ended.
    return undefined
  }
}
