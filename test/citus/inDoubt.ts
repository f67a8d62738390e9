import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished, vi } from 'vitest'
import type { Sql } from '../../src/db/database.ts'
import { patience } from '../patience.ts'

/** The number of the advisory lock, on a worker, that a held commit waits for. */
const held = 7_205

/** The parts of a database of a cluster, by worker; a connection to each. */
export async function connectWorkers(database: string): Promise<pg.Client[]> {
  const clients = inject('postgres').workers.map((worker) => new pg.Client({ ...worker, database }))
  // Removing the database ends them.
  for (const client of clients) client.on('error', () => undefined)
  await Promise.all(clients.map((client) => client.connect()))
  onTestFinished(async () => {
    await Promise.all(clients.map((client) => client.end()))
  })
  return clients
}

export type InDoubt = {
  /** Waits until worker 0 has prepared and worker 1 is about to, stops worker 0 and lets worker 1 go on: it commits, worker 0 does not. */
  arrive(): Promise<void>
  /** Lets worker 0 commit. */
  end(): void
  /** Has worker 0 lose the session instead: what it prepared stays in doubt. */
  lose(): void
}

/**
 * Holds the next transaction that writes the cursor of a chain between PREPARE TRANSACTION and COMMIT PREPARED of worker 0, while the
 * coordinator and worker 1 have committed. Worker 1 waits in a deferred trigger as it prepares, which gives the time to stop worker 0.
 */
export async function holdCommit([first, second]: readonly pg.Client[]): Promise<InDoubt> {
  // Else a worker hides its shards, and protects them.
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
 * Has the rows of a partition in these tables in doubt on worker `node`, as if the coordinator had lost the node at the commit that wrote them:
 * they are prepared, and everything else is committed. Gives a function that commits them.
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
  // Of the whole server, on which other tests leave some as well.
  const name = `'turn in doubt ${randomUUID()}'`
  await node.query(`PREPARE TRANSACTION ${name}`)
  // If the test failed before it ends, as no database with a prepared transaction can be dropped.
  onTestFinished(() => node.query(`ROLLBACK PREPARED ${name}`).then(noop, noop))
  return () => node.query(`COMMIT PREPARED ${name}`)
}

const noop = () => undefined
