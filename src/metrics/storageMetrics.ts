import { Gauge, type Registry } from 'prom-client'
import { readDiskRoom } from '../util/files/diskReserve.ts'

/** Figures of disks and of the database's size. `dataDir`: the folder whose disk is measured whenever the registry is read. */
export function createStorageMetrics(options: { registers: Registry[]; dataDir: string | undefined }) {
  const { registers, dataDir } = options
  return {
    diskFree: new Gauge({
      registers,
      name: 'mintmark_disk_free_bytes',
      help: 'Free bytes on the disk of dataDir.',
      async collect() {
        if (dataDir === undefined) return
        // A folder that is not there yet, or not any more, has no figure.
        const room = await readDiskRoom(dataDir)
        if (room) this.set(room.free)
        else this.reset()
      },
    }),
    databaseBytes: new Gauge({
      registers,
      name: 'mintmark_database_bytes',
      help: "Bytes of the whole database on disk, PostgreSQL's own tables included, without the WAL; read every minute.",
    }),
    databaseNodesAway: new Gauge({
      registers,
      name: 'mintmark_database_nodes_unreachable',
      help: 'Nodes of the Citus cluster that do not respond to this process; 0 on one server.',
    }),
    storedBytes: new Gauge({
      registers,
      name: 'mintmark_stored_bytes',
      help: 'Bytes of the database on disk, indexes included, by kind of data; read every minute.',
      labelNames: ['kind'] as const,
    }),
    diskFault: new Gauge({
      registers,
      name: 'mintmark_disk_write_failed',
      help: '1 while writes fail on the disk of the database, or of files below dataDir.',
      labelNames: ['disk'] as const,
    }),
  }
}
