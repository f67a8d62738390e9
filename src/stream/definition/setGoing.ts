import type { Transaction } from '../../db/database.ts'
import { smaller } from '../../util/extremes.ts'
import { checkFromBlock } from './checkStream.ts'
import { laterOf } from './enterChains.ts'
import { moveWaiting, readUnfollowed, resumePlaces } from './pausePlaces.ts'
import { type HeldChain, recordChange, type StreamShape, shapeOf } from './streamChange.ts'
import type { StreamRow } from './streamStore.ts'

/** Where a stream continues: at its place, at the next block, or at these blocks by chain, by default at its place. */
export type ResumeAt = 'pause' | 'now' | ReadonlyMap<bigint, bigint>

/**
 * Continues a paused stream on its chains, which are locked. A change records the blocks that it skips. The place alone
 * does not suffice: a reorg may move it back, and then only the blocks from before the pause must be matched again.
 * Returns the first block on each chain where blocks are skipped; the caller records the stream's shape from there.
 * Throws BadRequestError for a block below its place, which may have been sent, or above the next one.
 */
export async function setGoing(
  tx: Transaction,
  held: ReadonlyMap<bigint, HeldChain>,
  stream: StreamRow,
  resumeAt: ResumeAt,
): Promise<Map<bigint, bigint>> {
  const skipTo = await skipsOf(tx, held, stream, resumeAt)
  const { partition, id: streamId } = stream
  const [before, after] = [shapeOf(stream), skippedShape(stream)]
  const skipFrom =
    skipTo.size > 0
      ? await recordChange(tx, held, { partition, streamId, chainIds: [...skipTo.keys()], before, after })
      : new Map<bigint, bigint>()
  // "now" is not below the last change: a stream that starts after a newer head keeps its start.
  const continueAt = resumeAt === 'now' ? laterOf(skipTo, skipFrom) : skipTo
  const skips = [...continueAt].map(([chainId, to]) => ({ chainId, from: skipFrom.get(chainId) ?? to, to }))
  await resumePlaces(tx, stream, skips)
  return continueAt
}

async function skipsOf(
  tx: Transaction,
  held: ReadonlyMap<bigint, HeldChain>,
  stream: StreamRow,
  resumeAt: ResumeAt,
): Promise<Map<bigint, bigint>> {
  if (resumeAt === 'pause') return new Map()
  if (resumeAt === 'now') return new Map([...held].map(([chainId, { next }]) => [chainId, next]))
  const places = await readUnfollowed(tx, stream)
  for (const [chainId, block] of resumeAt) {
    const place = places.get(chainId) ?? 0n
    const next = held.get(chainId)?.next ?? place
    checkFromBlock(chainId, block, { from: smaller(place, next), to: next })
  }
  const waiting = await moveWaiting(tx, stream, resumeAt)
  return new Map([...resumeAt].filter(([chainId, block]) => !waiting.has(chainId) && block !== places.get(chainId)))
}

/** The shape of a stream for blocks that it skips. */
export function skippedShape(stream: StreamRow): StreamShape {
  return { ...shapeOf(stream), active: false }
}
