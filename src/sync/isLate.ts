/** Limit per block. Usually it is written in about ten milliseconds, unless the database or this process is busy. */
const blockMs = 1_000

/**
 * Whether writing the blocks of a step took longer than the limit of a second per block. A follower that catches up must also be faster than its
 * chain: several blocks may take no longer than the chain needed for them, but at least a second. `timestamps`: of the blocks, in seconds; none if
 * blocks were only undone.
 */
export function isLate(writeMs: number, timestamps: readonly bigint[]): boolean {
  const count = Math.max(1, timestamps.length)
  const spanMs = timestamps.length > 1 ? 1_000 * Number(timestamps.at(-1)! - timestamps[0]!) : 0
  // Chains without block times, as in tests, give all blocks the same one.
  const madeMs = spanMs > 0 ? (spanMs * count) / (count - 1) : Number.POSITIVE_INFINITY
  return writeMs > Math.max(blockMs, Math.min(blockMs * count, madeMs))
}
