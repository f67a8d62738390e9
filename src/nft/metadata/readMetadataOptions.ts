import type { Database } from '../../db/database.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import type { Log } from '../../util/log.ts'
import type { Waker } from '../../util/wait.ts'
import type { Origins } from './fetchDocument.ts'

export type MetadataSettings = {
  /** Collections worked on at once. */
  concurrentCollections: number
  /** Documents of one collection fetched at once. */
  concurrentDocuments: number
  retryDelaysMs: readonly number[]
  /** A token that was read is left alone for so long at least, whatever its contract announces. */
  coolOffMs: number
}

export type ReadMetadataOptions = {
  chains: OpenChains
  leases: Leases
  db: Database
  origins: Origins
  settings: MetadataSettings
  metrics: Metrics
  log: Log
  /** True while requests need all the time of this process. */
  isBusy: () => boolean
  /** Documents in a second while it is. */
  busyRate?: () => number
  /** Documents waited so many milliseconds while it was. */
  onWaited?: (ms: number) => void
  waker: Waker
  signal: AbortSignal
}
