import { expect, test } from 'vitest'
import { startReceiver } from '../receiver.ts'
import { insertStreams, testWebhook } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

const minute = 60_000
const day = 1_440 * minute

test('behavior: a 2xx to the probe of one stream also resumes idle streams in error at the same URL', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver(() => 200)
  const streams = await insertStreams(t.db, [receiver.url, receiver.url, `${receiver.url}/other`, receiver.url])
  const [owing, idle, elsewhere, terminated] = streams.map(({ id }) => id)
  await t.enqueue([testWebhook(streams[0]!, { number: 1 })])
  await t.db.run(`UPDATE stream SET status = 'error', status_message = 'the success rate of its endpoint fell'`)
  await t.db.run(`UPDATE webhook_delivered SET error_at = now(), probe_at = now() + interval '5 minutes'`)
  await t.db.run('UPDATE webhook_delivered SET probe_at = NULL WHERE stream_id = $1', [terminated])
  await t.start()
  t.advance(5 * minute + 1_000)
  await t.untilValue('SELECT status FROM stream WHERE id = $1', 'active', [owing])
  t.advance(5 * day)
  await t.untilValue('SELECT status FROM stream WHERE id = $1', 'terminated', [elsewhere])
  await t.untilValue('SELECT status FROM stream WHERE id = $1', 'terminated', [terminated])
  expect(await t.db.rows('SELECT status FROM stream WHERE id = $1', [idle])).toEqual([['active']])
  expect(receiver.received.length).toBe(1)
})
