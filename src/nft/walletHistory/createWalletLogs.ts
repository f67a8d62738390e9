import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { BlockRange } from '../../sync/blockRange.ts'
import type { Holder } from '../transfers/indexedLogs.ts'
import { positionOf } from '../transfers/position.ts'
import { filtersOf } from './walletTopics.ts'

/** Logs of wallets up to block `to`, in the order of the chain. */
export type WalletLogs = { logs: RpcLog[]; to: bigint }

export type WalletLogReader = {
  /** All logs of a range or of a prefix of it that are of the wallets. Ranges follow each other. */
  read(range: BlockRange, signal: AbortSignal): Promise<WalletLogs>
}

/**
 * Reads logs of wallets by topics. If the answer of one filter goes further than that of another, the rest is kept for the next range, so that no
 * block is requested twice.
 */
export function createWalletLogs(source: Pick<EvmSource, 'logs'>, wallets: readonly Holder[]): WalletLogReader {
  /** Of each filter the logs that no range has had yet, up to block `to`. */
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

/** Logs in the order of the chain, each once. */
export function inOrder(logs: readonly RpcLog[]): RpcLog[] {
  const byPosition = new Map(
    logs.map((entry) => [positionOf(Number(entry.blockNumber), Number(entry.logIndex)), entry] as const),
  )
  return [...byPosition].sort(([a], [b]) => a - b).map(([, entry]) => entry)
}
