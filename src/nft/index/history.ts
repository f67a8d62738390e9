import type { EvmChain } from '../../chain/evm/chains.ts'
import type { ContractReader } from '../../chain/evm/contracts/contract.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { Database } from '../../db/database.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { MintmarkError } from '../../util/errors.ts'
import type { Log } from '../../util/log.ts'
import type { WorkPriority } from '../../util/workPriority.ts'
import type { DecodeThreads } from './createDecodeThreads.ts'

export type HistoryOptions = {
  chain: EvmChain
  source: EvmSource
  contracts: ContractReader
  db: Database
  /** Id of this worker; undefined if it no longer serves the collection. */
  worker: () => number | undefined
  /** `coolOffMs`: metadata is not read again within this time, whatever its contract announces. */
  settings: { rangesInFlight: number; maxTokens: number; coolOffMs: number }
  /** Width of the last read of each collection, with which the next slice begins. */
  widths: { get(collection: bigint): bigint | undefined; set(collection: bigint, width: bigint): unknown }
  workPriority: Pick<WorkPriority, 'schedule' | 'size'>
  metrics: Metrics
  log: Log
  /** Threads that decode node responses; default: this thread. */
  decoding?: Omit<DecodeThreads, 'close'>
}

/** Result of a time slice. */
export type HistoryOutcome = 'complete' | 'over' | 'undecided'

/** Another worker or the follower now has the collection: the result is not stored. Not a failure. */
export class SliceLostError extends MintmarkError {
  readonly code = 'TURN_LOST'
}
