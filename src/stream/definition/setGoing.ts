import type { Transaction } from '../../db/database.ts'
import { larger } from '../../util/extremes.ts'
import { checkFromBlock } from './checkStream.ts'
import { moveWaiting, readUnfollowed, resumePlaces } from './pausePlaces.ts'
import { type HeldChain, recordChange, type StreamShape, shapeOf } from './streamChange.ts'
import type { StreamRow } from './streamStore.ts'

/** Where a stream goes on: with its place, with the next block, or with these blocks of some of its chains. */
export type ResumeAt = 'pause' | 'now' | ReadonlyMap<bigint, bigint>

/**
 * Sets a stream that stands on its chains, which are held, going. Nothing is wanted of the blocks up to where it goes on. That
 * stands in the changes, not only in its place: a reorganisation may set that back, and what the stream had before the pause is
 * matched again then. Answers the blocks of those chains; what the stream is from there on is still to be recorded. Throws
 * BadRequestError for a block below its place, which may have been told of, or after the next.
 */
export async function setGoing(
  tx: Transaction,
  held: ReadonlyMap<bigint, HeldChain>,
  stream: StreamRow,
  resumeAt: ResumeAt,
): Promise<Map<bigint, bigint>> {
  const skipTo = await skipsOf(tx, held, stream, resumeAt)
  if (skipTo.size > 0) {
    const { partition, id: streamId } = stream
    const [before, after] = [shapeOf(stream), skippedShape(stream)]
    await recordChange(tx, held, { partition, streamId, chainIds: [...skipTo.keys()], before, after })
  }
  await resumePlaces(tx, stream, skipTo)
  return skipTo
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
    const from = places.get(chainId) ?? 0n
    const next = held.get(chainId)?.next ?? from
    checkFromBlock(chainId, block, { from, to: larger(next, from) })
  }
  const waiting = await moveWaiting(tx, stream, resumeAt)
  return new Map([...resumeAt].filter(([chainId, block]) => !waiting.has(chainId) && block !== places.get(chainId)))
}

/** Of blocks that a stream does not want. */
export function skippedShape(stream: StreamRow): StreamShape {
  return { ...shapeOf(stream), active: false }
}
