import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { onTestFinished } from 'vitest'
import { createDatabase, type Database, type Row } from '../src/db/database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded/startEmbeddedPostgres.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { isConflict, reread } from '../src/db/replica/reread.ts'
import { noopLog } from '../src/util/log.ts'
import { copyCluster } from './copyCluster.ts'
import { databaseUrl, type TestDatabase } from './database.ts'
import { newCluster } from './newCluster.ts'
import { onServer } from './onServer.ts'
import { temporaryDataFolder } from './temporaryFolder.ts'

/** Settings of a primary that replicas can stream from. Its data need not survive a power failure. */
const settings = {
  wal_level: 'replica',
  max_wal_senders: '4',
  max_connections: '100',
  shared_buffers: '32MB',
  fsync: 'off',
  full_page_writes: 'off',
  min_wal_size: '32MB',
}

/** Settings of the replica. It immediately cancels statements that block replay. */
const standby = { wal_retrieve_retry_interval: '100ms', max_standby_streaming_delay: '0' }

export type Replica = {
  connection: pg.ClientConfig
  url: string
  /** Runs statements on the replica, as its superuser. */
  db: Database
  /** Pauses replay. From then on, the replica shows the data that it has. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Resolves once the replica has replayed all that the primary has committed. */
  untilReplayed(): Promise<void>
  stop(): Promise<void>
  /** Starts the replica again after `stop`. */
  start(): Promise<void>
  /** Promotes the replica to a primary. */
  promote(): Promise<void>
}

/** Starts a primary with a migrated database, and its streaming replica. Both end with the test. */
export async function startReplicated(): Promise<{ primary: TestDatabase; replica: Replica }> {
  const [ofPrimary, ofReplica] = [await temporaryDataFolder(), await temporaryDataFolder()]
  await newCluster(ofPrimary)
  // A copy of a cleanly stopped server is a valid base backup. The initial cluster was made with a WAL level that cannot be replicated.
  await (await startEmbeddedPostgres({ dataDir: ofPrimary, log: noopLog, settings })).stop()
  await copyCluster(join(ofPrimary, 'postgres'), ofReplica)
  await writeFile(join(ofReplica, 'postgres', 'standby.signal'), '')

  const server = await startEmbeddedPostgres({ dataDir: ofPrimary, log: noopLog, settings })
  onTestFinished(() => server.stop())
  // Primary and replica run as the same user. This lets the replica reach the primary's socket.
  await chmod(ofPrimary, 0o711)
  const db = createDatabase({ connection: server.connection, poolSize: 8, log: noopLog })
  onTestFinished(() => db.close())
  await migrate(db, noopLog)
  const { host, port, user } = server.connection
  const own = { ...settings, ...standby, primary_conninfo: `host=${host} port=${port} user=${user}` }
  let running: EmbeddedPostgres | undefined
  async function start(): Promise<void> {
    // Replay may end the first connection, which checks whether the server has started.
    running = await reread(() => startEmbeddedPostgres({ dataDir: ofReplica, log: noopLog, settings: own }))
  }
  async function stop(): Promise<void> {
    await running?.stop()
    running = undefined
  }
  await start()
  onTestFinished(stop)
  const { connection } = running!
  const replicaDb = createDatabase({ connection, poolSize: 4, log: noopLog })
  onTestFinished(() => replicaDb.close())
  /** Retries if replay canceled the statement. */
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
        // The startup process notices the pause only at the next WAL record.
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
