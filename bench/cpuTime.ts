import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks a second in /proc. The value is the same on every Linux that Node runs on. */
const ticks = 100

/** Returns the seconds of processor time that a process has used. */
export function cpuSeconds(pid: number): number {
  return (timesOf(pid)?.used ?? 0) / ticks
}

/** Returns the processor time of the main thread alone. */
export function mainThreadSeconds(pid: number): number {
  return (timesOf(`${pid}/task/${pid}`)?.used ?? 0) / ticks
}

/** Returns the processor time of a process and its children, including ended ones. PostgreSQL is one process and one more for each connection. */
export function cpuSecondsOfAll(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(timesOf)
    .filter((times) => times?.parent === pid)
  const ended = (timesOf(pid)?.ended ?? 0) / ticks
  return children.reduce((sum, times) => sum + times!.used / ticks, cpuSeconds(pid) + ended)
}

/** Fields of proc_pid_stat(5): the parent, the ticks of the process, and the ticks of its ended children. */
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
