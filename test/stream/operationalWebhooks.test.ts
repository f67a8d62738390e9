// @module-tag system

import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { createGuardedClient } from '../../src/net/guard/createGuardedClient.ts'
import { noteStalls } from '../../src/stream/operational/noteStalls.ts'
import { type OperationalWebhook, writeOperationalWebhooks } from '../../src/stream/operational/operationalWebhooks.ts'
import { sendOperationalWebhooks } from '../../src/stream/operational/sendOperationalWebhooks.ts'
import { readOperationsSecret } from '../../src/stream/settings/operationsSecret.ts'
import { noopLog } from '../../src/util/log.ts'
import { startAnvil } from '../anvil.ts'
import { createTestDatabase } from '../database.ts'
import { startReceiver } from '../receiver.ts'
import { startStreamServer } from './streamServer.ts'

const paused = (tag: string): OperationalWebhook => ({
  type: 'stream.paused',
  data: { streamId: '00000000-0000-4000-8000-000000000000', tag, statusMessage: 'why' },
})

const write = (db: Database, operationalWebhooks: readonly OperationalWebhook[], now = new Date()) =>
  db.transaction((tx) => writeOperationalWebhooks(tx, operationalWebhooks, now))

const bodies = async (db: Database) =>
  (await db.rows<[string]>('SELECT body FROM operation_notice ORDER BY seq')).map(([body]) => JSON.parse(body))

/** Sends operational webhooks with a clock that the test moves. */
async function startSending(db: Database, url: string) {
  const stopping = new AbortController()
  const client = createGuardedClient({ settings: { allow: ['127.0.0.1'] } })
  let ahead = 0
  const { wake, done } = sendOperationalWebhooks({
    db,
    client,
    url,
    settings: { timeoutMs: 5_000 },
    log: noopLog,
    clock: () => Date.now() + ahead,
    signal: stopping.signal,
  })
  return {
    advance(ms: number) {
      ahead += ms
      wake()
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await done
      await client.close()
    },
  }
}

test('default: operational webhooks are posted in order, signed with their own secret, and retried until accepted', async () => {
  const { db, drop } = await createTestDatabase()
  const answers = [500, 302, 200, 200]
  await using receiver = await startReceiver(() => answers.shift())
  await write(db, [paused('a')])
  {
    await using sending = await startSending(db, receiver.url)
    await receiver.until(1)
    await expect.poll(() => db.rows('SELECT failures FROM operation_notice')).toEqual([[1]])
    sending.advance(6_000)
    await receiver.until(2)
    await expect.poll(() => db.rows('SELECT failures FROM operation_notice')).toEqual([[2]])
    sending.advance(31_000)
    await receiver.until(3)
    await write(db, [paused('b')])
    await receiver.until(4)
    await expect.poll(() => db.rows('SELECT count(*)::int FROM operation_notice')).toEqual([[0]])
  }
  const secret = await readOperationsSecret(db)
  const [first, , third, fourth] = receiver.received
  expect(new Webhook(secret).verify(first!.body, first!.headers as Record<string, string>)).toEqual({
    ...paused('a'),
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  expect(third!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
  expect(third!.body).toBe(first!.body)
  expect(fourth!.headers['webhook-id']).not.toBe(first!.headers['webhook-id'])
  expect(JSON.parse(fourth!.body)).toMatchObject(paused('b'))
  await drop()
})

test('behavior: at most a thousand operational webhooks are queued, each fails after five attempts, and old ones are deleted', async () => {
  const { db, drop } = await createTestDatabase()
  await write(
    db,
    Array.from({ length: 1_100 }, (_, i) => paused(String(i))),
  )
  expect((await bodies(db)).map(({ data }) => data.tag)[0]).toBe('100')
  await db.run('DELETE FROM operation_notice')
  await write(db, [paused('old')], new Date(Date.now() - 3_700_000))
  await write(db, [paused('new')])
  await using receiver = await startReceiver(() => 503)
  {
    await using sending = await startSending(db, receiver.url)
    for (let failures = 1; failures <= 4; failures++) {
      await expect.poll(() => db.rows('SELECT failures FROM operation_notice')).toEqual([[failures]])
      sending.advance(610_000)
    }
    await expect.poll(() => db.rows('SELECT count(*)::int FROM operation_notice')).toEqual([[0]])
  }
  expect(receiver.received.map(({ body }) => JSON.parse(body).data.tag)).toEqual(Array(5).fill('new'))
  await drop()
})

test('behavior: a chain stalled for a minute sends one operational webhook across processes, and one when it resumes', async () => {
  const { db, drop } = await createTestDatabase()
  const began = Date.now()
  const look = (seconds: number, fault: string | null) =>
    noteStalls(
      db,
      [
        { id: 1n, name: 'eth', fault },
        { id: 137n, name: 'polygon', fault: null },
      ],
      new Date(began + seconds * 1_000),
    )
  await look(0, 'the node is unreachable')
  await look(10, null)
  await look(20, 'the node is unreachable')
  await look(70, 'the node is unreachable')
  expect(await bodies(db)).toEqual([])
  await Promise.all([look(81, 'still away'), look(81, 'still away'), look(81, 'still away')])
  await look(3_000, 'still away')
  await Promise.all([look(3_010, null), look(3_010, null)])
  await look(3_020, null)
  expect(await bodies(db)).toMatchObject([
    { type: 'chain.stalled', data: { chainId: '0x1', chain: 'eth', reason: 'still away' } },
    { type: 'chain.resumed', data: { chainId: '0x1', chain: 'eth', reason: '' } },
  ])
  await drop()
})

test('behavior: status changes send operational webhooks, and a hanging operationsUrl does not block other webhooks', async () => {
  await using anvil = await startAnvil()
  let hang = false
  await using operations = await startReceiver(() => (hang ? undefined : 200))
  await using receiver = await startReceiver()
  await using t = await startStreamServer(anvil.url, {
    chains: { local: { confirmations: 1, pollIntervalMs: 20 } },
    webhooks: { operationsUrl: operations.url },
  })
  const stream = await t.create({ webhookUrl: receiver.url, allAddresses: true, includeNativeTxs: true, tag: 'mine' })
  const setStatus = (status: string) => t.call('POST', `/streams/evm/${stream.id}/status`, { status })
  await setStatus('paused')
  await setStatus('active')
  await operations.until(2)
  hang = true
  await setStatus('paused')
  await operations.until(3)
  await setStatus('active')
  const [alice, bob] = anvil.accounts as [`0x${string}`, `0x${string}`]
  await anvil.sendRaw({ from: alice, to: bob, value: 5n })
  await receiver.until((all) => all.some(({ body }) => body.includes('"confirmed":false')))
  expect(operations.received.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: 'stream.paused', data: { streamId: stream.id, tag: 'mine', statusMessage: '' } },
    { type: 'stream.resumed', data: { streamId: stream.id } },
    { type: 'stream.paused', data: { streamId: stream.id } },
  ])
})
