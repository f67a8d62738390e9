import type { Header, RpcLog } from '../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../chain/evm/source/source.ts'
import type { FollowedBlock } from './blockHandler.ts'

/** A block whose further parts are read when they are first asked for; what failed is read again when asked again. */
export function followedBlock(options: {
  source: EvmSource
  header: Header
  logs: readonly RpcLog[]
  undoable: boolean
  signal: AbortSignal
}): FollowedBlock {
  const { source, header, logs, undoable, signal } = options
  return {
    header,
    logs,
    undoable,
    transactions: once(() => source.transactions(header, signal)),
    receipts: once(() => source.receipts(header, signal)),
    internalTransfers: once(() => source.internalTransfers(header, signal)),
    balances: (addresses) => source.balances(header, addresses, signal),
  }
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  return () => {
    value ??= read().catch((error: unknown) => {
      value = undefined
      throw error
    })
    return value
  }
}
