import { constants, getPriority, setPriority } from 'node:os'

/**
 * Niceness of background work relative to its process: beside busy ones it gets a third of their time. With a higher one, urgent work would wait for
 * the locks of background work.
 */
export const backgroundNiceness = 5

/** Lowers the priority of this thread, so that it does not delay the answers of the main thread. Only Linux has priorities of threads. */
export function lowerPriority(): void {
  if (process.platform === 'linux') lowerPriorityOf(0)
}

/** Lowers the priority of a process; on Linux, 0 is this thread. Throws if this process may not. */
export function lowerPriorityOf(pid: number): void {
  setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority(pid) + backgroundNiceness))
}
