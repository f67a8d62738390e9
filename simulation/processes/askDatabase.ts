import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { isConnectionError } from '../../src/db/databaseError.ts'
import { errorCode } from '../../src/util/errors.ts'
import { storageFault } from '../../src/util/faults/storageFault.ts'
import type { Random } from '../../test/random.ts'

/** The queries of a world to its database, whichever server it is. */
export type AskedDatabase = {
  /** One statement over a connection of its own, so that it works as soon as the database does. */
  rows<T extends unknown[]>(text: string, values?: unknown[]): Promise<T[]>
  /** The same; undefined if the database is unreachable, or a node of it. */
  rowsUnlessUnreachable<T extends unknown[]>(text: string, values?: unknown[]): Promise<T[] | undefined>
  /** Resolves when it takes statements again. */
  untilBack(): Promise<void>
  /** Opens a connection. The returned function says whether the server has ended since, and closes it. */
  watchEnd(): Promise<() => boolean>
  /** Ends a connection of the service, as a pooler or a firewall does; `all` of them. */
  cut(random: Random, all: boolean): Promise<void>
  /** kill -9 of a backend on this machine, after which PostgreSQL restarts; false: there is none. */
  killBackend(random: Random): Promise<boolean>
}

/** The error code of a single terminated connection. */
const cutCode = '57P01'

const backends = `
SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname = current_database() AND pid <> pg_backend_pid() ORDER BY pid`

export function askDatabase(connection: pg.ClientConfig): AskedDatabase {
  const rows = <T extends unknown[]>(text: string, values: unknown[] = []) =>
    withClient(connection, async (client) => (await client.query({ text, values, rowMode: 'array' })).rows as T[])
  return {
    rows,
    rowsUnlessUnreachable: <T extends unknown[]>(text: string, values: unknown[] = []) =>
      rows<T>(text, values).catch(nothingIfUnreachable),
    async untilBack() {
      while (!(await rows('SELECT 1').catch(() => undefined))) await wait(50)
    },
    async watchEnd() {
      const client = new pg.Client(connection)
      let first: (Error & { code?: string }) | undefined
      client.on('error', (error) => {
        first ??= error
      })
      await client.connect()
      return () => {
        void client.end().catch(() => undefined)
        return first !== undefined && first.code !== cutCode
      }
    },
    async cut(random, all) {
      const pids = await rows<[number]>(backends)
      const chosen = all ? pids : pids.length > 0 ? [random.pick(pids)] : []
      for (const [pid] of chosen) await rows('SELECT pg_terminate_backend($1::int)', [pid])
    },
    async killBackend(random) {
      const pids = await rows<[number]>(backends)
      return pids.length > 0 && killNow(random.pick(pids)[0])
    },
  }
}

/** Ends a process of this machine; false: it had ended by itself. */
export function killNow(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
    return false
  }
}

/** undefined if an error says that the database, a node or a disk of it is unreachable; throws it else. */
export function nothingIfUnreachable(error: unknown): undefined {
  if (!isConnectionError(error) && !storageFault(error)) throw error
}

async function withClient<T>(connection: pg.ClientConfig, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
  // A connection that the world itself cuts says so here, too.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
