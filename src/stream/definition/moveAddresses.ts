import type { Transaction } from '../../db/database.ts'
import { larger } from '../../util/extremes.ts'
import { bufferToHex, hexToBuffer } from '../../util/hex.ts'
import { checkAddedHistory, checkFromBlock } from './checkStream.ts'
import { insertAddition } from './streamAddition.ts'
import { insertAddresses, packAddresses, removeAddresses } from './streamAddresses.ts'
import { readBeginnings } from './streamChain.ts'
import { type FreshHeads, holdChains, recordChange } from './streamChange.ts'
import { fillSince, readSince, releaseSince, reserveSince, type SinceGroup, writeSince } from './streamSince.ts'
import { readFormerChains, type StreamRow } from './streamStore.ts'
import { beginWatching, endWatching } from './watchedSpans.ts'

type Move = {
  /** Unique, in lower case. */
  addresses: readonly string[]
  heads: FreshHeads
  /** First block of the history of added addresses, by chain. */
  fromBlocks?: ReadonlyMap<bigint, bigint>
}

/**
 * With at least so many addresses, their rows are complete before the chains are locked. For 100,000 the chains are then
 * locked for 50 ms instead of 700 ms, in which no block can be followed. Fewer share a row of first blocks with others.
 */
const manyAddresses = 1_000

/**
 * Adds addresses to a stream, whose row is locked. Returns the first block of each chain at which they are watched.
 * `fromBlocks` requests their history; default: the history of the stream. The missing history becomes an addition,
 * which `additionSlice` reads. Throws BadRequestError for unavailable history.
 */
export async function addAddresses(
  tx: Transaction,
  stream: StreamRow,
  { addresses, heads, fromBlocks = new Map() }: Move,
): Promise<Map<bigint, bigint>> {
  const { partition, id: streamId, chainIds } = stream
  const requesting = fromBlocks.size > 0
  const known = requesting ? await readSince(tx, stream, addresses.map(hexToBuffer)) : { groups: [], removed: [] }
  const former = await readFormerChains(tx, stream)
  if (requesting) checkAddedHistory(stream, fromBlocks, former, known.removed.map(bufferToHex))
  const reserved = addresses.length >= manyAddresses ? await reserveSince(tx, stream) : undefined
  const { fresh, returned } = await insertAddresses(tx, stream, addresses, reserved)
  if (reserved !== undefined && fresh.length === 0) await releaseSince(tx, stream, reserved)
  const placed = await placedChains(tx, stream)
  const held = await holdChains(tx, placed, heads)
  const added = packAddresses([...returned, ...fresh])
  const effective = await recordChange(tx, held, { partition, streamId, chainIds: placed, added })
  const beginnings = await readBeginnings(tx, stream)
  /** The block of each chain at which the stream starts matching the new addresses. */
  const watched = new Map([...effective].map(([id, block]) => [id, larger(block, beginnings.get(id)?.fromBlock ?? 0n)]))
  await beginWatching(tx, { partition, streamId }, returned, watched)
  for (const [id, block] of fromBlocks) checkFromBlock(id, block, { from: 0n, to: watched.get(id) ?? block })
  const after = new Map([...watched].filter(([id, block]) => block !== beginnings.get(id)?.fromBlock))
  const past = new Map(fromBlocks)
  if (!stream.definition.allAddresses)
    for (const [id, { fromBlock, requested }] of beginnings)
      if (requested && chainIds.includes(id) && !former.includes(id) && !past.has(id)) past.set(id, fromBlock)

  async function readPast(
    { since, addresses: own }: SinceGroup,
    blocks: ReadonlyMap<bigint, bigint>,
  ): Promise<boolean> {
    const earlier = [...blocks].filter(([id, block]) => block < (since.get(id) ?? beginnings.get(id)?.fromBlock ?? 0n))
    for (const [chainId, nextBlock] of earlier) {
      const toBlock = since.get(chainId) ?? beginnings.get(chainId)!.fromBlock
      await insertAddition(tx, { partition, streamId }, { chainId, nextBlock, toBlock, addresses: own })
    }
    const reported = new Map([...since, ...earlier])
    if (own === fresh && reserved !== undefined) await fillSince(tx, stream, reserved, reported)
    else if (reported.size > 0) await writeSince(tx, stream, { since: reported, addresses: own })
    return earlier.length > 0
  }

  for (const group of known.groups) await readPast(group, fromBlocks)
  const read = fresh.length > 0 && (await readPast({ since: after, addresses: fresh }, past))
  const answered = [...past].filter(([id, block]) => fromBlocks.has(id) || (read && block < watched.get(id)!))
  // A stream may begin later than the change: above the next block, or above a block that a reorg removed.
  return new Map([...watched, ...answered].filter(([id]) => chainIds.includes(id)))
}

/** Removes addresses from a stream, whose row is locked. Returns the first block of each chain without them. */
export async function dropAddresses(
  tx: Transaction,
  stream: StreamRow,
  { addresses, heads }: Move,
): Promise<Map<bigint, bigint>> {
  const { partition, id: streamId, chainIds } = stream
  const placed = await placedChains(tx, stream)
  const held = await holdChains(tx, placed, heads)
  const removed = await removeAddresses(tx, stream, addresses)
  const change = { partition, streamId, chainIds: placed, removed: packAddresses(removed) }
  const effective = await recordChange(tx, held, change)
  await endWatching(tx, { partition, streamId }, removed, effective)
  return new Map([...effective].filter(([id]) => chainIds.includes(id)))
}

/** Chains of a stream, and former ones where it still has a place: it may return before the place is deleted. */
async function placedChains(tx: Transaction, stream: StreamRow): Promise<bigint[]> {
  const beginnings = await readBeginnings(tx, stream)
  return [...new Set([...stream.chainIds, ...beginnings.keys()])]
}
