/** Failures in a row that are taken for chance, and do not pause a host. */
const forgiven = 2
const firstMs = 1_000
const longestMs = 300_000

/**
 * How long a host is left alone after so many failures in a row, where it named no time: twice as long each time, five
 * minutes at most, spread by up to a fifth (`dice` is 0 to 1) so that many hosts do not come back at once. A refusal
 * (`limited`) counts from the first, a failure from the third.
 */
export function pauseMs(kind: 'limited' | 'failed', failures: number, dice: number): number {
  const counted = kind === 'limited' ? failures : failures - forgiven
  if (counted < 1) return 0
  return Math.min(longestMs, firstMs * 2 ** Math.min(20, counted - 1)) * (1 - dice / 5)
}
