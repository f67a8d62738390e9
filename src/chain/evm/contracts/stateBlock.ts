import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from '../../../util/hex.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { RpcError } from '../rpc/rpcError.ts'

export type StateBlockOptions = {
  rpc: Rpc
  /** Lowest block to query, so a node that lags behind it returns no state. */
  since?: bigint | undefined
  signal?: AbortSignal | undefined
}

/** Nodes keep the states of at least the last 128 blocks; some briefly lack those of the newest ones. */
const nearBlocks = 32n

/**
 * The block whose state is queried: `since` if the head is near it, as more nodes have that block; otherwise the head. Never `latest`: at a lagging
 * node that is an earlier block, whose views may return values from before an update.
 */
export async function findStateBlock({ rpc, since, signal }: StateBlockOptions): Promise<bigint> {
  const head = BigInt(await rpc.call<Hex>('eth_blockNumber', [], signal && { signal }))
  return since !== undefined && head - since <= nearBlocks ? since : head
}

/** Pauses before a call is repeated, in milliseconds; after them a lagging node has the block. */
export const statePausesMs = [250, 1_000]

/** Result of `request`; retries after each pause while no node has the block. */
export async function requestWithState<T>(request: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (const pauseMs of statePausesMs) {
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof RpcError && lacksState(error))) throw error
    }
    await sleep(pauseMs, undefined, signal && { signal })
  }
  return request()
}

/** Whether the node lacks the requested block or its state. */
export function lacksState({ class: fault }: RpcError): boolean {
  return fault === 'beyond_head' || fault === 'pruned'
}

/** Whether an error is about the request; every other error is about the requested state. */
export function isPassing(error: RpcError): boolean {
  return error.rpcCode === undefined || error.class === 'rate_limit' || error.class === 'overload'
}
