import type pg from 'pg'
import { onServer } from './onServer.ts'

/** A PostgreSQL on which tests create databases, each as a copy of a template. */
export type TestPostgres = {
  connection: pg.ClientConfig
  /** The other nodes of the cluster if it is a Citus coordinator. Each of them stores a part of every database. */
  workers: pg.ClientConfig[]
  /** Prefix of the names of databases. */
  prefix: string
  /** A database without tables, on Citus with the extension and the nodes. Nothing ever connects to it. */
  blank: string
  /** A migrated database, distributed on Citus. Nothing ever connects to it. */
  template: string
}

type Nodes = Pick<TestPostgres, 'connection' | 'workers'>

export function nodesOf({ connection, workers }: Nodes): pg.ClientConfig[] {
  return [connection, ...workers]
}

/** Runs statements on all nodes in parallel. */
export async function onNodes(nodes: Nodes, ...texts: string[]): Promise<void> {
  await Promise.all(nodesOf(nodes).map((node) => onServer(node, ...texts)))
}

/** Copies a database without connections. It copies files, because copying page by page through the WAL takes twenty times as long. */
export async function copyDatabase(nodes: Nodes, from: string, name: string): Promise<void> {
  await onNodes(nodes, `CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY file_copy`)
}

/** Closes a database to everyone, including the daemon of Citus, so that it can be copied. */
export async function sealDatabase(nodes: Nodes, name: string): Promise<void> {
  await onNodes(
    nodes,
    `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`,
  )
}

/**
 * Drops a database, even if other clients are still connected to it.
 * On a cluster, it seals the database first: otherwise nodes keep connecting to each other.
 */
export async function dropDatabase(nodes: Nodes, name: string): Promise<void> {
  if (nodes.workers.length > 0) await sealDatabase(nodes, name)
  await onNodes(nodes, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}
