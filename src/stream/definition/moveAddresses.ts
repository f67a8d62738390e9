import type { Transaction } from '../../db/database.ts'
import { insertAdditions } from './streamAddition.ts'
import { insertAddresses, packAddresses, removeAddresses } from './streamAddresses.ts'
import { type FreshHeads, holdChains, recordChange } from './streamChange.ts'
import type { StreamRow } from './streamStore.ts'
import { beginWatching, endWatching } from './watchedSpans.ts'

/**
 * Adds addresses to a stream, which is held, and answers the first block of each chain that this holds for: where history was
 * asked for and has begun, that of addresses that are new to the stream is read apart, from the same block on.
 */
export async function addAddresses(
  tx: Transaction,
  stream: StreamRow,
  { addresses, heads }: { addresses: readonly string[]; heads: FreshHeads },
): Promise<Map<bigint, bigint>> {
  const { partition, id: streamId, chainIds } = stream
  const { fresh, returned } = await insertAddresses(tx, stream, addresses)
  const held = await holdChains(tx, chainIds, heads)
  const effective = await recordChange(tx, held, {
    partition,
    streamId,
    chainIds,
    added: packAddresses([...returned, ...fresh]),
  })
  await beginWatching(tx, { partition, streamId }, returned, effective)
  const past = await insertAdditions(tx, { partition, streamId }, fresh, effective)
  return new Map([...effective, ...past])
}

/** Removes addresses from a stream, which is held, and answers the first block of each chain in which they are not watched. */
export async function dropAddresses(
  tx: Transaction,
  stream: StreamRow,
  { addresses, heads }: { addresses: readonly string[]; heads: FreshHeads },
): Promise<Map<bigint, bigint>> {
  const { partition, id: streamId, chainIds } = stream
  const removed = await removeAddresses(tx, stream, addresses)
  const held = await holdChains(tx, chainIds, heads)
  const effective = await recordChange(tx, held, { partition, streamId, chainIds, removed: packAddresses(removed) })
  await endWatching(tx, { partition, streamId }, removed, effective)
  return effective
}
