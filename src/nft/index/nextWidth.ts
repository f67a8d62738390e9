import { mostGrowth } from '../../chain/evm/source/logWidth.ts'
import type { BlockRange } from '../../sync/blockRange.ts'
import type { WorkPriority } from '../../util/workPriority.ts'

/** Most blocks of a read for a quiet contract: all blocks of most chains. The source reads less if nodes allow less. */
export const widestRead = 100_000_000n

/** Target of logs per read: enough that calls cost little, few enough for low memory (1.5 kB each while read). */
const logsPerRead = 8_000

/** The target while urgent work is late: parsing and decoding 8,000 logs blocks the event loop for 25 to 40 ms. */
const leastLogsPerRead = 1_000

/** Target of logs for the next read. */
export const wantedLogs = (workPriority: Pick<WorkPriority, 'size'>) => workPriority.size(logsPerRead, leastLogsPerRead)

/**
 * Width of the next read for about the target of logs. Grows after a read with few logs, shrinks after one with many.
 * After a partial answer it is a multiple of the read width, so that no short remainder costs a request.
 */
export function nextWidth(
  width: bigint,
  requested: BlockRange,
  to: bigint,
  logs: { brought: number; wanted: number },
): bigint {
  const isComplete = to === requested.to
  const read = to - requested.from + 1n
  const factor = Math.min(mostGrowth, (0.75 * logs.wanted) / Math.max(1, logs.brought))
  const growth = BigInt(Math.max(1, Math.floor(factor)))
  if (logs.brought > 1.5 * logs.wanted) {
    const narrower = (read * BigInt(logs.wanted)) / BigInt(logs.brought)
    return narrower < 1n ? 1n : narrower < width ? narrower : width
  }
  if (isComplete ? read < width : read > width) return width
  const wider = (read < width ? read : width) * growth
  return wider < widestRead ? wider : widestRead
}
