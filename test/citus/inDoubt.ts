import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished, vi } from 'vitest'
import type { Sql } from '../../src/db/database.ts'
import { patience } from '../patience.ts'

/** Key of the advisory lock, on a worker, for which a held commit waits. */
const held = 7_205

/** Connects to each worker's part of a cluster database. */
export async function connectWorkers(database: string): Promise<pg.Client[]> {
  const clients = inject('postgres').workers.map((worker) => new pg.Client({ ...worker, database }))
  // Dropping the database ends these connections.
  for (const client of clients) client.on('error', () => undefined)
  await Promise.all(clients.map((client) => client.connect()))
  onTestFinished(async () => {
    await Promise.all(clients.map((client) => client.end()))
  })
  return clients
}

export type InDoubt = {
  /**
   * Waits until worker 0 has prepared and worker 1 is about to, then stops worker 0 and lets worker 1 continue.
   * Worker 1 commits, worker 0 does not.
   */
  arrive(): Promise<void>
  /** Lets worker 0 commit. */
  end(): void
  /** Makes worker 0 lose the session instead: its prepared transaction stays in doubt. */
  lose(): void
}

/**
 * Holds the next transaction that writes a chain's cursor between PREPARE TRANSACTION and COMMIT PREPARED on worker 0.
 * The coordinator and worker 1 have already committed.
 * Worker 1 waits in a deferred trigger while it prepares, which gives the time to stop worker 0.
 */
export async function holdCommit([first, second]: readonly pg.Client[]): Promise<InDoubt> {
  // Without these settings, a worker hides and protects its shards.
  await second!.query(
    'SET citus.override_table_visibility = off; SET citus.enable_manual_changes_to_shards = on; SET citus.enable_ddl_propagation = off',
  )
  const [{ shard } = { shard: '' }] = (
    await second!.query<{ shard: string }>(`SELECT relname AS shard FROM pg_class WHERE relname ~ '^chain_\\d+$'`)
  ).rows
  await second!.query(`SELECT pg_advisory_lock(${held})`)
  await second!.query(`
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_advisory_lock(${held}), pg_advisory_unlock(${held}); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER held AFTER UPDATE ON ${shard} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold()`)
  let stopped: number | undefined
  const end = () => {
    if (stopped !== undefined) process.kill(stopped, 'SIGCONT')
    stopped = undefined
  }
  onTestFinished(end)
  return {
    async arrive() {
      const preparing = async () =>
        (
          await first!.query<{ pid: number }>(
            `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle' AND query LIKE 'PREPARE TRANSACTION%'
             AND EXISTS (SELECT 1 FROM pg_prepared_xacts WHERE database = current_database())`,
          )
        ).rows[0]?.pid
      const pid = await vi.waitUntil(preparing, patience)
      process.kill(pid, 'SIGSTOP')
      stopped = pid
      await second!.query(`SELECT pg_advisory_unlock(${held})`)
    },
    end,
    lose() {
      process.kill(stopped!, 'SIGTERM')
      end()
    },
  }
}

/**
 * Leaves the rows of a partition in these tables in doubt on worker `node`, as if the coordinator had lost the node at commit.
 * The rows are prepared, and everything else is committed. Returns a function that commits them.
 */
export async function leaveInDoubt(
  sql: Sql,
  node: pg.Client,
  { tables, partition }: { tables: readonly string[]; partition: number },
): Promise<() => Promise<unknown>> {
  const shards = await Promise.all(
    tables.map(async (table) => {
      const [[shard] = [0n]] = await sql.rows<[bigint]>('SELECT get_shard_id_for_distribution_column($1, $2::int2)', [
        table,
        partition,
      ])
      return `${table}_${shard}`
    }),
  )
  await node.query(
    'SET citus.override_table_visibility = off; SET citus.enable_manual_changes_to_shards = on; SET citus.enable_ddl_propagation = off',
  )
  for (const shard of shards) await node.query(`CREATE TABLE kept_${shard} AS TABLE ${shard}; DELETE FROM ${shard}`)
  await node.query('BEGIN')
  for (const shard of shards) await node.query(`INSERT INTO ${shard} TABLE kept_${shard}`)
  // The name must be unique on the server, because other tests leave prepared transactions there as well.
  const name = `'turn in doubt ${randomUUID()}'`
  await node.query(`PREPARE TRANSACTION ${name}`)
  // Cleans up after a failed test: a database with a prepared transaction cannot be dropped.
  onTestFinished(() => node.query(`ROLLBACK PREPARED ${name}`).then(noop, noop))
  return () => node.query(`COMMIT PREPARED ${name}`)
}

const noop = () => undefined
