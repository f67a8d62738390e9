import { expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { webhookChannel } from '../../src/stream/ledger/ledgerEntry.ts'
import { createTestDatabase } from '../database.ts'
import { startReceiver } from '../receiver.ts'
import { insertStreams, testWebhook } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

test('behavior: a stream paused while the deliverer reads it sends nothing after the notification is processed', async () => {
  const database = await createTestDatabase({ poolSize: 8 })
  const read = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let isFirst = true
  const db: Database = {
    ...database.db,
    async rows(sql, values) {
      const rows = await database.db.rows(sql, values)
      // Holds back the first read that finds a stream.
      if (isFirst && rows.length > 0 && sql.includes('s.webhook_secret')) {
        isFirst = false
        read.resolve()
        await goOn.promise
      }
      return rows as never
    },
  }
  await using t = await createTestDelivery({}, { ...database, db })
  await using receiver = await startReceiver(() => 200)
  const [stream, other] = await insertStreams(t.db, [`${receiver.url}/one`, `${receiver.url}/other`])
  await t.start()
  const heard = Promise.withResolvers<void>()
  const unlisten = await database.db.listen(webhookChannel, (payload) => {
    if (payload === stream!.id) heard.resolve()
  })
  await t.enqueue([testWebhook(stream!, { number: 1 })])
  await read.promise
  await database.db.run(`UPDATE stream SET status = 'paused' WHERE id = $1`, [stream!.id])
  await database.db.rows('SELECT pg_notify($1, $2)', [webhookChannel, stream!.id])
  await heard.promise
  goOn.resolve()
  // When this webhook arrives, the paused stream has been read again.
  await t.enqueue([testWebhook(other!, { number: 1 })])
  await receiver.until((all) => all.some(({ path }) => path === '/other'))
  await t.enqueue([testWebhook(stream!, { number: 2 }), testWebhook(other!, { number: 2 })])
  await receiver.until((all) => all.filter(({ path }) => path === '/other').length === 2)
  const sent = receiver.received.filter(({ path }) => path === '/one').map(({ body }) => JSON.parse(body).block.number)
  expect(sent).not.toContain('2')
  await unlisten()
})
