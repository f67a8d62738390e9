import type { Transaction } from '../../db/database.ts'
import { streamChanged } from '../ledger/streamState.ts'
import { insertStreamChain } from './streamChain.ts'
import { type FreshHeads, holdChains, recordChange, shapeOf } from './streamChange.ts'
import { type StreamRow, updateStream } from './streamStore.ts'

/** Stores a changed stream and answers from which block of each of its chains on it holds. */
export async function changeStream(
  tx: Transaction,
  change: { before: StreamRow; after: StreamRow; heads: FreshHeads },
): Promise<Map<bigint, bigint>> {
  const { before, after, heads } = change
  await updateStream(tx, after)
  const chainIds = [...new Set([...before.chainIds, ...after.chainIds])]
  const held = await holdChains(tx, chainIds, heads)
  const { partition, id: streamId } = after
  const effective = await recordChange(tx, held, {
    partition,
    streamId,
    chainIds,
    before: shapeOf(before),
    after: shapeOf(after),
  })
  for (const chainId of after.chainIds) {
    if (before.chainIds.includes(chainId)) continue
    const state = held.get(chainId)?.cursor === null ? 'history' : 'live'
    await insertStreamChain(tx, after, { chainId, state, fromBlock: effective.get(chainId) ?? 0n })
  }
  await streamChanged(tx, after)
  return effective
}
