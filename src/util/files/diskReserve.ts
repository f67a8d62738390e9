import { statfs } from 'node:fs/promises'
import { UnavailableError } from '../errors.ts'

/** Bytes of a disk. `free`: those that a program without special rights may write. */
export type DiskSpace = { free: number; total: number }

/** The space on the disk of a folder; undefined: the folder does not exist. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | undefined> {
  const disk = await statfs(folder).catch(() => undefined)
  return disk && { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize }
}

/** Part of a disk that recreatable files leave free for the database. */
const reserveShare = 0.1

/** Most bytes that they leave free: enough for hours of the database's own growth. */
const mostReserveBytes = 4 * 1_073_741_824

/** The reserve of a disk, and its missing bytes. */
export type DiskReserve = { bytes: number; missing: number }

/**
 * The reserve on the disk of a folder, whether or not the database is on the same disk: a full disk stops the server's other writes too. A missing
 * folder has none.
 */
export async function readDiskReserve(folder: string): Promise<DiskReserve> {
  const capacity = await readDiskSpace(folder)
  if (!capacity) return { bytes: 0, missing: 0 }
  const bytes = Math.min(mostReserveBytes, Math.floor(capacity.total * reserveShare))
  return { bytes, missing: Math.max(0, bytes - capacity.free) }
}

/** A file was not written, as it would use the reserve of its disk. HTTP 503. */
export class DiskReserveError extends UnavailableError {
  constructor() {
    super(
      'the disk of dataDir has no space beside the reserve for the database; retry when the operator has freed space',
    )
  }
}
