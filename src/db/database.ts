import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Log } from '../util/log.ts'
import { arrayValue } from './arrayValue.ts'
import { createListener } from './createListener.ts'
import {
  CommitUnseenError,
  DatabaseUnavailableError,
  isConnectionError,
  marked,
  sqlState,
  throwRestated,
} from './databaseError.ts'
import { SessionClient } from './sessionClient.ts'

/** Names of prepared statements by text. The texts are constants of the program, so the map stays small. */
const statementNames = new Map<string, string>()

/** The name with which a connection prepares a statement. */
export function statementName(text: string): string {
  let name = statementNames.get(text)
  if (name === undefined) {
    name = `m${statementNames.size}`
    statementNames.set(text, name)
  }
  return name
}

/** A row as an array in the order of the select list: int8 as bigint, numeric as text, bytea as Buffer. */
export type Row = unknown[]

export type Sql = {
  /** Rows of one statement, prepared once per connection. */
  rows<T extends Row = Row>(text: string, values?: unknown[]): Promise<T[]>
  /** Returns the number of rows that one statement changed. */
  run(text: string, values?: unknown[]): Promise<number>
}

export type Transaction = Sql & {
  /** `COPY table (…) FROM STDIN` in text format, fed by `source`. */
  copy(text: string, source: Readable): Promise<void>
  /** Several statements without parameters. */
  script(text: string): Promise<void>
  /**
   * Statements that are planned each time (0.3 ms). A statement prepared while a table was empty would read the whole table for the life of the
   * connection.
   */
  fresh: Sql
}

/** After a deadlock a statement is sent again, at most three times in total. */
export type Database = Sql & {
  /** A unique name of these connections, at the end of the application_name of each one that runs statements or transactions of this object. */
  name: string
  /**
   * Commits all changes of `work`, or none. After a deadlock or serialization failure `work` is called again, at most three times in total.
   * `settings`: statements sent with BEGIN in one message, such as `joinByKeys`.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, settings?: string): Promise<T>
  /** Calls back for every NOTIFY on `channel`, and once after each reconnection, as some may have been missed. All channels share a connection. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>
  /** A separate connection for the caller, for locks that live as long as the connection; the caller ends it. */
  connect(): Promise<pg.Client>
  close(): Promise<void>
}

export type DatabaseOptions = {
  /** Options of `pg`: host (a folder for a unix socket), port, user, database, or a connection string. */
  connection: pg.ClientConfig
  poolSize: number
  log: Log
  /** Called with the error of a failed statement or transaction, before the caller gets it. */
  onError?: ((error: unknown) => void) | undefined
  /** The name of another object of the same process, whose connections count together with these; omitted: a new name. */
  name?: string
  /** Checks each new connection before it is used; if it throws, the connection is not used. */
  check?: ((client: pg.ClientBase) => Promise<void>) | undefined
  /** Called with the server process id of a new connection, if the server is on this machine. */
  onBackend?: (pid: number) => void
}

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, (text: string) => BigInt(text))

/**
 * Statements find all rows by keys. Prepared plans outlive their statistics: a plan made while a table was empty would later read the whole table.
 */
const planByKeys = 'SET enable_seqscan = off; SET enable_material = off; SET jit = off'

/**
 * By default Citus keeps one connection to each node open between transactions, and opens more for each statement of several shards. Each costs the
 * start of a process and a TLS handshake, twenty times the time of most of these statements. Also, rows that several connections wrote cannot be
 * joined with tables on every node. PostgreSQL stores the setting but ignores it.
 */
const oneConnectionPerNode = 'SET citus.max_adaptive_executor_pool_size = 1'

/** Statements wait for concurrent writes, and then see them; transactions that need a snapshot set it. The role may have another default. */
const readCommitted = `SET default_transaction_isolation = 'read committed'`

/** First statements of every session of a pool or a pipeline; sessions of `connect` keep PostgreSQL's defaults. */
export const sessionSettings = `${planByKeys}; ${readCommitted}; ${oneConnectionPerNode}`

/** For a transaction that joins lists of keys with tables of any size: a plan made for an empty table would read all of a large one. */
export const joinByKeys = 'SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off'

const deadlock = '40P01'
/** SQLSTATE of a serialization failure. */
const conflict = '40001'

/** SQLSTATE of a write in a read-only session, which stays read-only when its database accepts writes again (`default_transaction_read_only`). */
const readOnly = '25006'

/** The `pg` settings of every connection; `statement_timeout` is set by the first statements instead. */
export function clientSettings(connection: pg.ClientConfig): pg.ClientConfig & { types: pg.CustomTypesConfig } {
  const { statement_timeout: _, ...rest } = connection
  return { application_name: 'mintmark', keepAlive: true, connectionTimeoutMillis: 10_000, ...rest, types }
}

/**
 * The first statements of a session. `statement_timeout` is one of them, as poolers reject or ignore it among the startup parameters
 * (https://www.pgbouncer.org/config.html, `ignore_startup_parameters`).
 */
export function firstStatements({ statement_timeout }: pg.ClientConfig): string {
  return statement_timeout ? `${sessionSettings}; SET statement_timeout = ${statement_timeout}` : sessionSettings
}

export function createDatabase(options: DatabaseOptions): Database {
  const { connection, poolSize, log, onError = () => undefined, check, onBackend } = options
  const settings = clientSettings(connection)
  const { name = randomBytes(6).toString('hex') } = options
  // Appended to the name that the operator's URL may set; PostgreSQL keeps 63 bytes.
  const report = `SELECT set_config('application_name', left(current_setting('application_name'), 40) || ' ${name}', false)`
  const pool = new pg.Pool({
    ...settings,
    Client: SessionClient,
    max: poolSize,
    idleTimeoutMillis: 30_000,
    async onConnect(client) {
      await client.query(`${firstStatements(connection)}; ${report}`)
      await check?.(client)
      if (onBackend) onBackend((await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid)
    },
  })
  let closing = false
  pool.on('error', (err) => {
    // The pool adds its whole client to the error, with the text of every prepared statement.
    delete (err as { client?: unknown }).client
    // Connections that the pool released stay open for a moment, and an embedded database that stops breaks each of them.
    log[closing ? 'debug' : 'warn']({ err: marked(err) }, 'idle database connection lost')
    if (!closing) onError(err)
  })
  // A client in use has no other listener: without this one, a connection that breaks between two statements of a transaction would end the process.
  // The next statement fails and reports the loss.
  pool.on('connect', (client) =>
    client.on('error', (err) => log.debug({ err: marked(err) }, 'database connection lost')),
  )
  const listeners = new Set<() => Promise<void>>()
  const listener = createListener({
    settings,
    onLost: (err) => log.warn({ err: marked(err) }, 'database listen connection lost'),
  })

  async function transactionOnce<T>(work: (tx: Transaction) => Promise<T>, settings: string): Promise<T> {
    const client = await reached(pool.connect()).catch(failed)
    let broken: Error | undefined
    try {
      await client.query(`BEGIN; ${settings}`)
      const result = await work(transactionOn(client))
      await commit(client)
      return result
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: Error) => {
        broken = failure
      })
      if (sqlState(error) === readOnly) broken = error as Error
      return failed(error)
    } finally {
      client.release(broken)
    }
  }

  /** Calls `work` until it does not fail with one of these SQLSTATEs, at most three times: the database rolled it back. */
  async function repeated<T>(states: readonly string[], work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++)
      try {
        return await work()
      } catch (error) {
        if (attempt >= 3 || !states.includes(sqlState(error) ?? '')) throw error
        log.debug({ err: error, attempt }, 'database work retried')
      }
  }

  function failed(error: unknown): never {
    onError(marked(error))
    throw error
  }

  return {
    ...sqlOn({
      query: (config) => repeated([deadlock], () => pool.query(config).catch(throwRestated).catch(failed)),
    }),
    name,
    transaction: (work, settings = '') => repeated([deadlock, conflict], () => transactionOnce(work, settings)),
    async listen(channel, onNotify) {
      const stop = await listener.listen(channel, onNotify)
      listeners.add(stop)
      return async () => {
        listeners.delete(stop)
        await stop()
      }
    },
    async connect() {
      const client = new SessionClient(settings)
      client.on('error', (err) => log.warn({ err: marked(err) }, 'database connection lost'))
      await client.connect().catch(failed)
      return client
    },
    async close() {
      closing = true
      await Promise.all([...listeners].map((stop) => stop()))
      await pool.end()
    },
  }
}

type Notice = { severity?: string | undefined; message?: string | undefined }

/** Commits. Throws CommitUnseenError if the coordinator of a cluster could not commit on all nodes, which it reports only by warnings. */
async function commit(client: pg.PoolClient): Promise<void> {
  const warnings: string[] = []
  const onNotice = ({ severity, message = '' }: Notice) => void (severity === 'WARNING' && warnings.push(message))
  client.on('notice', onNotice)
  try {
    await client.query('COMMIT')
  } finally {
    client.off('notice', onNotice)
  }
  if (warnings.length > 0)
    throw new CommitUnseenError(`a node of the database was lost at a commit: ${warnings.join('; ')}`)
}

/** Awaits `connecting`. Throws DatabaseUnavailableError if no connection could be opened in time. */
export async function reached<T>(connecting: Promise<T>): Promise<T> {
  try {
    return await connecting
  } catch (cause) {
    if (!(cause instanceof DatabaseUnavailableError) && isConnectionError(cause))
      throw new DatabaseUnavailableError('the database cannot be reached', { cause })
    throw cause
  }
}

type Queryable = { query(config: pg.QueryArrayConfig): Promise<pg.QueryArrayResult> }

export function sqlOn(target: Queryable, prepared = true): Sql {
  const query = (text: string, values: unknown[] = []) =>
    target
      .query({
        ...(prepared && { name: statementName(text) }),
        text,
        values: values.map((value) => (Array.isArray(value) ? arrayValue(value) : value)),
        rowMode: 'array',
      })
      .catch(throwRestated)
  return {
    rows: async <T extends Row>(text: string, values?: unknown[]) => (await query(text, values)).rows as T[],
    run: async (text, values) => (await query(text, values)).rowCount ?? 0,
  }
}

function transactionOn(client: pg.PoolClient): Transaction {
  return {
    ...sqlOn(client),
    fresh: sqlOn(client, false),
    async copy(text, source) {
      await pipeline(source, client.query(copyFrom(text))).catch(throwRestated)
    },
    async script(text) {
      await client.query(text).catch(throwRestated)
    },
  }
}
