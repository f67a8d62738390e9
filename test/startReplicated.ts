import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { onTestFinished } from 'vitest'
import { createDatabase, type Database, type Row } from '../src/db/database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded/startEmbeddedPostgres.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { isConflict, reread } from '../src/db/replica/reread.ts'
import { silentLog } from '../src/util/log.ts'
import { copyCluster } from './copyCluster.ts'
import { databaseUrl, type TestDatabase } from './database.ts'
import { newCluster } from './newCluster.ts'
import { onServer } from './onServer.ts'
import { temporaryDataFolder } from './temporaryFolder.ts'

/** A PostgreSQL that others can replicate, with data that need not outlive a power cut. */
const settings = {
  wal_level: 'replica',
  max_wal_senders: '4',
  max_connections: '100',
  shared_buffers: '32MB',
  fsync: 'off',
  full_page_writes: 'off',
  min_wal_size: '32MB',
}

/** Settings of the replica: a statement that holds up replaying is canceled at once. */
const standby = { wal_retrieve_retry_interval: '100ms', max_standby_streaming_delay: '0' }

export type Replica = {
  connection: pg.ClientConfig
  url: string
  /** Statements on the replica, as its superuser. */
  db: Database
  /** Stops replaying what the primary sends: from then on the replica shows what it has. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Resolves once the replica has replayed all that the primary has committed. */
  untilReplayed(): Promise<void>
  stop(): Promise<void>
  /** Starts it again after `stop`. */
  start(): Promise<void>
  /** Makes a primary of it. */
  promote(): Promise<void>
}

/** A primary with a migrated database, and its streaming replica; both end with the test. */
export async function startReplicated(): Promise<{ primary: TestDatabase; replica: Replica }> {
  const [ofPrimary, ofReplica] = [await temporaryDataFolder(), await temporaryDataFolder()]
  await newCluster(ofPrimary)
  // A copy of a server that was stopped in order is a base backup; the cluster as it was made reports a log that cannot be replicated.
  await (await startEmbeddedPostgres({ dataDir: ofPrimary, log: silentLog, settings })).stop()
  await copyCluster(join(ofPrimary, 'postgres'), ofReplica)
  await writeFile(join(ofReplica, 'postgres', 'standby.signal'), '')

  const server = await startEmbeddedPostgres({ dataDir: ofPrimary, log: silentLog, settings })
  onTestFinished(() => server.stop())
  // The replica reaches the socket of the primary as the user that both run as.
  await chmod(ofPrimary, 0o711)
  const db = createDatabase({ connection: server.connection, poolSize: 8, log: silentLog })
  onTestFinished(() => db.close())
  await migrate(db, silentLog)
  const { host, port, user } = server.connection
  const own = { ...settings, ...standby, primary_conninfo: `host=${host} port=${port} user=${user}` }
  let running: EmbeddedPostgres | undefined
  async function start(): Promise<void> {
    // Replaying may end the first connection, by which the start is noticed.
    running = await reread(() => startEmbeddedPostgres({ dataDir: ofReplica, log: silentLog, settings: own }))
  }
  async function stop(): Promise<void> {
    await running?.stop()
    running = undefined
  }
  await start()
  onTestFinished(stop)
  const { connection } = running!
  const replicaDb = createDatabase({ connection, poolSize: 4, log: silentLog })
  onTestFinished(() => replicaDb.close())
  /** Retries where replaying ended the statement. */
  async function report<T extends Row>(text: string, values: unknown[] = []): Promise<T[]> {
    for (;;)
      try {
        return await replicaDb.rows<T>(text, values)
      } catch (error) {
        if (!isConflict(error)) throw error
      }
  }
  const replica: Replica = {
    connection,
    url: databaseUrl(connection),
    db: replicaDb,
    async pause() {
      await report('SELECT pg_wal_replay_pause()')
      for (;;) {
        const [[state] = []] = await report<[string]>('SELECT pg_get_wal_replay_pause_state()')
        if (state === 'paused') return
        // The process that replays looks at it with the next record.
        await db.rows('SELECT pg_log_standby_snapshot()')
      }
    },
    async resume() {
      await report('SELECT pg_wal_replay_resume()')
    },
    async untilReplayed() {
      const [[position] = []] = await db.rows<[string]>('SELECT pg_current_wal_flush_lsn()::text')
      for (;;) {
        const [[done] = []] = await report<[boolean]>('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn', [position])
        if (done) return
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    stop,
    start,
    async promote() {
      await onServer(connection, 'SELECT pg_promote()')
    },
  }
  return {
    primary: { db, connection: server.connection, url: databaseUrl(server.connection), drop: async () => undefined },
    replica,
  }
}
