import { MintmarkError } from '../../util/errors.ts'
import type { Database, Sql, Transaction } from '../database.ts'
import { ownSchema } from '../ownSchema.ts'

/** Statements are written so that PostgreSQL and Citus both accept them. If no form suits both, the code checks for Citus, in this file only. */

/** SQL that is true if the database has Citus. */
export const hasCitus = `EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus')`

/** Whether the database has Citus. */
export async function isCitus(sql: Sql): Promise<boolean> {
  const [[citus] = [false]] = await sql.rows<[boolean]>(`SELECT ${hasCitus}`)
  return citus
}

/**
 * For a transaction whose statements write rows of several shards that no other transaction writes meanwhile. By default Citus serializes such
 * statements by table, whatever rows they write, so that they cannot lock the same rows in two orders. PostgreSQL stores the setting but ignores it.
 */
export const writeBesideOthers = 'SET LOCAL citus.enable_deadlock_prevention = off'

/**
 * For a session that must detect an unreachable cluster node soon: by default Citus waits half a minute for a connection. PostgreSQL stores the
 * setting but ignores it.
 */
export const nodesWithin = (ms: number) => `SET citus.node_connection_timeout = ${ms}`

/** Creates all later objects of a transaction (temporary views) only on this node. PostgreSQL stores the setting but ignores it. */
export const hereAlone = 'SET LOCAL citus.enable_ddl_propagation = off'

/**
 * Applies a setting for the rest of a transaction, also on the nodes of a cluster. Each statement is sent in its own message: Citus forwards the
 * whole script of a SET to nodes, which accept only one statement.
 */
export async function setEverywhere(db: Database, tx: Transaction, set: string): Promise<void> {
  const messages = [
    `SET LOCAL citus.propagate_set_commands = 'local'`,
    set,
    `SET LOCAL citus.propagate_set_commands = 'none'`,
  ]
  for (const message of (await runsDistributed(db, tx)) ? messages : [set]) await tx.script(message)
}

/** The address is that of a cluster's worker, which has only some of the rows. */
export class WorkerAddressError extends MintmarkError {
  readonly code = 'WORKER_ADDRESS'
}

/** Throws WorkerAddressError if the database is a worker of a Citus cluster. */
export async function rejectWorker(sql: Sql): Promise<void> {
  if (!(await isCitus(sql))) return
  const [[group] = [0]] = await sql.rows<[number]>('SELECT groupid FROM pg_dist_local_group')
  if (group !== 0)
    throw new WorkerAddressError(
      'the database is a worker of a Citus cluster: set --database-url (databaseUrl) to its coordinator',
    )
}

/** A node of a cluster reports errors in a language that Mintmark does not know. */
export class NodeLanguageError extends MintmarkError {
  readonly code = 'NODE_LANGUAGE'
}

const english = /^(?:|C|POSIX|en|english)(?:[._@ -]|$)/i

/**
 * Throws NodeLanguageError if a node of a Citus cluster has messages in another language than English. The coordinator forwards many errors of nodes
 * only by their text (`restated`).
 */
export async function rejectLanguages(sql: Sql): Promise<void> {
  if (!(await isCitus(sql))) return
  const rows = await sql.rows<[node: string, language: string]>(selectLanguages)
  const foreign = rows.filter(([, language]) => !english.test(language))
  if (foreign.length > 0)
    throw new NodeLanguageError(
      `${foreign.map(([node, language]) => `${node} has lc_messages = ${language}`).join(', ')}, but Mintmark recognizes errors of cluster nodes by their English messages: on these nodes, as a superuser, run ALTER SYSTEM SET lc_messages = 'C'; SELECT pg_reload_conf()`,
    )
}

const selectLanguages = `
SELECT n.nodename || ':' || n.nodeport, a.result FROM run_command_on_all_nodes('SHOW lc_messages') a JOIN pg_dist_node n ON n.nodeid = a.nodeid
WHERE a.success ORDER BY 1`

/** Placement of a table: its rows on nodes by partition, all rows on every node, or only on the coordinator. */
export type Place = 'partition' | 'everywhere' | 'coordinator'

/**
 * Tables on every node, as they are joined with rows of several partitions; also `webhook_url`, although it has a partition. Any other table with a
 * column `partition` is distributed by it, in one colocation group, so rows of one partition are on one node. A table without that column is only on
 * the coordinator. Each node commits its copy of a chain's cursor and blocks together with its own rows of these blocks, so no statement on one node
 * sees one without the other.
 */
const everywhere = ['block', 'chain', 'chain_mark', 'webhook_url']

/** A table of the schema, its placement on a cluster, and whether it exists. */
export type PlacedTable = { table: string; place: Place; placed: boolean }

/** The tables of a database with Citus, by their names. */
export async function readPlaces(sql: Sql): Promise<PlacedTable[]> {
  const rows = await sql.rows<[table: string, place: Place, placed: boolean]>(
    `SELECT c.relname::text, p.place, d.logicalrelid IS NOT NULL OR p.place = 'coordinator'
     FROM pg_class c
     LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'partition' AND NOT a.attisdropped AND a.atttypid = 'int2'::regtype
     CROSS JOIN LATERAL (SELECT CASE WHEN c.relname = ANY($1) THEN 'everywhere' WHEN a.attnum IS NULL THEN 'coordinator' ELSE 'partition' END
       AS place) p
     LEFT JOIN pg_dist_partition d ON d.logicalrelid = c.oid
     WHERE c.relnamespace = ${ownSchema} AND c.relkind = 'r'
     ORDER BY c.relname`,
    [everywhere],
  )
  return rows.map(([table, place, placed]) => ({ table, place, placed }))
}

/** Whether the database has Citus and distributed tables. */
export async function isDistributed(sql: Sql): Promise<boolean> {
  if (!(await isCitus(sql))) return false
  const [[distributed] = [false]] = await sql.rows<[boolean]>(
    `SELECT EXISTS (SELECT 1 FROM pg_dist_partition JOIN pg_class c ON c.oid = logicalrelid WHERE c.relnamespace = ${ownSchema})`,
  )
  return distributed
}

const known = new WeakMap<Database, boolean>()

/** The same, queried once per `sql`: no database is distributed while servers run on it. */
export async function runsDistributed(db: Database, sql: Sql = db): Promise<boolean> {
  const distributed = known.get(db) ?? (await isDistributed(sql))
  known.set(db, distributed)
  return distributed
}

/**
 * Items in groups for a statement that Citus rejects on several shards: by partition on a distributed database, else one
 * group.
 */
export async function groupByShard<T>(
  db: Database,
  items: readonly T[],
  partitionOf: (item: T) => number,
): Promise<(readonly T[])[]> {
  const groups = [...Map.groupBy(items, partitionOf).values()]
  return groups.length > 1 && (await runsDistributed(db)) ? groups : [items]
}

/** SQL of a table's bytes (an expression of an oid), with its indexes, on all nodes. Only for a distributed database. */
export const bytesOnNodes = (table: string) => `CASE
  WHEN EXISTS (SELECT 1 FROM pg_dist_partition d WHERE d.logicalrelid = ${table}) THEN citus_total_relation_size(${table})
  ELSE pg_total_relation_size(${table})
END`
