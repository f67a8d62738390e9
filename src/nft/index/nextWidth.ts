import type { BlockRange } from '../../sync/blockRange.ts'

/** Most blocks of a read, where a contract is quiet. */
const widestRead = 2_000_000n

/**
 * Width of the next read. It doubles after a read that brought few logs. It shrinks after a read that brought many, by as much as fewer
 * logs are wanted. After a partial answer it becomes a multiple of what the node took, so that no short remainder costs a request.
 */
export function nextWidth(
  width: bigint,
  asked: BlockRange,
  to: bigint,
  logs: { brought: number; wanted: number },
): bigint {
  const complete = to === asked.to
  const asWide = asked.to - asked.from + 1n >= width
  if (logs.brought > 1.5 * logs.wanted) {
    const narrower = width / BigInt(Math.max(2, Math.floor(logs.brought / logs.wanted)))
    return narrower > 1n ? narrower : 1n
  }
  if (complete && asWide && logs.brought < 0.6 * logs.wanted) return width * 2n < widestRead ? width * 2n : widestRead
  const taken = to - asked.from + 1n
  if (!complete && taken > 0n && taken < width) return width - (width % taken)
  return width
}
