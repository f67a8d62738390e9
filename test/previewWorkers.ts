import { readdirSync, readFileSync } from 'node:fs'

/** Ids of the preview workers of `parent`, read from /proc of Linux. A zombie counts as exited. */
export function previewWorkers(parent = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent && read(pid, 'cmdline').includes('previewWorker'))
}

export function isAlive(pid: number): boolean {
  return parentOf(pid) !== undefined
}

function parentOf(pid: number): number | undefined {
  const [state, parent] = read(pid, 'stat').split(') ').at(-1)!.split(' ')
  return state === undefined || state === '' || state === 'Z' ? undefined : Number(parent)
}

export function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return ''
    throw error
  }
}
