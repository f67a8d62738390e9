/** Returns the milliseconds of CPU time that `work` takes. Unlike wall-clock time, they do not grow on a busy machine. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
