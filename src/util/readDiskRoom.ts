import { statfs } from 'node:fs/promises'

/** Bytes of a disk: what a program without special rights may still write, and all there are. */
export type DiskRoom = { free: number; total: number }

/** Of the disk below a folder; undefined where there is no such folder. */
export async function readDiskRoom(folder: string): Promise<DiskRoom | undefined> {
  const disk = await statfs(folder).catch(() => undefined)
  return disk && { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize }
}
