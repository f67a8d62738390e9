import { knownChains } from '../src/chain/evm/chains.ts'
import type { ContractReader } from '../src/chain/evm/contracts/contract.ts'
import type { EvmSource } from '../src/chain/evm/source/source.ts'
import type { Database } from '../src/db/database.ts'
import { createMetrics } from '../src/metrics/metrics.ts'
import type { HistoryOptions, HistoryOutcome } from '../src/nft/index/history.ts'
import { readHistory } from '../src/nft/index/readHistory.ts'
import { noopLog } from '../src/util/log.ts'
import { createWorkPriority } from '../src/util/workPriority.ts'

/** Ethereum as a scripted chain. */
export const scriptedEth = { ...knownChains[0]!, name: 'eth', configured: false }

/** The properties that a test sets of the collection whose history is read. The default is an ERC-721 contract with nothing read yet. */
type HistoryOf = Omit<
  Parameters<typeof readHistory>[1],
  'chainId' | 'form' | 'coins' | 'status' | 'attempts' | 'toBlock' | 'wasLive'
>

/** A collection whose history is pending. */
export function historySubject<T extends HistoryOf>(collection: T) {
  const form = { standard: 'ERC721', idInData: false } as const
  return {
    chainId: scriptedEth.id,
    form,
    coins: false,
    status: 'syncing' as const,
    attempts: 0,
    toBlock: null,
    wasLive: false,
    ...collection,
  }
}

/** Reads the history of a collection in one time slice without a limit. No contract is called unless `contracts` is given. */
export function readWholeHistory(
  options: {
    db: Database
    source: EvmSource
    worker: number
    settings: Omit<HistoryOptions['settings'], 'coolOffMs'>
    /** Blocks of the first reads; unknown if omitted. */
    width?: number
  } & Partial<Pick<HistoryOptions, 'workPriority' | 'contracts' | 'decoding'>>,
  subject: Parameters<typeof readHistory>[1],
): Promise<HistoryOutcome> {
  const { db, source, worker, settings, workPriority = createWorkPriority(), decoding } = options
  const { contracts = {} as ContractReader } = options
  const widths = new Map(options.width === undefined ? [] : [[subject.id, BigInt(options.width)]])
  return readHistory(
    {
      chain: scriptedEth,
      source,
      contracts,
      db,
      worker: () => worker,
      settings: { ...settings, coolOffMs: 0 },
      widths,
      workPriority,
      metrics: createMetrics(),
      log: noopLog,
      ...(decoding && { decoding }),
    },
    subject,
    { isOver: () => false, signal: new AbortController().signal },
  )
}
