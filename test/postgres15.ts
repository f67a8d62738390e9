import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { allocation } from '../src/db/embedded/program.ts'
import { endWithThisProcess } from './endWithThisProcess.ts'
import { freePort } from './freePort.ts'
import { scratchFolder } from './scratchFolder.ts'

/** The folder in which Debian installs the programs. `test/citus/cluster.ts` starts a cluster with them, too. */
const programs = '/usr/lib/postgresql/15/bin'

/** The settings of the cluster's nodes, except those of Citus. */
const settings = {
  listen_addresses: `'127.0.0.1'`,
  unix_socket_directories: `''`,
  wal_level: 'logical',
  max_connections: '300',
  max_prepared_transactions: '200',
  shared_buffers: '256MB',
  fsync: 'off',
}

/** The reason why no such server can start; undefined if one can. */
export const postgres15Missing =
  existsSync(programs) && process.getuid?.() === 0
    ? undefined
    : 'skipped, as PostgreSQL 15 is absent or this is not root'

export type GivenServer = { url: string; stop(): Promise<void> }

/** Starts one PostgreSQL 15 without Citus, with the programs and settings of a cluster's nodes, plus `more`. Like the cluster, it needs root. */
export async function startPostgres15(more: Record<string, string> = {}): Promise<GivenServer> {
  const folder = await scratchFolder('mintmark-postgres15-')
  const reaper = endWithThisProcess(folder)
  const data = join(folder, 'data')
  const port = await freePort()
  const run = (program: string, ...args: string[]) =>
    // With its folder, as many search paths lack it.
    promisify(execFile)('/sbin/runuser', ['-u', 'postgres', '--', join(programs, program), '-D', data, ...args], {
      env: { ...env, ...allocation },
    })
  await chmod(folder, 0o755)
  await mkdir(data)
  await promisify(execFile)('chown', ['postgres', data])
  await run('initdb', '-A', 'trust', '-U', 'postgres', '--no-sync')
  const lines = Object.entries({ ...settings, ...more, port }).map(([name, value]) => `${name} = ${value}\n`)
  await appendFile(join(data, 'postgresql.conf'), lines.join(''))
  await run('pg_ctl', '-l', join(data, 'log'), '-w', 'start')
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await run('pg_ctl', '-m', 'immediate', 'stop')
      await reaper.end()
    },
  }
}
