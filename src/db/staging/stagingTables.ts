import type { Log } from '../../util/log.ts'
import { isCitus, runsDistributed, writeBesideOthers } from '../cluster/citus.ts'
import { type Database, joinByKeys, type Transaction } from '../database.ts'
import { sqlState } from '../databaseError.ts'

/**
 * SQL that adds a condition: the rows of these aliases are of one partition. A cluster needs it to run a statement on one shard; a join with a list
 * of keys does not show it. Empty if the keys are of several partitions.
 */
export type Within = (...aliases: string[]) => string

/** The partition of all keys; undefined: they have several. */
export function onlyPartition(keys: readonly { partition: number }[]): number | undefined {
  const partition = keys[0]?.partition
  return keys.every((key) => key.partition === partition) ? partition : undefined
}

export function within(partition: number | undefined): Within {
  return (...aliases) =>
    partition === undefined ? '' : aliases.map((alias) => ` AND ${alias}.partition = ${partition}`).join('')
}

/**
 * The staging tables, see `db/schema/stage.sql`. A transaction copies rows into them, joins them with other tables, and empties them before it
 * commits. So nobody ever sees rows of another transaction, and no statement checks whose rows it reads. Staging tables have no index: transactions
 * that fill them never wait for each other, and an index would add half of the cost of copying the rows.
 */
export const stages = [
  'stage_token',
  'stage_balance',
  'stage_held',
  'stage_sole',
  'stage_undo',
  'stage_holder',
  'stage_metadata',
  'stage_gone',
  'stage_wallet',
  'stage_move',
] as const

export type StagingTable = (typeof stages)[number]

/** `partition`: of all rows in the staging tables, so that a cluster empties them on one shard; undefined: they may be of several. */
export type UsedStagingTables = {
  stages: readonly StagingTable[]
  partition?: number | undefined
  /** The statements only look up keys of the tables that they join with staging tables: see `lookUpKeys`. */
  byKeys?: boolean
}

/**
 * For statements that change rows of a table by keys in a staging table. If the statistics show an empty table, as after a vacuum of emptied pages, a
 * full index scan seems as cheap as a lookup. The plan then starts with the table, and reads the staging table for each of its rows. A bitmap scan
 * only looks up keys, so without other scans the plan starts with the staging table. A condition on the partition number would be such a key: only a
 * cluster gets it (`joinedWithin`).
 */
export const lookUpKeys = 'SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off'
export const scanIndexes = 'SET LOCAL enable_indexscan = DEFAULT; SET LOCAL enable_indexonlyscan = DEFAULT'

/**
 * Runs statements that look up keys whatever the statistics, after `lookUpKeys`. Indexes with the same first columns seem equal without statistics. So
 * a lookup is a subquery with an order that only the wanted index has, and nothing is sorted. Such a subquery is not merged into a join either, so the
 * plan starts with the staging table.
 */
export async function lookUpInOrder<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await tx.script(`${scanIndexes}; SET LOCAL enable_sort = off`)
  const result = await work()
  await tx.script(`${lookUpKeys}; SET LOCAL enable_sort = DEFAULT`)
  return result
}

/** The partition for such a statement. */
export async function joinedWithin(tx: Transaction, partition: number | undefined): Promise<number | undefined> {
  return partition !== undefined && (await isCitus(tx)) ? partition : undefined
}

/**
 * Runs `work`, which fills and reads these staging tables, and then empties them. If `work` throws, the transaction is rolled back anyway.
 * PostgreSQL's size estimate of a staging table is unrelated to its rows: it is the file size before the first vacuum, and zero after one. So a
 * staging table is joined with a table by that table's key, whatever the plan expects (`lookUpKeys`). Two staging tables are joined by FULL JOIN,
 * which is never a nested loop.
 */
export async function withStagingTables<T>(
  tx: Transaction,
  used: UsedStagingTables,
  work: () => Promise<T>,
): Promise<T> {
  await tx.script(`${joinByKeys}; ${writeBesideOthers}${used.byKeys ? `; ${lookUpKeys}` : ''}`)
  const result = await work()
  const where = used.partition === undefined ? '' : ` WHERE partition = ${used.partition}`
  const empty = used.stages.map((stage) => `DELETE FROM ${stage}${where}`).join('; ')
  await tx.script(
    `${empty}; ${scanIndexes}; SET LOCAL enable_hashjoin = DEFAULT; SET LOCAL enable_mergejoin = DEFAULT; SET LOCAL citus.enable_deadlock_prevention = DEFAULT`,
  )
  return result
}

/** Size of a staging table up to which it is not cleaned: every statement that reads it reads its whole file, 0.4 ms of a core per megabyte. */
const smallBytes = 524_288

/** The same on a cluster, for all parts of a staging table together, and how often it is checked, in milliseconds. */
const smallNodesBytes = 8 * smallBytes
const nodesMs = 5_000

/**
 * Size of a staging table above which merges may be blocked to truncate it, the maximum time of that, and the pause after a failed attempt, for
 * example if every merge takes longer. Both times double with each further failure, up to sixteen times. The cleaner holds no lock while it waits for
 * one. If a merge waits behind it and others wait for that merge, PostgreSQL moves the merge in front.
 */
const usualPressing = { bytes: 64 * 1_048_576, waitMs: 500, patienceMs: 5_000 }

/** Whether others use the staging table, and whether one of them only reads it: pg_dump and `mintmark db query` do, until they end. */
const selectUse = `
SELECT count(*) > 0, coalesce(bool_or(NOT writes), false)
FROM (
  SELECT bool_or(mode = 'RowExclusiveLock') AS writes FROM pg_locks JOIN pg_database d ON d.oid = database
  WHERE d.datname = current_database() AND relation = to_regclass($1) AND pid <> pg_backend_pid()
  GROUP BY pid
) u`

/**
 * Returns a function that removes the dead rows of transactions from the staging tables. Call it about every second. An unused staging table is
 * truncated; any other is vacuumed, which does not block merges. Rows that a long snapshot holds, for example a backup's, cannot be vacuumed, so a
 * large staging table is truncated between two merges. Only one process at a time vacuums a staging table. If all of this fails, for example without
 * the rights of an owner, only PostgreSQL's own autovacuum cleans.
 */
export function createStagingCleaner(options: {
  db: Database
  log: Log
  pressing?: typeof usualPressing
}): () => Promise<'idle'> {
  const { db, log, pressing = usualPressing } = options
  let pressAt = 0
  let longer = 1

  /** False: the staging table is in use. `lock` starts the transaction. */
  async function truncate(stage: string, lock: string): Promise<boolean> {
    try {
      await db.transaction((tx) => tx.script(`${lock}; TRUNCATE ${stage}`))
      return true
    } catch (error) {
      // Locked, a deadlock, or no right.
      if (!['55P03', '40P01', '42501'].includes(sqlState(error) ?? '')) throw error
      log.debug({ stage, err: error }, 'staging table not truncated')
      return false
    }
  }

  async function clean(stage: string, bytes: number): Promise<void> {
    // Checked first, as a rejected lock is an error in PostgreSQL's log.
    const [[isUsed, isRead] = [true, true]] = await db.rows<[boolean, boolean]>(selectUse, [stage])
    if (!isUsed && (await truncate(stage, `LOCK TABLE ${stage} IN ACCESS EXCLUSIVE MODE NOWAIT`))) return
    await db.run(`VACUUM (SKIP_LOCKED, TRUNCATE off) ${stage}`)
    if (isRead || bytes < pressing.bytes || performance.now() < pressAt) return
    if (await truncate(stage, `SET LOCAL lock_timeout = ${pressing.waitMs * longer}`)) longer = 1
    else {
      pressAt = performance.now() + pressing.patienceMs * longer
      longer = Math.min(2 * longer, 16)
    }
  }

  /** Time until which staging tables on nodes are not checked: each check queries every node. */
  let lookAt = 0

  /**
   * On a cluster the rows are on the nodes, and a lock of all their parts would block every merge. So they are vacuumed, as the nodes' own autovacuum
   * does later.
   */
  async function cleanNodes(): Promise<void> {
    if (performance.now() < lookAt) return
    lookAt = performance.now() + nodesMs
    const sizes = await db.rows<[string, bigint]>(
      'SELECT name, citus_table_size(to_regclass(name))::int8 FROM unnest($1::text[]) AS s (name)',
      [stages],
    )
    for (const [stage, bytes] of sizes) if (bytes > smallNodesBytes) await db.run(`VACUUM (SKIP_LOCKED) ${stage}`)
  }

  return async () => {
    if (await runsDistributed(db)) {
      await cleanNodes()
      return 'idle'
    }
    const sizes = await db.rows<[string, bigint]>(
      'SELECT name, pg_table_size(to_regclass(name))::int8 FROM unnest($1::text[]) AS s (name)',
      [stages],
    )
    for (const [stage, bytes] of sizes) if (bytes > smallBytes) await clean(stage, Number(bytes))
    return 'idle'
  }
}
