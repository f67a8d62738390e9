// @module-tag system

import { expect, inject, test } from 'vitest'
import { type OwnServer, startOwnServer } from '../ownServer.ts'
import { startReceiver } from '../receiver.ts'
import { createAttemptCounter } from './attemptCounter.ts'
import { insertStreams, testWebhooks } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

/** Thirty crashes in a soak; otherwise three, one of each kind. */
const crashes = inject('rounds') > 1 ? 30 : 3
const streamCount = 4
const perRound = 60

/** Kills one backend, or the whole server in one of two ways. */
async function crash({ database, postmaster }: OwnServer, kind: number): Promise<void> {
  if (kind % 3 === 0) {
    const rows = await database.db.rows<[number]>(
      `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1`,
    )
    process.kill(rows[0]![0], 'SIGKILL')
  } else process.kill(await postmaster(), kind % 3 === 1 ? 'SIGKILL' : 'SIGQUIT')
}

test('behavior: database crashes and a quarter of rejected attempts repeat no attempt, and the ledger matches the receiver', async () => {
  await using server = await startOwnServer()
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
  // One stream is unordered, so it has many attempts in flight when the crash happens.
  await t.db.run(`UPDATE stream SET delivery = 'unordered' WHERE id = $1`, [streams[0]!.id])
  await t.start()
  for (let number = 0; number < crashes; number++) {
    const before = receiver.received.length
    await t.enqueue(
      streams.flatMap((stream) =>
        testWebhooks(stream, number * perRound + 1, (number + 1) * perRound, { padding: 100 }),
      ),
    )
    await receiver.until(before + streamCount * 20)
    await crash(server, number)
    // Everything of this round is delivered and settled once the database is back.
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
