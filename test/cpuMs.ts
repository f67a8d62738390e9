/** Milliseconds of processor time that `work` took: unlike those of a clock the same on a busy machine. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
