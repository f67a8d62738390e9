import type { Header, RpcLog } from '../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../chain/evm/source/source.ts'
import { mapAtOnce } from '../util/mapAtOnce.ts'
import { shareOnce } from '../util/shareCalls.ts'
import type { FollowedBlock } from './blockHandler.ts'

/** Logs of a block to read: the options of `EvmSource.blockLogs`. */
export type WantedLogs = Parameters<EvmSource['blockLogs']>[1]

/** Every log of a block. Its bloom filter shows whether all are there, so no watched contracts are needed. */
export const everyLog: WantedLogs = { topics: [], watched: () => false, watchedList: () => [] }

/** Blocks read in parallel. */
const readsAtOnce = 16

/**
 * Reads blocks with the wanted logs of each, in the order of the headers. Further parts of a block are read on first request; a failed read is
 * retried at the next request.
 */
export async function readBlocks(options: {
  source: EvmSource
  headers: readonly Header[]
  /** undefined: no logs of this block are read. */
  wanted: (header: Header) => WantedLogs | undefined
  /** Whether a block can still be undone; omitted: none can. */
  undoable?: (header: Header) => boolean
  signal: AbortSignal
}): Promise<FollowedBlock[]> {
  const { source, headers, wanted, undoable = () => false, signal } = options
  return mapAtOnce(headers, readsAtOnce, async (header) => {
    const requested = wanted(header)
    const logs: RpcLog[] = requested ? await source.blockLogs(header, requested, signal) : []
    return {
      header,
      logs,
      undoable: undoable(header),
      transactions: shareOnce(() => source.transactions(header, signal)),
      receipts: shareOnce(() => source.receipts(header, signal)),
      internalTransfers: shareOnce(() => source.internalTransfers(header, signal)),
      balances: (addresses) => source.balances(header, addresses, signal),
    }
  })
}
