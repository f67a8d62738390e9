import type { BlockRange } from '../../sync/blockRange.ts'
import type { WorkPriority } from '../../util/workPriority.ts'

/** Most blocks of a read, where a contract is quiet: all of most chains. The source reads less where nodes take less. */
export const widestRead = 100_000_000n

/** Logs that one read should bring: enough that calls cost little, few enough to keep memory flat (1.5 kB each while read). */
const logsPerRead = 8_000

/** The same while urgent work is late: parsing and decoding 8,000 holds the event loop for 25 to 40 ms. */
const leastLogsPerRead = 1_000

/** How many logs the next read should bring. */
export const wantedLogs = (workPriority: Pick<WorkPriority, 'size'>) => workPriority.size(logsPerRead, leastLogsPerRead)

/** The width grows by so much at most from one read to the next: what comes behind quiet blocks may be busy. */
const mostGrowth = 16

/**
 * Width of the next read, so that it brings about as many logs as are wanted. It grows after a read that brought few, and shrinks after one that
 * brought many. After a partial answer it is a multiple of what was read, so that no short remainder costs a request.
 */
export function nextWidth(
  width: bigint,
  asked: BlockRange,
  to: bigint,
  logs: { brought: number; wanted: number },
): bigint {
  const isComplete = to === asked.to
  const read = to - asked.from + 1n
  const factor = Math.min(mostGrowth, (0.75 * logs.wanted) / Math.max(1, logs.brought))
  const growth = BigInt(Math.max(1, Math.floor(factor)))
  if (logs.brought > 1.5 * logs.wanted) {
    const narrower = (read * BigInt(logs.wanted)) / BigInt(logs.brought)
    return narrower < 1n ? 1n : narrower < width ? narrower : width
  }
  if (!isComplete) return read > width ? width : read * growth < width ? read * growth : width - (width % read)
  if (read < width) return width
  const wider = width * growth
  return wider < widestRead ? wider : widestRead
}
