import type pg from 'pg'
import { onServer } from './onServer.ts'

/** A PostgreSQL on which tests make databases, each as a copy of a template. */
export type TestPostgres = {
  connection: pg.ClientConfig
  /** If it is a Citus coordinator, the other nodes of its cluster: each of them has a part of every database. */
  workers: pg.ClientConfig[]
  /** Names of databases begin with it. */
  prefix: string
  /** A database without tables, on Citus with the extension and the nodes; never connected to. */
  blank: string
  /** A migrated one, on Citus a distributed one; never connected to. */
  template: string
}

type Nodes = Pick<TestPostgres, 'connection' | 'workers'>

export function nodesOf({ connection, workers }: Nodes): pg.ClientConfig[] {
  return [connection, ...workers]
}

/** Runs statements on each node at once. */
export async function onNodes(nodes: Nodes, ...texts: string[]): Promise<void> {
  await Promise.all(nodesOf(nodes).map((node) => onServer(node, ...texts)))
}

/** Copies a database that nobody is connected to: as files, since page by page through the log takes twenty times as long. */
export async function copyDatabase(nodes: Nodes, from: string, name: string): Promise<void> {
  await onNodes(nodes, `CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY file_copy`)
}

/** Keeps everybody out of a database, Citus' own daemon included, so that it can be copied. */
export async function sealDatabase(nodes: Nodes, name: string): Promise<void> {
  await onNodes(
    nodes,
    `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`,
  )
}

/** Removes a database, also where others are still connected to it. On a cluster, nodes connect to each other as long as they may. */
export async function dropDatabase(nodes: Nodes, name: string): Promise<void> {
  if (nodes.workers.length > 0) await sealDatabase(nodes, name)
  await onNodes(nodes, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}
