import { statSync } from 'node:fs'
import { totalmem } from 'node:os'

/** Settings of the server by name. They are set on its command line, so that they belong to this program and not to the data. */
export type ServerSettings = Record<string, string>

const megabyte = 2 ** 20

/**
 * A sixteenth of the memory that this process may use, 256 to 640 MB: the tokens of a wallet are spread over the tables, and the server with this
 * process must not use more than 1.5 GB. The memory fills as pages of the database are read. Other pages are in the system's cache, which other
 * programs can reclaim.
 */
export function sharedBuffers(memory = Math.min(totalmem(), process.constrainedMemory() || totalmem())): string {
  return `${Math.floor(Math.min(640, Math.max(256, memory / 16 / megabyte)))}MB`
}

/** Settings for two or more cores and about 1 GB of memory for the database. */
export const serverSettings: ServerSettings = {
  listen_addresses: '',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: sharedBuffers(),
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  // Nothing replicates from this server, and COPY into a table created in the same transaction then skips the WAL.
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_compression: 'on',
  min_wal_size: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  fsync: 'on',
  // On SSDs an index page costs hardly more than the next page of a table.
  random_page_cost: '1.1',
  // Compiling a plan would take longer than any statement of Mintmark.
  jit: 'off',
  // Parallel plans use /dev/shm, which containers limit to 64 MB, and cores that other requests need.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  // A plan made while its tables were empty stays until they are analyzed. With a minute between two runs, a new busy database spent most of its time
  // in such plans. Dead rows of queues are also removed as soon.
  autovacuum_naptime: '5s',
  // Such an analysis reads 6,000 rows of a table instead of 30,000, and takes 25 ms instead of 190. Plans find rows by keys, whatever the statistics.
  default_statistics_target: '20',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // Statements can hold secrets.
  log_min_error_statement: 'panic',
}

/** A name that every process of the cluster in `folder` has in its command line: the folder's device and inode, which a moved folder keeps. */
export function clusterName(folder: string): string {
  const { dev, ino } = statSync(folder)
  return `mintmark-${dev}-${ino}`
}
