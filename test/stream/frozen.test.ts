// @module-tag system

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../receiver.ts'
import { createAttemptCounter } from './attemptCounter.ts'
import { insertStreams, testWebhooks } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

const settings = { timeoutMs: 60_000 }
/** A worker without a heartbeat for two seconds counts as dead. */
const leases = { heartbeatMs: 100, unresponsiveMs: 2_000 }
const partitions = 'SELECT count(*)::int FROM lease WHERE kind = $1 AND worker_id = (SELECT max(id) FROM worker)'

test('behavior: a process frozen for longer than its lease sends nothing that another process sent meanwhile', async () => {
  await using t = await createTestDelivery(settings)
  let held: (() => void) | undefined
  await using receiver = await startReceiver(({ body }, response) => {
    if (held || !body.includes('"number":"100"')) return 200
    held = () => void response.writeHead(200).end('thanks')
    return undefined
  })
  const [stream] = await insertStreams(t.db, [receiver.url])
  const child = fork(
    join(import.meta.dirname, 'delivererProcess.ts'),
    [t.url, JSON.stringify(settings), JSON.stringify(leases)],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'message')
  await t.enqueue(testWebhooks(stream!, 1, 200))
  await receiver.until(() => held !== undefined)
  await t.untilValue('SELECT count(*)::int FROM webhook_attempt', 99)
  child.kill('SIGSTOP')
  held!()

  await t.start(leases)
  // A frozen transaction may lock a lease. The lease becomes free when the database ends that transaction, after 20 s.
  await t.untilValue(partitions, 256, ['delivery'])
  await t.untilValue('SELECT count(*)::int FROM webhook_queue', 0)
  const sent = receiver.received.length
  expect(sent).toBe(201)
  child.kill('SIGCONT')
  // The resumed process settles the attempts that were in flight, which both processes made. It joins again and sends nothing from memory.
  await t.untilValue('SELECT count(*)::int FROM worker WHERE id > (SELECT min(id) FROM worker)', 1)
  await t.untilValue('SELECT count(*)::int FROM webhook_attempt', sent)
  expect(receiver.received.length).toBe(sent)
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: partitions are rebalanced under load, and no attempt is repeated', async () => {
  await using t = await createTestDelivery({ minSuccessRate: 0, retryDelaysMs: Array.from({ length: 60 }, () => 1) })
  const attempts = createAttemptCounter()
  await using receiver = await startReceiver((received) => {
    attempts.count(received)
    return receiver.received.length % 4 === 0 ? 500 : 200
  })
  const streams = await insertStreams(
    t.db,
    Array.from({ length: 20 }, (_, i) => `${receiver.url}/${i}`),
  )
  await t.start({ heartbeatMs: 50 })
  await t.enqueue(streams.flatMap((stream) => testWebhooks(stream, 1, 100)))
  for (let joined = 1; joined <= 3; joined++) {
    await receiver.until(joined * 300)
    await t.start({ heartbeatMs: 50 })
  }
  await t.untilValue('SELECT count(*)::int FROM webhook_queue', 0)
  expect(attempts.repeated()).toEqual([])
  const recount = await t.recount()
  expect(recount).toMatchObject({ attempts: receiver.received.length, mismatches: [] })
})
