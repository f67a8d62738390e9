import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/db/embedded/startEmbeddedPostgres.ts'
import { silentLog } from '../src/log.ts'

export type SocketConnection = { host: string; port: number; user: string; database: string }

/** The server that Mintmark embeds, with its settings, on a fresh data folder. */
export type TemporaryPostgres = { connection: SocketConnection; url: string; stop(): Promise<void> }

export async function startTemporaryPostgres(): Promise<TemporaryPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  // The server runs as another user than root.
  chmodSync(dataDir, 0o755)
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  const { host, port, user, database } = postgres.connection as SocketConnection
  return {
    connection: { host, port, user, database },
    url: `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`,
    async stop() {
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
