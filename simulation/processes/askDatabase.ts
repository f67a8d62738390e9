import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Random } from '../../test/random.ts'

/** What a world asks of its database, whichever server it is. */
export type AskedDatabase = {
  /** One statement over a connection of its own, so that it works as soon as the database does. */
  rows<T extends unknown[]>(text: string, values?: unknown[]): Promise<T[]>
  /** Several statements that see one state. */
  snapshot<T>(
    read: (rows: <R extends unknown[]>(text: string, values?: unknown[]) => Promise<R[]>) => Promise<T>,
  ): Promise<T>
  /** Resolves when it takes statements again. */
  untilBack(): Promise<void>
  /** Ends a connection of the service, as a pooler or a firewall does; `all` of them. */
  cut(random: Random, all: boolean): Promise<void>
  /** kill -9 of a backend on this machine, after which PostgreSQL begins anew; false: there is none. */
  killBackend(random: Random): Promise<boolean>
}

const backends = `
SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname = current_database() AND pid <> pg_backend_pid() ORDER BY pid`

export function askDatabase(connection: pg.ClientConfig): AskedDatabase {
  const rows = <T extends unknown[]>(text: string, values: unknown[] = []) =>
    withClient(connection, async (client) => (await client.query({ text, values, rowMode: 'array' })).rows as T[])
  return {
    rows,
    snapshot: (read) =>
      withClient(connection, async (client) => {
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        const result = await read(
          async <R extends unknown[]>(text: string, values: unknown[] = []) =>
            (await client.query({ text, values, rowMode: 'array' })).rows as R[],
        )
        await client.query('COMMIT')
        return result
      }),
    async untilBack() {
      while (!(await rows('SELECT 1').catch(() => undefined))) await wait(50)
    },
    async cut(random, all) {
      const pids = await rows<[number]>(backends)
      const chosen = all ? pids : pids.length > 0 ? [random.pick(pids)] : []
      for (const [pid] of chosen) await rows('SELECT pg_terminate_backend($1)', [pid])
    },
    async killBackend(random) {
      const pids = await rows<[number]>(backends)
      if (pids.length > 0) process.kill(random.pick(pids)[0], 'SIGKILL')
      return pids.length > 0
    },
  }
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
