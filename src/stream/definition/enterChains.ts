import type { Transaction } from '../../db/database.ts'
import { insertStreamChain } from './streamChain.ts'
import type { HeldChain } from './streamChange.ts'
import { isMatched, type StreamRow } from './streamStore.ts'

/**
 * Puts a stream on new chains, which are locked. It begins at the block in `fromBlocks`, as history if that is below
 * the next block; default: the next block. Must be called before the change is recorded, which then applies from the
 * same block.
 */
export async function enterChains(
  tx: Transaction,
  stream: StreamRow,
  chains: readonly HeldChain[],
  fromBlocks: ReadonlyMap<bigint, bigint>,
): Promise<void> {
  for (const { id: chainId, cursor, next } of chains) {
    const fromBlock = fromBlocks.get(chainId) ?? next
    const waiting = fromBlock < next
    const behind = waiting || cursor === null ? 'history' : 'live'
    const state = isMatched(stream.status) ? behind : 'paused'
    const headFrom = waiting ? next : 0n
    await insertStreamChain(tx, stream, { chainId, state, fromBlock, waiting, headFrom })
  }
}

/** First blocks of a change, raised to those in `fromBlocks`. */
export function laterOf(
  effective: ReadonlyMap<bigint, bigint>,
  fromBlocks: ReadonlyMap<bigint, bigint>,
): Map<bigint, bigint> {
  const blocks = new Map(effective)
  for (const [chainId, block] of fromBlocks) if (block > (effective.get(chainId) ?? block)) blocks.set(chainId, block)
  return blocks
}
