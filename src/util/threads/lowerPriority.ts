import { constants, getPriority, setPriority } from 'node:os'

/** Niceness relative to the process: beside busy threads, a thread gets a third of their time. */
const niceness = 5

/** Lowers the priority of this thread, so that it does not delay the answers of the main thread. Only Linux has priorities of threads. */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness))
}
