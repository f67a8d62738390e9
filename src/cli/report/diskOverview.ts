import type { Config } from '../../config/config.ts'
import { probeStorage } from '../../db/cluster/probeStorage.ts'
import type { Database } from '../../db/database.ts'
import { storageFault } from '../../util/faults/storageFault.ts'
import { readDiskSpace } from '../../util/files/diskReserve.ts'

export type DiskOverview = {
  dataDir: string
  /** Free bytes on its disk; null: the folder does not exist. */
  free: number | null
  /** Why the database cannot write, or why that is unknown; null: it can write. */
  fault: string | null
}

/** Tests with a small write, as only that shows whether the database has space. */
export async function readDiskOverview(db: Database, { dataDir }: Pick<Config, 'dataDir'>): Promise<DiskOverview> {
  const space = await readDiskSpace(dataDir)
  const fault = await probeStorage(db).then(
    () => null,
    (error: unknown) => {
      const storage = storageFault(error)
      if (storage) return storage.reason
      throw error
    },
  )
  return { dataDir, free: space?.free ?? null, fault }
}

export function describeDisk({ dataDir, free, fault }: DiskOverview): string[] {
  const space = free === null ? [] : [`disk: ${(free / 1e9).toFixed(1)} GB free below ${dataDir}`]
  return fault === null ? space : [...space, `writes fail: ${fault}`]
}
