import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { probeStorage } from '../db/cluster/probeStorage.ts'
import type { Database } from '../db/database.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { PreviewStore } from '../nft/media/blobs/previewStore.ts'
import { run } from '../sync/run.ts'
import { describeError } from '../util/errors.ts'
import { type StorageFault, storageFault } from '../util/faults/storageFault.ts'
import { readDiskSpace } from '../util/files/diskReserve.ts'
import type { Log } from '../util/log.ts'

/** Knows whether this process can write to its disks. */
export type Disks = {
  /** Called with every error of the database and of files; keeps those that mean that data cannot be written. */
  observe(error: unknown): void
  /** A preview store whose errors are observed. */
  observed(store: PreviewStore): PreviewStore
  /** Why disks cannot be written now, as readable text; empty: all can. */
  faults(): string[]
  /** Adds a function that `watch` calls repeatedly to keep the reserve of a disk free; false: it could not. The last added one is called first. */
  keeps(keepReserve: () => Promise<boolean>): void
  /** Checks repeatedly whether a disk with an error, or an almost full one, can be written. Ends with the signal. */
  watch(options: { db: Database; signal: AbortSignal }): Promise<void>
}

/** Pause between two checks of the disks. */
const watchMs = 2_000

/** Free bytes below which every check tries to write. */
const littleBytes = 64 * 1_048_576

const probeBytes = 1_048_576

type Disk = StorageFault['disk']

/** `embedded`: the database keeps its tables below `dataDir` too. */
export function createDisks(options: {
  dataDir: string
  embedded: boolean
  metrics: Pick<Metrics, 'diskFault'>
  log: Log
}): Disks {
  const { dataDir, embedded, metrics, log } = options
  const known = new Map<Disk, string>()
  const keepers: (() => Promise<boolean>)[] = []
  let isShort = false
  for (const disk of ['database', 'files'] as const) metrics.diskFault.set({ disk }, 0)

  function observe(error: unknown): void {
    const fault = storageFault(error)
    if (!fault) return
    const { disk, reason } = fault
    if (known.get(disk) !== reason) log.error({ disk, dataDir, reason, err: error }, 'disk writes failed')
    known.set(disk, reason)
    metrics.diskFault.set({ disk }, 1)
  }

  async function look(disk: Disk, isNear: boolean, probe: () => Promise<void>): Promise<void> {
    if (!isNear && !known.has(disk)) return
    try {
      await probe()
      if (known.delete(disk)) log.info({ disk, dataDir }, 'disk writes recovered')
      metrics.diskFault.set({ disk }, 0)
    } catch (error) {
      observe(error)
      // The database is unreachable, which shows nothing about its disk.
      if (!storageFault(error)) log.debug({ disk, reason: describeError(error) }, 'disk check failed')
    }
  }

  async function keepReserves(): Promise<void> {
    let isFree = true
    for (const keepReserve of keepers) isFree = (await keepReserve()) && isFree
    if (isFree !== isShort) return
    isShort = !isFree
    if (isShort) log.warn({ dataDir }, 'disk reserve low: snapshots, exports and preview images are rejected')
    else log.info({ dataDir }, 'disk reserve recovered')
  }

  return {
    observe,
    observed: (store) => ({
      ...store,
      put: (key, bytes, contentType) =>
        store.put(key, bytes, contentType).catch((error: unknown) => {
          observe(error)
          throw error
        }),
    }),
    faults: () => [...known.values()],
    keeps: (keepReserve) => void keepers.unshift(keepReserve),
    async watch({ db, signal }) {
      async function step(): Promise<'idle'> {
        await keepReserves()
        const space = await readDiskSpace(dataDir)
        const isNear = space !== undefined && space.free < littleBytes
        await look('database', isNear && embedded, () => probeStorage(db))
        await look('files', isNear, () => writeProbe(dataDir))
        return 'idle'
      }
      await run({ name: 'watch disks', step, idleMs: watchMs, signal, log })
    },
  }
}

async function writeProbe(folder: string): Promise<void> {
  const path = join(folder, `.probe-${process.pid}`)
  try {
    const file = await open(path, 'w')
    try {
      await file.writeFile(Buffer.alloc(probeBytes, 1))
      await file.sync()
    } finally {
      await file.close()
    }
  } finally {
    await rm(path, { force: true })
  }
}
