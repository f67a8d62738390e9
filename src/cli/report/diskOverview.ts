import type { Config } from '../../config/config.ts'
import { probeStorage } from '../../db/cluster/probeStorage.ts'
import type { Database } from '../../db/database.ts'
import { storageFault } from '../../util/faults/storageFault.ts'
import { readDiskRoom } from '../../util/files/diskReserve.ts'

export type DiskOverview = {
  dataDir: string
  /** Bytes free on its disk; null: there is no such folder. */
  free: number | null
  /** Why the database cannot write, or why that is not known; null: the database can write. */
  fault: string | null
}

/** Writes a little into the database, as only a write shows whether space is left. */
export async function readDiskOverview(db: Database, { dataDir }: Pick<Config, 'dataDir'>): Promise<DiskOverview> {
  const room = await readDiskRoom(dataDir)
  const fault = await probeStorage(db).then(
    () => null,
    (error: unknown) => {
      const storage = storageFault(error)
      if (storage) return storage.reason
      throw error
    },
  )
  return { dataDir, free: room?.free ?? null, fault }
}

export function describeDisk({ dataDir, free, fault }: DiskOverview): string[] {
  const room = free === null ? [] : [`disk: ${(free / 1e9).toFixed(1)} GB free below ${dataDir}`]
  return fault === null ? room : [...room, `writes fail: ${fault}`]
}
