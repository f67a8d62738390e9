import { closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedPostgresUnavailableError } from './program.ts'

/** A path by which clients reach the socket of the cluster; valid until `close`. */
export type SocketFolder = { path: string; close(): void }

export const socketPort = 5432

/** Bytes that fit into sockaddr_un with the final zero. */
const maxSocketPath = process.platform === 'linux' ? 107 : 103

/**
 * PostgreSQL creates its socket in the cluster's own folder, which it calls "." and so never finds too long. It refuses to start unless that folder
 * has mode 0700, so only its user, and root, can reach the socket. Both could read the files of the database as well, so `trust` exposes nothing.
 * If the path is too long for a client, `path` goes through this process's own descriptor of the folder. Such a path is short, needs no second folder
 * that others could take or a cleaner of /tmp could remove, and leaves nothing behind. Other processes of the same user can use it while this one
 * lives.
 */
export function openSocketFolder(cluster: string): SocketFolder {
  if (Buffer.byteLength(join(cluster, `.s.PGSQL.${socketPort}`)) <= maxSocketPath) {
    return { path: cluster, close() {} }
  }
  if (process.platform !== 'linux')
    throw new EmbeddedPostgresUnavailableError(
      `the path of ${cluster} is too long for a socket (${maxSocketPath} bytes): choose a shorter dataDir`,
    )
  const descriptor = openSync(cluster, constants.O_RDONLY | constants.O_DIRECTORY)
  return { path: `/proc/${process.pid}/fd/${descriptor}`, close: () => closeSync(descriptor) }
}
