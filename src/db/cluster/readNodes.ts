import type { Database, Sql } from '../database.ts'
import { isDistributed, runsDistributed } from './citus.ts'

/** A node of a Citus cluster. */
export type ClusterNode = {
  /** host:port. */
  name: string
  coordinator: boolean
  /** Accepts rows: shards may be on it. */
  takesRows: boolean
  /** Number of the group's shards on it, each with its part of every table. */
  shards: number
}

/** The nodes of a Citus cluster, and the number of shards of the tables; 0: the tables are not distributed. */
export async function readNodes(sql: Sql): Promise<{ nodes: ClusterNode[]; shards: number }> {
  const rows = await sql.rows<[name: string, coordinator: boolean, takesRows: boolean, shards: number]>(
    `SELECT n.nodename || ':' || n.nodeport, n.groupid = 0, n.shouldhaveshards, count(s.shardid)::int
     FROM pg_dist_node n
     LEFT JOIN pg_dist_placement p ON p.groupid = n.groupid
     LEFT JOIN pg_dist_shard s ON s.shardid = p.shardid AND s.logicalrelid = to_regclass('collection')
     WHERE n.isactive AND n.noderole = 'primary'
     GROUP BY n.nodeid ORDER BY n.groupid`,
  )
  const nodes = rows.map(([name, coordinator, takesRows, shards]) => ({ name, coordinator, takesRows, shards }))
  return { nodes, shards: nodes.reduce((sum, node) => sum + node.shards, 0) }
}

/** The nodes of the cluster over which the tables are distributed; undefined for a single server. */
export async function readCluster(sql: Sql): Promise<{ nodes: ClusterNode[]; shards: number } | undefined> {
  return (await isDistributed(sql)) ? readNodes(sql) : undefined
}

/** A node that does not respond to the coordinator, as host and port, with the error. */
export type UnreachableNode = { name: string; reason: string }

/** Queries each node of the cluster, and returns those that do not answer. Throws if the database itself, maybe a single server, does not answer. */
export async function readUnreachableNodes(db: Database): Promise<UnreachableNode[]> {
  const rows = await db.rows<[string, string]>((await runsDistributed(db)) ? selectUnreachable : 'SELECT 1 LIMIT 0')
  return rows.map(([name, reason]) => ({ name, reason: reason.replaceAll(/\s+/g, ' ').slice(0, 300) }))
}

const selectUnreachable = `
SELECT n.nodename || ':' || n.nodeport, coalesce(a.result, '') FROM run_command_on_all_nodes('SELECT 1') a JOIN pg_dist_node n ON n.nodeid = a.nodeid
WHERE NOT a.success ORDER BY 1`

/** SQL for the node of each partition, a number for each in their order. Only for a distributed database. */
export const selectNodesOfPartitions = `
SELECT array_agg(s.groupid ORDER BY p) FROM generate_series(0, 255) AS p
  JOIN pg_dist_placement s ON s.shardid = get_shard_id_for_distribution_column('collection', p::smallint)`
