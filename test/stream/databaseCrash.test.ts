import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded/startEmbeddedPostgres.ts'
import { migrate } from '../../src/db/migrate.ts'
import { silentLog } from '../../src/log.ts'
import { endWithThisProcess } from '../endWithThisProcess.ts'
import { newCluster } from '../newCluster.ts'
import { startReceiver } from '../receiver.ts'
import { temporaryDataFolder } from '../temporaryFolder.ts'
import { createAttemptCounter } from './attemptCounter.ts'
import { insertStreams, testWebhooks } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

/** Thirty crashes in a soak; otherwise three, one of each kind. */
const crashes = inject('rounds') > 1 ? 30 : 3
const streamCount = 4
const perRound = 60

/** A PostgreSQL that can be killed. It is started again by itself, with everything that it committed. */
async function startServer() {
  const dataDir = await newCluster(await temporaryDataFolder())
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: { fsync: 'off' } })
  const reaper = endWithThisProcess(dataDir)
  const db = createDatabase({ connection: server.connection, poolSize: 8, log: silentLog })
  await migrate(db, silentLog)
  const postmaster = async () =>
    Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
  return {
    database: { db, connection: server.connection, url: '', drop: () => db.close() },
    async crash(kind: number) {
      if (kind % 3 === 0) {
        const rows = await db.rows<[number]>(
          `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1`,
        )
        process.kill(rows[0]![0], 'SIGKILL')
      } else process.kill(await postmaster(), kind % 3 === 1 ? 'SIGKILL' : 'SIGQUIT')
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
      await reaper.end()
    },
  }
}

test('behavior: though the database crashes and the receiver refuses a quarter, no attempt is made twice, and the ledger is what the receiver counted', async () => {
  await using server = await startServer()
  const retryDelaysMs = Array.from({ length: 60 }, () => 20)
  await using t = await createTestDelivery({ retryDelaysMs, minSuccessRate: 0 }, server.database)
  const attempts = createAttemptCounter()
  await using receiver = await startReceiver((received) => {
    attempts.count(received)
    return receiver.received.length % 4 === 0 ? 500 : 200
  })
  const streams = await insertStreams(
    t.db,
    Array.from({ length: streamCount }, (_, i) => `${receiver.url}/${i}`),
  )
  // One of them has many under way at once when it happens.
  await t.db.run(`UPDATE stream SET delivery = 'unordered' WHERE id = $1`, [streams[0]!.id])
  await t.start()
  for (let crash = 0; crash < crashes; crash++) {
    const before = receiver.received.length
    await t.enqueue(
      streams.flatMap((stream) => testWebhooks(stream, crash * perRound + 1, (crash + 1) * perRound, { padding: 100 })),
    )
    await receiver.until(before + streamCount * 20)
    await server.crash(crash)
    // Everything of this round arrives, and is settled, once the database is back.
    await expect
      .poll(() => t.db.rows('SELECT count(*)::int FROM webhook_queue').catch(() => undefined), {
        interval: 50,
      })
      .toEqual([[0]])
  }
  expect(attempts.repeated()).toEqual([])
  const recount = await t.recount()
  expect(recount).toMatchObject({ attempts: receiver.received.length, mismatches: [] })
  expect(recount.webhooks).toBe(crashes * streamCount * perRound)
})
