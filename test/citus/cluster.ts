import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { choosePrograms } from '../../src/db/embedded/choosePrograms.ts'
import { PostgresStartError, type Postmaster, startPostmaster } from '../../src/db/embedded/postmaster.ts'
import { type Programs, runProgram } from '../../src/db/embedded/program.ts'
import { noopLog } from '../../src/util/log.ts'
import { endWithThisProcess } from '../endWithThisProcess.ts'
import { freePorts } from '../freePort.ts'
import { onServer } from '../onServer.ts'
import { scratchFolder } from '../scratchFolder.ts'

/** The programs folder of the PostgreSQL that `pg_config` reports, if it has Citus; otherwise the reason why no cluster can start. */
function findInstalled(): { programs: string } | { missing: string } {
  let reported: string
  try {
    reported = execFileSync('pg_config', ['--bindir', '--sharedir', '--pkglibdir'], { encoding: 'utf8' })
  } catch {
    return { missing: 'skipped, as no PostgreSQL is installed (there is no pg_config)' }
  }
  const [programs, share, library] = reported.trim().split('\n') as [string, string, string]
  const needed = [join(programs, 'postgres'), join(share, 'extension/citus.control'), join(library, 'citus.so')]
  const absent = needed.find((file) => !existsSync(file))
  return absent === undefined
    ? { programs }
    : { missing: `skipped, as the PostgreSQL that pg_config reports has no Citus (${absent} is absent)` }
}

const installed = findInstalled()

/** The reason why no cluster can start; undefined if one can. */
export const clusterMissing = 'missing' in installed ? installed.missing : undefined

/** Settings of each node. Every test database has a Citus process on each node. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '300',
  max_prepared_transactions: '200',
  max_worker_processes: '100',
  shared_buffers: '256MB',
  fsync: 'off',
}

/** A server of a cluster. */
type Node = {
  connection: pg.ClientConfig & { host: string; port: number }
  start(): Promise<void>
  /** Kills all its processes, as a crash does. */
  crash(): Promise<void>
  /** Sends kill -9 to the postmaster alone, and starts it again. */
  restart(): Promise<void>
  /** Stops all its processes: it does not respond but keeps its connections. `thaw` continues them. */
  freeze(): Promise<void>
  thaw(): void
}

/** Creates a Citus server with its data in `folder`, and starts it. */
async function startNode(programs: Programs, { folder, port }: { folder: string; port: number }): Promise<Node> {
  const connection = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' }
  await mkdir(folder, { mode: 0o700 })
  const { user } = programs
  if (user.kind === 'other') await chown(folder, user.uid, user.gid)
  const args = [`--pgdata=${folder}`, '--username=postgres', '--auth=trust', '--encoding=UTF8']
  const { code, stderr } = await runProgram(programs, 'initdb', [...args, '--locale=C', '--no-sync'], { cwd: folder })
  if (code !== 0) throw new Error(`initdb ended with code ${code}: ${stderr}`)
  let server: Postmaster
  const frozen: number[] = []
  const start = async () => {
    const { signal } = new AbortController()
    const own = { ...settings, port: String(port) }
    server = await startPostmaster({ programs, cluster: folder, connection, settings: own, log: noopLog, signal })
  }
  const end = async (signal: NodeJS.Signals) => {
    process.kill(server.pid, signal)
    await server.exited
  }
  await start()
  return {
    connection,
    start,
    crash: () => end('SIGQUIT'),
    async restart() {
      await end('SIGKILL')
      for (;;)
        try {
          return await start()
        } catch (error) {
          // Its child processes end a moment later and keep the shared memory until then.
          if (!(error instanceof PostgresStartError && error.message.includes('shared memory'))) throw error
          await wait(100)
        }
    },
    async freeze() {
      // The postmaster first, so that it starts no further processes.
      process.kill(server.pid, 'SIGSTOP')
      const children = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
      frozen.push(server.pid, ...children.trim().split(' ').map(Number))
      for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    },
    thaw() {
      for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT')
    },
  }
}

export type CitusCluster = {
  /** URL of the coordinator, as a superuser. */
  url: string
  /** Crashes worker 1 or 2. */
  stopWorker(number: 1 | 2): Promise<void>
  startWorker(number: 1 | 2): Promise<void>
  /** Freezes a worker: it does not respond but keeps its connections, like a machine that hangs. */
  freezeWorker(number: 1 | 2): Promise<void>
  thawWorker(number: 1 | 2): void
  /** Sends kill -9 to the coordinator's postmaster, and starts it again. */
  restartCoordinator(): Promise<void>
  /** Starts another Citus server that is not part of the cluster yet. */
  startSpare(): Promise<pg.ClientConfig & { host: string; port: number }>
  end(): Promise<void>
}

/**
 * Starts a coordinator and two workers on free ports, in a temporary folder. It uses the installed PostgreSQL and Citus (`clusterMissing`)
 * and takes five seconds.
 */
export async function startCitusCluster(): Promise<CitusCluster> {
  if ('missing' in installed) throw new Error(`a Citus cluster is ${installed.missing}`)
  const folder = await scratchFolder('mintmark-citus-')
  const reaper = endWithThisProcess(folder)
  try {
    // Debian's programs leave their working folder to find each other, and return to it by its path. So others must be able to enter it.
    await chmod(folder, 0o755)
    const binaries = { folder: dirname(installed.programs), version: 'installed' }
    const programs = await choosePrograms({
      ...{ dataDir: folder, owner: undefined, log: noopLog, binaries, copyFolders: [] },
    })
    const port = await freePorts(4)
    const startOne = async (i: number) => {
      const node = await startNode(programs, { folder: join(folder, String(i)), port: port + i })
      await onServer(node.connection, 'SET client_min_messages = error', 'CREATE EXTENSION citus')
      return node
    }
    const [coordinator, ...workers] = (await Promise.all([0, 1, 2].map(startOne))) as [Node, Node, Node]
    const address = ({ connection: { host, port } }: Node) => `'${host}', ${port}`
    await onServer(
      coordinator.connection,
      `SELECT citus_set_coordinator_host(${address(coordinator)})`,
      ...workers.map((worker) => `SELECT citus_add_node(${address(worker)})`),
    )
    const worker = (number: 1 | 2) => workers[number - 1]!
    return {
      url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
      stopWorker: (number) => worker(number).crash(),
      startWorker: (number) => worker(number).start(),
      freezeWorker: (number) => worker(number).freeze(),
      thawWorker: (number) => worker(number).thaw(),
      restartCoordinator: coordinator.restart,
      startSpare: async () => (await startOne(3)).connection,
      end: reaper.end,
    }
  } catch (error) {
    await reaper.end()
    throw error
  }
}
