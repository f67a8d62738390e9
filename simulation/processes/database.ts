import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { startEmbeddedPostgres } from '../../src/db/embedded/startEmbeddedPostgres.ts'
import { noopLog } from '../../src/util/log.ts'
import { endWithThisProcess } from '../../test/endWithThisProcess.ts'
import type { Random } from '../../test/random.ts'
import { type QueriedDatabase, queryDatabase } from './queryDatabase.ts'

const run = promisify(execFile)

/** The database of a world, and the failures that the world can cause in it. */
export type WorldDatabase = Omit<QueriedDatabase, 'killBackend'> & {
  url: string
  connection: pg.ClientConfig
  /** Kills a backend or the postmaster with SIGKILL. PostgreSQL restarts after the first, and a supervisor starts the second again. */
  kill(what: 'backend' | 'postmaster', random: Random): Promise<void>
  /** Number of workers of a cluster; 0: it is not a cluster. */
  workers: number
  /** Stops a worker of a cluster as a crash does, and starts it again after `ms`. */
  stopWorker(worker: number, ms: number): Promise<void>
  /** Whether its disk can be filled. It needs a disk of its own, which only root can mount. The disk of a cluster cannot be filled. */
  canFill: boolean
  fillDisk(): Promise<void>
  clearDisk(): void
  stop(): Promise<void>
}

/** Starts the embedded server, on its own disk if possible. Its processes end with this one. */
export async function startWorldDatabase(): Promise<WorldDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-world-'))
  // The server does not run as root and must be able to read the folder.
  chmodSync(folder, 0o755)
  const canFill = await mountDisk(folder)
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const reaper = endWithThisProcess(dataDir)
  const server = await startEmbeddedPostgres({ dataDir, log: noopLog, settings: { fsync: 'off' } })
  const { connection } = server
  const filler = join(folder, 'filler')

  const requested = queryDatabase(connection)
  const clearDisk = () => rmSync(filler, { force: true })
  return {
    url: `postgresql://${connection.user}@${encodeURIComponent(connection.host!)}:${connection.port}/${connection.database}`,
    connection,
    ...requested,
    async kill(what, random) {
      if (what === 'backend' && (await requested.killBackend(random))) return
      const [line] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(line), 'SIGKILL')
    },
    workers: 0,
    stopWorker: async () => undefined,
    canFill,
    fillDisk: () => fill(filler),
    clearDisk,
    async stop() {
      clearDisk()
      await server.stop()
      await reaper.end()
      if (canFill) await run('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Mounts a 500 MB disk in memory at the folder; returns false if this user cannot mount one. */
async function mountDisk(folder: string): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  return run('mount', ['-t', 'tmpfs', '-o', 'size=500m,mode=755', 'tmpfs', folder]).then(
    () => true,
    () => false,
  )
}

/** Writes until the disk is full. A separate process does it, as this one must keep running. */
async function fill(path: string): Promise<void> {
  await run('env', ['LC_ALL=C', 'dd', 'if=/dev/zero', `of=${path}`, 'bs=1M']).catch((error: Error) => {
    if (!error.message.includes('No space left')) throw error
  })
}
