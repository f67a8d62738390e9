import type { Database } from '../../db/database.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import type { Log } from '../../util/log.ts'
import type { Waker } from '../../util/wait.ts'
import type { Origins } from './fetchMetadata.ts'
import type { MetadataSettings } from './metadataSettings.ts'

export type ReadMetadataOptions = {
  chains: OpenChains
  leases: Leases
  db: Database
  origins: Origins
  settings: Omit<MetadataSettings, 'concurrentMedia' | 'refreshAfterMs'>
  metrics: Metrics
  log: Log
  /** True while requests need all time of this process. */
  isBusy: () => boolean
  /** Tokens per second while `isBusy`. */
  busyRate?: () => number
  /** Called with the milliseconds that reading waited while `isBusy`. */
  onWaited?: (ms: number) => void
  waker: Waker
  signal: AbortSignal
}
