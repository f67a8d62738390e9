import type pg from 'pg'
import type { Log } from '../../util/log.ts'
import { hasCitus, isDistributed } from '../cluster/citus.ts'
import { selectNodesOfPartitions } from '../cluster/readNodes.ts'
import { clientSettings, firstStatements, reached, type Sql, sqlOn, statementName } from '../database.ts'
import { DatabaseUnavailableError, isConnectionError, marked, sqlState } from '../databaseError.ts'
import { type ByteReader, type ByteRow, createByteClient, decoded, undecoded } from './byteRows.ts'
import { createPins, type Pins, requestedPartition } from './pins.ts'
import { createRowMemory } from './rowMemory.ts'

/**
 * Statements over few connections, none in a transaction. Each connection gets the next statements while it works on one, so that it never waits for
 * this process. On two cores that increases the page rate by a sixth over one statement at a time.
 */
export type Pipeline = Sql &
  ByteReader & {
    /** Waits until the statements in progress have been answered. */
    close(): Promise<void>
  }

export type PipelineOptions = {
  /** Options of `pg`. */
  connection: pg.ClientConfig
  connections: number
  /** How long a statement waits for a connection, in milliseconds; then DatabaseUnavailableError is thrown. */
  queueTimeoutMs: number
  log: Log
  /** Called with the error of a failed statement, before the caller gets it. */
  onError?: ((error: unknown) => void) | undefined
}

/** Most concurrent statements of a connection. Those behind a slow one wait. */
const depth = 4

/**
 * Has each connection plan a statement once: the best plans do not depend on their parameters, and planning would take a fifth of a page's time.
 * Citus rejects a generic plan of joined tables for any partition parameter: there `Pins` is used.
 */
const planOnce = `SELECT set_config('plan_cache_mode', CASE WHEN ${hasCitus} THEN 'auto' ELSE 'force_generic_plan' END, false) = 'auto'`

/** Minimum life of a cluster connection that has reached its limit of plans, in milliseconds. */
const renewMs = 600_000

/** SQLSTATE of an unknown prepared statement: the previous statement, which was to prepare it, failed first. */
const unprepared = '26000'

/** SQLSTATE of a timed-out statement; the connection stays usable. */
const cancelled = '57014'

/**
 * The cluster node on which a statement runs; undefined: several may, or it is not a cluster. A connection has statements of one node at a time, and
 * each node has at least one connection. So statements of an unresponsive node delay no statement of another one.
 */
type RequestedNode = number | undefined

/** A connection, its number of statements, and their node. `pins`: for a cluster. */
type Session = {
  client: pg.Client
  opening: Promise<unknown> | null
  statements: number
  node: RequestedNode
  openedAt: number
  pins: Pins | undefined
}

/** Connections are opened when there are statements for them, and again after a loss. */
export function createPipeline({ connection, connections, queueTimeoutMs, log, onError }: PipelineOptions): Pipeline {
  const shared = clientSettings(connection)
  const memory = createRowMemory()
  const sessions = new Set<Session>()
  const waiting = new Set<{ node: RequestedNode; give(session: Session): void }>()
  /** Node of each partition when the last connection was opened. A shard moved since then only counts for its former node. */
  let nodes: readonly number[] = []
  let closed = false

  function open(node: RequestedNode): Session {
    const client = createByteClient({ ...shared, types: decoded(shared.types), pipeline: true }, memory)
    const opening = connect(client)
    const session: Session = { client, opening, statements: 0, node, openedAt: performance.now(), pins: undefined }
    client.on('error', (err) => {
      log.warn({ err: marked(err) }, 'database connection lost')
      discard(session)
    })
    client.on('end', () => discard(session))
    opening.then(
      ({ isCluster }) => {
        session.opening = null
        if (isCluster) session.pins = createPins()
      },
      () => discard(session),
    )
    sessions.add(session)
    return session
  }

  async function connect(client: pg.Client): Promise<{ isCluster: boolean }> {
    await client.connect()
    await client.query(firstStatements(connection))
    const { rows } = await client.query<[boolean]>({ text: planOnce, rowMode: 'array' })
    const isCluster = rows[0]![0]
    if (isCluster && (await isDistributed(sqlOn(client)))) {
      const { rows } = await client.query<[number[]]>({ text: selectNodesOfPartitions, rowMode: 'array' })
      nodes = rows[0]![0]
    }
    return { isCluster }
  }

  /** Sends no further statement to the session; its current ones are answered or fail. */
  function discard(session: Session): void {
    if (sessions.delete(session)) session.client.end().catch(() => undefined)
  }

  /**
   * A session for a statement; undefined: all are full. It is the one with the fewest statements of its node, or an idle one of another node that has
   * several. While all of these are busy it is a new one.
   */
  function free(node: RequestedNode): Session | undefined {
    const counts = new Map<RequestedNode, number>()
    for (const session of sessions) counts.set(session.node, (counts.get(session.node) ?? 0) + 1)
    let best: Session | undefined
    for (const session of sessions) {
      if (session.node !== node && (session.statements > 0 || counts.get(session.node) === 1)) continue
      if (!best || session.statements < best.statements) best = session
    }
    if (best?.statements !== 0 && (!counts.has(node) || sessions.size < connections)) return open(node)
    return best && best.statements < depth ? best : undefined
  }

  function taken(session: Session, node: RequestedNode): Session {
    session.statements++
    session.node = node
    return session
  }

  async function take(node: RequestedNode): Promise<Session> {
    if (closed) throw new DatabaseUnavailableError('the database was closed')
    // Those that wait longer go first.
    const isNext = ![...waiting].some((one) => one.node === node)
    const session = isNext ? free(node) : undefined
    if (session) return taken(session, node)
    const { promise, resolve, reject } = Promise.withResolvers<Session>()
    const own = { node, give: resolve }
    const timer = setTimeout(() => {
      waiting.delete(own)
      reject(new DatabaseUnavailableError(`the database accepted no statement for ${queueTimeoutMs} ms`))
    }, queueTimeoutMs)
    waiting.add(own)
    return promise.finally(() => clearTimeout(timer))
  }

  function giveBack(session: Session): void {
    session.statements--
    if (closed) return
    // The statements now may differ from those that it has plans for.
    if (session.pins?.full && session.statements === 0 && performance.now() - session.openedAt > renewMs)
      discard(session)
    const full = new Set<RequestedNode>()
    for (const one of waiting) {
      const next = full.has(one.node) ? undefined : free(one.node)
      if (next) {
        waiting.delete(one)
        one.give(taken(next, one.node))
        return
      }
      full.add(one.node)
    }
  }

  async function query(config: pg.QueryArrayConfig): Promise<pg.QueryArrayResult> {
    const partition = requestedPartition(config)
    const session = await take(partition === undefined ? undefined : nodes[partition])
    try {
      if (session.opening) await reached(session.opening)
      return await session.client.query(session.pins?.of(config) ?? config)
    } catch (error) {
      const reported = marked(error)
      onError?.(reported)
      // A server that shuts down reports it before the connection ends.
      if (isConnectionError(error) && sqlState(error) !== cancelled) discard(session)
      throw error
    } finally {
      giveBack(session)
    }
  }

  const prepared = (config: pg.QueryArrayConfig) =>
    query(config).catch((error: unknown) => {
      if (sqlState(error) === unprepared) return query(config)
      throw error
    })

  return {
    ...sqlOn({ query: prepared }),
    async bytes(text, values = []) {
      const config = {
        name: statementName(text),
        text,
        values,
        rowMode: 'array',
        types: undecoded,
        binary: true,
      } as const
      return (await prepared(config)).rows as ByteRow[]
    },
    take: memory.take,
    giveBack(row) {
      const part = row.find((column) => column !== null)
      if (part) memory.giveBack(part)
    },
    async close() {
      closed = true
      await Promise.all([...sessions].map(({ client }) => client.end()))
    },
  }
}
