import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { isConnectionError } from '../../src/db/databaseError.ts'
import { workerLock } from '../../src/sync/leases/livingWorkers.ts'
import { errorCode } from '../../src/util/errors.ts'
import { storageFault } from '../../src/util/faults/storageFault.ts'
import type { Random } from '../../test/random.ts'

/** Queries of a world to its database, for every kind of server. */
export type QueriedDatabase = {
  /** Runs one statement on a new connection, so that it works as soon as the database does. */
  rows<T extends unknown[]>(text: string, values?: unknown[]): Promise<T[]>
  /** Does the same; returns undefined if the database or one of its nodes is unreachable. */
  rowsUnlessUnreachable<T extends unknown[]>(text: string, values?: unknown[]): Promise<T[] | undefined>
  /** Resolves when the database accepts statements again. */
  untilBack(): Promise<void>
  /** Opens a connection. The returned function closes it and reports whether the server has ended since. */
  watchEnd(): Promise<() => boolean>
  /** Closes one of the service's connections, or `all`, as a pooler or a firewall does. Returns whether leases ended with one of them. */
  cut(random: Random, all: boolean): Promise<boolean>
  /** Kills a backend on this machine with SIGKILL, after which PostgreSQL restarts; false: there is none. */
  killBackend(random: Random): Promise<boolean>
}

/** The error code of a single terminated connection. */
const cutCode = '57P01'

const backends = `
SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname = current_database() AND pid <> pg_backend_pid() ORDER BY pid`

/** The connections whose end releases the leases of a process. */
const sessions = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = ${workerLock}::oid AND pid IS NOT NULL`

export function queryDatabase(connection: pg.ClientConfig): QueriedDatabase {
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
      const withLeases = new Set((await rows<[number]>(sessions)).map(([pid]) => pid))
      for (const [pid] of chosen) await rows('SELECT pg_terminate_backend($1::int)', [pid])
      return chosen.some(([pid]) => withLeases.has(pid))
    },
    async killBackend(random) {
      const pids = await rows<[number]>(backends)
      return pids.length > 0 && killNow(random.pick(pids)[0])
    },
  }
}

/** Kills a process on this machine; returns false if it had already ended. */
export function killNow(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
    return false
  }
}

/** Returns undefined if the error means that the database, a node or a disk is unreachable; otherwise throws it. */
export function nothingIfUnreachable(error: unknown): undefined {
  if (!isConnectionError(error) && !storageFault(error)) throw error
}

async function withClient<T>(connection: pg.ClientConfig, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
  // `cut` may also close this connection.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
