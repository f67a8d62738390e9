import { readdirSync, readFileSync } from 'node:fs'

/** Returns the megabytes of a process and its children. Shared memory counts once (Pss of Linux). A process that ends meanwhile counts as zero. */
export function heldMegabytes(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + processMegabytes(one), 0)
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : ''
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(parent) === pid ? Number(name) : []
  })
}

/** Returns the same for one process without its children. */
export function processMegabytes(pid: number): number {
  const line = /^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/smaps_rollup`))
  return Number(line?.[1] ?? 0) / 1024
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
