import { statfs } from 'node:fs/promises'

/** Bytes of a disk. `free`: those that a program without special rights may still write. */
export type DiskRoom = { free: number; total: number }

/** The room of the disk of a folder; undefined: there is no such folder. */
export async function readDiskRoom(folder: string): Promise<DiskRoom | undefined> {
  const disk = await statfs(folder).catch(() => undefined)
  return disk && { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize }
}
