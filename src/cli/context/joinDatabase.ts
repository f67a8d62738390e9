import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { openSocketFolder, socketPort } from '../../db/embedded/socketFolder.ts'

/**
 * How to reach the embedded database of a data folder while another process runs it: a server, or a command. Nothing is started
 * and nothing is locked. Good until `close`; throws ENOENT where the folder has no database.
 */
export async function joinDatabase(dataDir: string): Promise<{ connection: pg.ClientConfig; close(): void }> {
  const socket = openSocketFolder(join(await realpath(dataDir), 'postgres'))
  const connection = { host: socket.path, port: socketPort, user: 'postgres', database: 'postgres' }
  return { connection, close: socket.close }
}
