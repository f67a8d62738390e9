import { expect, onTestFinished } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { loadFirst, withIndexes } from '../../src/stream/delivery/attempt/loadWebhooks.ts'
import { enqueueWebhooks } from '../../src/stream/ledger/enqueueWebhooks.ts'
import { noopLog } from '../../src/util/log.ts'
import { createTestDatabase } from '../database.ts'
import { chainId, insertStreams, testWebhook } from '../stream/streams.ts'
import { testOnTwoNodes } from './onTwoNodes.ts'

/** Enough that some of them are in different shards of one node. */
const many = 12

testOnTwoNodes(
  'behavior: webhooks to send for streams in several shards are read over one connection per node (skipped without a cluster of two workers)',
  async () => {
    const database = await createTestDatabase()
    onTestFinished(database.drop)
    // Citus opens further connections immediately. By default it does so only if a statement takes more than some milliseconds.
    const db = createDatabase({
      connection: { ...database.connection, options: '-c citus.executor_slow_start_interval=0' },
      ...{ poolSize: 1, log: noopLog },
    })
    onTestFinished(db.close)
    const streams = await insertStreams(
      db,
      Array.from({ length: many }, () => 'https://receiver.example/hook'),
    )
    await db.transaction((tx) =>
      enqueueWebhooks(
        tx,
        streams.map((stream) => testWebhook(stream, { number: 1 })),
      ),
    )
    const sendQueues = streams.map(({ partition, id }) => ({ partition, streamId: id, chainId, after: 0n, limit: 8 }))
    await withIndexes(db, async (tx) => {
      const loaded = await loadFirst(tx, sendQueues, 1_000_000)
      expect(loaded.map(({ webhooks }) => webhooks.length)).toEqual(sendQueues.map(() => 1))
      const [[own] = ['']] = await tx.rows<[string]>('SELECT citus_backend_gpid()::text')
      const connections = await database.db.rows<[string]>(
        `SELECT result FROM run_command_on_workers($$SELECT count(*) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'citus_internal gpid=${own}'$$)`,
      )
      expect(connections).toEqual([['1'], ['1']])
    })
  },
)
