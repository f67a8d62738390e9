import type { Database } from '../../../db/database.ts'
import { streamPartition } from '../../../sync/partition.ts'
import type { StreamQuery } from '../../query.ts'
import { readDeliveries } from './readDeliveries.ts'
import { readLogItems } from './readLogItems.ts'
import { readAllStats, readStats, readStatsHistory } from './readStats.ts'

export function createStreamQuery({ db }: { db: Database }): StreamQuery {
  const keyOf = (streamId: string) => ({ partition: streamPartition(streamId), streamId })
  return {
    stats: (streamId) => readStats(db, keyOf(streamId)),
    allStats: () => readAllStats(db),
    async statsHistory(streamId, range) {
      if (!(await readStats(db, keyOf(streamId)))) return undefined
      return readStatsHistory(db, keyOf(streamId), range)
    },
    deliveries: (options) => readDeliveries(db, options),
    logs: (options) => readLogItems(db, options),
  }
}
