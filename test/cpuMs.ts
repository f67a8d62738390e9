/** Milliseconds of processor time that `work` took, which are the same on a busy machine, unlike those of a clock. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
