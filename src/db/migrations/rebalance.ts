import type pg from 'pg'
import { isDistributed, rejectWorker } from '../cluster/citus.ts'
import type { Database } from '../database.ts'
import { sqlState } from '../databaseError.ts'
import { stages } from '../staging/stagingTables.ts'
import { NotDistributableError } from './distribute.ts'

/** The move of one shard of every distributed table to another node, both as host:port. */
export type ShardMove = { shard: bigint; from: string; to: string }

/** The advisory lock, any fixed number, that a session holds while it moves shards. */
const rebalanceLock = 7_205_746_603

/**
 * Retries if the move or a server's transaction was ended by a deadlock. Citus locks the tables in the order of their distribution, and transactions
 * in their own.
 */
const mostAttempts = 20

/** First and longest time for which merges are blocked while a staging table waits for its users, in milliseconds. */
const holdUpMs = { first: 250, most: 4_000 }

/**
 * Moves shards while servers run: to an added node, or off a node that accepts no more rows. First, tables that are on every node are copied. Each
 * shard is copied and then follows its original by logical replication, so writers wait only at the end. Throws NotDistributableError if that cannot
 * work. Citus moves the staging tables with all other tables. Replicated tables must be logged and have a replica identity, which would slow down
 * each merge. So the staging tables have both only during a move. If the process is killed, they stay so until the next call.
 */
export async function rebalance(
  db: Database,
  options: {
    onPlan(moves: readonly ShardMove[]): void
    onMoved(move: ShardMove): void
    signal: AbortSignal
  },
): Promise<ShardMove[]> {
  const { onPlan, onMoved, signal } = options
  await rejectUnmovable(db)
  const session = await db.connect()
  const cancel = () => void db.run('SELECT pg_cancel_backend($1::integer)', [pid]).catch(() => undefined)
  let pid = 0
  try {
    const { rows } = await session.query<{ held: boolean; pid: number }>(
      'SELECT pg_try_advisory_lock($1) AS held, pg_backend_pid() AS pid',
      [rebalanceLock],
    )
    if (!rows[0]!.held)
      throw new NotDistributableError('shards are already being moved: wait until that ends, then run this again')
    pid = rows[0]!.pid
    signal.throwIfAborted()
    signal.addEventListener('abort', cancel)
    // In a deadlock, the first session that checks is ended: a server repeats less work than a move. Only a superuser may set it.
    await session.query(`SET deadlock_timeout = '1h'`).catch(() => undefined)
    return await moveAll(session, { onPlan, onMoved, signal })
  } finally {
    signal.removeEventListener('abort', cancel)
    await session.end()
  }
}

async function moveAll(
  session: pg.Client,
  { onPlan, onMoved, signal }: Parameters<typeof rebalance>[1],
): Promise<ShardMove[]> {
  try {
    await copyEverywhere(session)
    const moves = await readMoves(session)
    onPlan(moves)
    if (moves.length > 0)
      for (const stage of stages) await alter(session, `ALTER TABLE ${stage} REPLICA IDENTITY FULL, SET LOGGED`)
    for (const move of moves) {
      signal.throwIfAborted()
      await persistently(() => session.query(moveShard, [move.shard, ...splitName(move.from), ...splitName(move.to)]))
      onMoved(move)
    }
    return moves
  } finally {
    await restoreStagingTables(session)
  }
}

const moveShard = `SELECT citus_move_shard_placement($1, $2, $3, $4, $5, 'auto')`

async function restoreStagingTables(session: pg.Client): Promise<void> {
  const { rows } = await session.query<{ stage: string }>(
    `SELECT s.stage FROM unnest($1::text[]) AS s (stage) JOIN pg_class c ON c.oid = to_regclass(s.stage) WHERE c.relpersistence = 'p'`,
    [stages],
  )
  for (const { stage } of rows) await alter(session, `ALTER TABLE ${stage} SET UNLOGGED, REPLICA IDENTITY DEFAULT`)
}

/** Throws NotDistributableError if no shard can be moved in this database. */
async function rejectUnmovable(db: Database): Promise<void> {
  await rejectWorker(db)
  if (!(await isDistributed(db)))
    throw new NotDistributableError(
      'the tables are on one server: only those of a Citus cluster are moved, see "mintmark migrate --distribute"',
    )
  const rows = await db.rows<[node: string, level: string]>(selectLevels)
  if (rows.length > 0)
    throw new NotDistributableError(
      `${rows.map(([node, level]) => `${node} has wal_level = ${level}`).join(', ')}, and shards are moved by logical replication: there, as a superuser, ALTER SYSTEM SET wal_level = 'logical', then restart PostgreSQL`,
    )
}

const selectLevels = `
SELECT n.nodename || ':' || n.nodeport, a.result FROM run_command_on_workers('SHOW wal_level') a JOIN pg_dist_node n USING (nodename, nodeport)
WHERE a.success AND a.result <> 'logical' ORDER BY 1`

/** Copies the tables that are on every node to nodes without them. */
async function copyEverywhere(session: pg.Client): Promise<void> {
  const { rows } = await session.query<{ missing: boolean }>(selectMissing)
  if (!rows[0]!.missing) return
  try {
    await persistently(() => session.query(`SELECT replicate_reference_tables('auto')`))
  } catch (cause) {
    if (sqlState(cause) !== '42501') throw cause
    throw new NotDistributableError(
      `a node lacks copies of the tables that every node must have, and this user may not create them: as a superuser, SELECT replicate_reference_tables('auto'), then run this command again`,
      { cause },
    )
  }
}

const selectMissing = `
SELECT EXISTS (
  SELECT 1 FROM pg_dist_node n CROSS JOIN pg_dist_shard s
  WHERE n.isactive AND n.noderole = 'primary' AND s.logicalrelid = to_regclass('chain')
    AND NOT EXISTS (SELECT 1 FROM pg_dist_placement p WHERE p.shardid = s.shardid AND p.groupid = n.groupid)
) AS missing`

/** The moves that Citus would make, by the bytes on each node. */
async function readMoves(session: pg.Client): Promise<ShardMove[]> {
  const { rows } = await session.query<{ shard: bigint; from: string; to: string }>(
    `SELECT shardid AS shard, sourcename || ':' || sourceport AS from, targetname || ':' || targetport AS to
     FROM get_rebalance_table_shards_plan('collection') WHERE table_name = 'collection'::regclass`,
  )
  return rows
}

function splitName(name: string): [host: string, port: string] {
  const at = name.lastIndexOf(':')
  return [name.slice(0, at), name.slice(at + 1)]
}

/** Alters a staging table between two merges: later merges wait for a short time, and go first if that time was not enough. */
async function alter(session: pg.Client, statement: string): Promise<void> {
  for (let waitMs = holdUpMs.first; ; waitMs = Math.min(2 * waitMs, holdUpMs.most))
    try {
      await session.query(`BEGIN; SET LOCAL lock_timeout = ${waitMs}`)
      await session.query(statement)
      await session.query('COMMIT')
      return
    } catch (error) {
      await session.query('ROLLBACK')
      if (sqlState(error) !== '55P03') throw error
    }
}

/** Runs `work`, and again if a deadlock with a server's transaction ended it. */
async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if (attempt === mostAttempts || sqlState(error) !== '40P01') throw error
    }
}
