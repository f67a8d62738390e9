import type { AbiEvent, Hex } from 'viem'
import type { RpcLog } from '../../src/chain/evm/rpc/rpc.ts'
import { compileFilter } from '../../src/stream/match/compileFilter.ts'
import { eventShapes } from '../../src/stream/match/eventShape.ts'

/** A log with these topics and data. */
export function logOf(topics: readonly Hex[], data: Hex): RpcLog {
  return {
    address: '0x00000000000000000000000000000000000000cc',
    topics: [...topics],
    data,
    blockNumber: '0x1',
    blockHash: `0x${'1'.repeat(64)}`,
    transactionHash: `0x${'2'.repeat(64)}`,
    transactionIndex: '0x0',
    logIndex: '0x0',
  }
}

/** Whether a log of the event passes a filter on its arguments. */
export function passes(event: AbiEvent, log: RpcLog, filter: unknown): boolean {
  const [shape] = eventShapes([event])
  return compileFilter({ filter, shape: shape!, chainId: '0x1', at: 'filter' })(log)
}
