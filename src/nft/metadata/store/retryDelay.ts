/**
 * How long metadata is not read again after a failure, in milliseconds, where `attempts` failures in a row came before it. Each failure takes
 * the next of the delays, and from the last one on that one. A delay is moved by up to a twentieth, so that tokens of one host
 * do not come together again, and is never shorter than the host requested.
 */
export function retryDelay(
  delaysMs: readonly number[],
  attempts: number,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
): number {
  const delay = delaysMs[Math.min(attempts, delaysMs.length - 1)] ?? 0
  return Math.max(Math.round(delay * (0.95 + random() / 10)), retryAfterMs ?? 0)
}
