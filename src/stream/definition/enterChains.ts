import type { Transaction } from '../../db/database.ts'
import { insertStreamChain } from './streamChain.ts'
import type { HeldChain } from './streamChange.ts'
import { isMatched, type StreamRow } from './streamStore.ts'

/**
 * Puts a stream on chains that are new to it, which are locked. It begins with the block that `fromBlocks` names, as history where
 * that is below the next block, or else with the next block. Call it before the change is recorded, which then holds from the same
 * block on.
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

/** The blocks from which on a change holds: a later block that `fromBlocks` names counts. */
export function laterOf(
  effective: ReadonlyMap<bigint, bigint>,
  fromBlocks: ReadonlyMap<bigint, bigint>,
): Map<bigint, bigint> {
  const blocks = new Map(effective)
  for (const [chainId, block] of fromBlocks) if (block > (effective.get(chainId) ?? block)) blocks.set(chainId, block)
  return blocks
}
