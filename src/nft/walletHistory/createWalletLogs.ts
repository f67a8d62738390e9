import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { BlockRange } from '../../sync/blockRange.ts'
import type { Holder } from '../transfers/indexedLogs.ts'
import { positionOf } from '../transfers/position.ts'
import { filtersOf } from './walletTopics.ts'

/** Logs of wallets up to block `to`, in chain order. */
export type WalletLogs = { logs: RpcLog[]; to: bigint }

export type WalletLogReader = {
  /** All logs of the wallets in a range or a prefix of it. Ranges are consecutive. */
  read(range: BlockRange, signal: AbortSignal): Promise<WalletLogs>
}

/**
 * Reads logs of wallets by topics. If one filter's answer goes further than another's, the rest is buffered for the next range, so that no block is
 * requested twice.
 */
export function createWalletLogs(source: Pick<EvmSource, 'logs'>, wallets: readonly Holder[]): WalletLogReader {
  /** Buffered logs of each filter, up to block `to`. */
  const ahead = filtersOf(wallets).map((topics) => ({ topics, logs: [] as RpcLog[], to: -1n }))

  return {
    async read({ from, to }, signal) {
      await Promise.all(
        ahead.map(async (filter) => {
          if (filter.to >= from) return
          const answer = await source.logs({ topics: filter.topics, from, to }, signal)
          filter.logs = answer.logs
          filter.to = answer.to
        }),
      )
      const end = ahead.reduce((least, filter) => (filter.to < least ? filter.to : least), to)
      const isWithin = (entry: RpcLog) => BigInt(entry.blockNumber) <= end
      const found = ahead.flatMap(({ logs }) => logs.filter(isWithin))
      for (const filter of ahead) filter.logs = filter.logs.filter((entry) => !isWithin(entry))
      return { logs: inOrder(found), to: end }
    },
  }
}

/** Unique logs in chain order. */
export function inOrder(logs: readonly RpcLog[]): RpcLog[] {
  const byPosition = new Map(
    logs.map((entry) => [positionOf(Number(entry.blockNumber), Number(entry.logIndex)), entry] as const),
  )
  return [...byPosition].sort(([a], [b]) => a - b).map(([, entry]) => entry)
}
