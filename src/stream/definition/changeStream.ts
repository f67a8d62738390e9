import type { Transaction } from '../../db/database.ts'
import type { ResumeFrom } from '../demand.ts'
import { probeSoon, streamChanged } from '../ledger/streamState.ts'
import { type Notice, writeNotices } from '../operations/notices.ts'
import { pausePlaces, resumePlaces } from './pausePlaces.ts'
import { insertStreamChain } from './streamChain.ts'
import { type FreshHeads, type HeldChain, holdChains, recordChange, type StreamShape, shapeOf } from './streamChange.ts'
import { isMatched, type StreamRow, updateStream } from './streamStore.ts'

/**
 * Stores a changed stream and answers from which block of each of its chains on it holds. Where the new status ends or begins
 * matching, the stream keeps its place, or goes on from there.
 */
export async function changeStream(
  tx: Transaction,
  change: { before: StreamRow; after: StreamRow; heads: FreshHeads; resumeFrom?: ResumeFrom },
): Promise<Map<bigint, bigint>> {
  const { before, after, heads, resumeFrom = 'pause' } = change
  await updateStream(tx, after)
  const chainIds = [...new Set([...before.chainIds, ...after.chainIds])]
  const held = await holdChains(tx, chainIds, heads)
  const { partition, id: streamId } = after
  const ends = isMatched(before.status) && !isMatched(after.status)
  const begins = !isMatched(before.status) && isMatched(after.status)
  if (ends) await pausePlaces(tx, held, after)
  const skips = begins && resumeFrom === 'now'
  if (skips) await skipPause(tx, held, before)
  else if (begins) await resumePlaces(tx, after)
  const effective = await recordChange(tx, held, {
    partition,
    streamId,
    chainIds,
    before: skips ? skippedShape(before) : shapeOf(before),
    after: shapeOf(after),
  })
  for (const chainId of after.chainIds) {
    if (before.chainIds.includes(chainId)) continue
    const followed = held.get(chainId)?.cursor === null ? 'history' : 'live'
    const state = isMatched(after.status) ? followed : 'paused'
    await insertStreamChain(tx, after, { chainId, state, fromBlock: effective.get(chainId) ?? 0n })
  }
  if (after.webhookUrl !== before.webhookUrl && after.status === 'error') await probeSoon(tx, after)
  if (after.status !== before.status) await writeNotices(tx, [noticeOf(after)], new Date())
  await streamChanged(tx, after)
  return effective
}

const noticeTypes = {
  active: 'stream.resumed',
  paused: 'stream.paused',
  error: 'stream.error',
  terminated: 'stream.terminated',
} as const

function noticeOf({ id: streamId, tag, status, statusMessage }: StreamRow): Notice {
  return { type: noticeTypes[status], data: { streamId, tag, statusMessage } }
}

/**
 * Nothing is wanted of the blocks since the stream was paused. It stands in the changes, not only in its place: a reorganisation
 * may set that back, and what the stream had before the pause is matched again then.
 */
async function skipPause(tx: Transaction, held: ReadonlyMap<bigint, HeldChain>, stream: StreamRow): Promise<void> {
  const { partition, id: streamId, chainIds } = stream
  const [before, after] = [shapeOf(stream), skippedShape(stream)]
  await recordChange(tx, held, { partition, streamId, chainIds, before, after })
  await resumePlaces(tx, stream, new Map([...held].map(([chainId, { next }]) => [chainId, next])))
}

function skippedShape(stream: StreamRow): StreamShape {
  return { ...shapeOf(stream), active: false }
}
