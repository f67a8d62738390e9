import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { onServer } from './onServer.ts'
import { dropDatabase, nodesOf, onNodes, sealDatabase, type TestPostgres } from './testPostgres.ts'

/** The server at `url`. If it is a Citus coordinator, the workers of its cluster are included. */
export async function givenPostgres(url: string): Promise<TestPostgres> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: url })
  const connection: pg.ClientConfig = { host, port, user, database, ...(password && { password }) }
  const prefix = `test_${randomBytes(4).toString('hex')}_`
  const workers = (await readWorkers(connection)).map((worker) => ({ ...connection, ...worker }))
  const postgres = { connection, workers, prefix, blank: `${prefix}blank`, template: `${prefix}template` }
  if (workers.length === 0) return { ...postgres, blank: 'template0' }
  await makeCluster(postgres, postgres.blank)
  return postgres
}

/** Empty if the database has no Citus, or Citus has no other node. */
async function readWorkers(connection: pg.ClientConfig): Promise<{ host: string; port: number }[]> {
  const [extension] = await onServer(connection, `SELECT 1 FROM pg_extension WHERE extname = 'citus'`)
  if (extension!.rows.length === 0) return []
  const [nodes] = await onServer(
    connection,
    'SELECT nodename, nodeport FROM pg_dist_node WHERE groupid > 0 ORDER BY 1, 2',
  )
  return (nodes!.rows as [string, number][]).map(([host, port]) => ({ host, port }))
}

/** A database of a cluster is one database on each node; the coordinator's database knows the others. */
async function makeCluster(nodes: TestPostgres, name: string): Promise<void> {
  await onNodes(nodes, `SET client_min_messages = error`, `CREATE DATABASE ${name}`)
  await Promise.all(nodesOf(nodes).map((node) => onServer({ ...node, database: name }, 'CREATE EXTENSION citus')))
  const address = ({ host, port }: pg.ClientConfig) => `${pg.escapeLiteral(host!)}, ${port}`
  await onServer(
    { ...nodes.connection, database: name },
    `SELECT citus_set_coordinator_host(${address(nodes.connection)})`,
    ...nodes.workers.map((worker) => `SELECT citus_add_node(${address(worker)})`),
  )
  await sealDatabase(nodes, name)
}

/** Removes every database of a run, including those that a test did not drop. */
export async function dropAll(postgres: TestPostgres): Promise<void> {
  const like = postgres.prefix.replaceAll('_', '\\_')
  const [found] = await onServer(postgres.connection, `SELECT datname FROM pg_database WHERE datname LIKE '${like}%'`)
  for (const [name] of found!.rows as [string][]) await dropDatabase(postgres, name)
}
