/** A block is written within some ten milliseconds where nothing else keeps the database or this process busy. */
const blockMs = 1_000

/**
 * Whether writing the blocks of a step took longer than it may. Each block may take a second. A follower that catches up also has to gain on
 * its head, so of several blocks it may take no longer than the chain did to make them, though always a second. `timestamps`: of the blocks,
 * in seconds; none if blocks were only undone.
 */
export function isLate(writeMs: number, timestamps: readonly bigint[]): boolean {
  const count = Math.max(1, timestamps.length)
  const spanMs = timestamps.length > 1 ? 1_000 * Number(timestamps.at(-1)! - timestamps[0]!) : 0
  // Chains without a time of their own, as those of tests, give all blocks the same one.
  const madeMs = spanMs > 0 ? (spanMs * count) / (count - 1) : Number.POSITIVE_INFINITY
  return writeMs > Math.max(blockMs, Math.min(blockMs * count, madeMs))
}
