import type { Transaction } from '../../db/database.ts'
import { probeSoon, streamChanged } from '../ledger/streamState.ts'
import { type OperationalWebhook, writeOperationalWebhooks } from '../operational/operationalWebhooks.ts'
import { checkNewChains } from './checkStream.ts'
import { enterChains, laterOf } from './enterChains.ts'
import { pausePlaces, readUnfollowed } from './pausePlaces.ts'
import { type ResumeAt, setGoing, skippedShape } from './setGoing.ts'
import { type FreshHeads, type HeldChain, holdChains, recordChange, shapeOf } from './streamChange.ts'
import { isMatched, removeChains, type StreamRow, updateStream } from './streamStore.ts'

const noBlocks: ReadonlyMap<bigint, bigint> = new Map()

export type StreamUpdate = {
  before: StreamRow
  after: StreamRow
  heads: FreshHeads
  /** Where a stream that becomes active continues; default: at its place. */
  resumeAt?: ResumeAt
  /** First block of history on chains that the stream adds. */
  fromBlocks?: ReadonlyMap<bigint, bigint>
}

/**
 * Stores a changed stream. Returns the first block of the change for each of its chains. If matching ends, the stream
 * keeps its place; if it begins, the stream continues at `resumeAt`. Throws BadRequestError for blocks at which the
 * stream cannot begin or continue.
 */
export async function changeStream(tx: Transaction, update: StreamUpdate): Promise<Map<bigint, bigint>> {
  const { before, after, heads, resumeAt = 'pause', fromBlocks = noBlocks } = update
  await updateStream(tx, after)
  const held = await holdChains(tx, [...new Set([...before.chainIds, ...after.chainIds])], heads)
  const ends = isMatched(before.status) && !isMatched(after.status)
  const begins = !isMatched(before.status) && isMatched(after.status)
  if (ends) await pausePlaces(tx, held, after)
  const places = begins ? await readUnfollowed(tx, before) : noBlocks
  const skipTo = begins ? await setGoing(tx, held, before, resumeAt) : noBlocks
  await changeChains(tx, held, update)
  const effective = laterOf(await recordShape(tx, held, update, { places, skipTo }), fromBlocks)
  if (after.webhookUrl !== before.webhookUrl && after.status === 'error') await probeSoon(tx, after)
  if (after.status !== before.status) await writeOperationalWebhooks(tx, [operationalWebhookOf(after)], new Date())
  await streamChanged(tx, after)
  return effective
}

/** Chains that an update adds, and that the stream never had. `former`: all chains that it ever left. */
export function newChains(
  { before, after }: Pick<StreamUpdate, 'before' | 'after'>,
  former: readonly bigint[],
): bigint[] {
  return after.chainIds.filter((chainId) => !before.chainIds.includes(chainId) && !former.includes(chainId))
}

async function changeChains(
  tx: Transaction,
  held: ReadonlyMap<bigint, HeldChain>,
  { before, after, fromBlocks = noBlocks }: StreamUpdate,
): Promise<void> {
  const added = after.chainIds.filter((chainId) => !before.chainIds.includes(chainId))
  const removed = before.chainIds.filter((chainId) => !after.chainIds.includes(chainId))
  if (added.length + removed.length + fromBlocks.size === 0) return
  checkNewChains(fromBlocks, newChains({ before, after }, await removeChains(tx, after, removed)))
  const entered = added.flatMap((chainId) => held.get(chainId) ?? [])
  await enterChains(tx, after, entered, fromBlocks)
}

/**
 * Records the stream's new shape. On chains where the stream skips blocks (`skipTo`), the shape applies from the block
 * at which it continues. Where it continues at its place (`places`), it applies from there, so that later changes can
 * apply to unmatched blocks.
 */
async function recordShape(
  tx: Transaction,
  held: ReadonlyMap<bigint, HeldChain>,
  { before, after }: StreamUpdate,
  { places, skipTo }: Record<'places' | 'skipTo', ReadonlyMap<bigint, bigint>>,
): Promise<Map<bigint, bigint>> {
  const { partition, id: streamId } = after
  const common = { partition, streamId, after: shapeOf(after) }
  const skipping = [...skipTo.keys()]
  const others = [...held.keys()].filter((chainId) => !skipTo.has(chainId))
  const plain =
    skipping.length > 0 && others.length === 0
      ? noBlocks
      : await recordChange(tx, held, { ...common, chainIds: others, before: shapeOf(before), from: places })
  if (skipping.length === 0) return new Map(plain)
  const skipped = { ...common, chainIds: skipping, before: skippedShape(before), from: skipTo }
  return new Map([...plain, ...(await recordChange(tx, held, skipped))])
}

const operationalTypes = {
  active: 'stream.resumed',
  paused: 'stream.paused',
  error: 'stream.error',
  terminated: 'stream.terminated',
} as const

/** The operational webhook of a stream whose status changed, or that was not created as active. */
export function operationalWebhookOf({ id: streamId, tag, status, statusMessage }: StreamRow): OperationalWebhook {
  return { type: operationalTypes[status], data: { streamId, tag, statusMessage } }
}
