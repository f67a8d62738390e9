import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/db/embedded/startEmbeddedPostgres.ts'
import { noopLog } from '../src/util/log.ts'

export type SocketConnection = { host: string; port: number; user: string; database: string }

/** PostgreSQL as Mintmark embeds it, with the same settings, in a new data folder. */
export type TemporaryPostgres = { connection: SocketConnection; url: string; pid: number; stop(): Promise<void> }

/** Returns the pid of the embedded server, by the data folder of a running service. */
export function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'latin1'), 10)
}

export async function startTemporaryPostgres(): Promise<TemporaryPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  // The server does not run as root and must be able to read the folder.
  chmodSync(dataDir, 0o755)
  const postgres = await startEmbeddedPostgres({ dataDir, log: noopLog })
  const { host, port, user, database } = postgres.connection as SocketConnection
  return {
    connection: { host, port, user, database },
    pid: postmasterPid(dataDir),
    url: `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`,
    async stop() {
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
