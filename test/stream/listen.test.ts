import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { databaseSecrets, givenSecrets } from '../../src/cli/listen/checkSignatures.ts'
import { describeWebhook } from '../../src/cli/listen/describeWebhook.ts'
import { type Received, receiveWebhooks } from '../../src/cli/listen/receiveWebhooks.ts'
import { createGuardedClient } from '../../src/net/guard/createGuardedClient.ts'
import { sendTestWebhook, testBody, testOutcome } from '../../src/stream/delivery/attempt/sendTestWebhook.ts'
import { streamChanged } from '../../src/stream/ledger/streamState.ts'
import { createWebhookSecret } from '../../src/stream/sign/webhookSecret.ts'
import { startReceiver } from '../receiver.ts'
import { insertStreams, testWebhook } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

async function listenWith(options: Partial<Parameters<typeof receiveWebhooks>[0]>) {
  const received: Received[] = []
  const listening = await receiveWebhooks({
    port: 0,
    secrets: givenSecrets({ secret: [] }),
    fail: 0,
    delayMs: 0,
    forward: undefined,
    onReceived: (one) => received.push(one),
    ...options,
  })
  return { ...listening, received, [Symbol.asyncDispose]: listening.close }
}

test('default: listen verifies both signatures with the secrets of the database, and forwards webhooks byte for byte', async () => {
  await using t = await createTestDelivery()
  await using behind = await startReceiver(({ body }) => (body.includes('"number":"2"') ? 503 : 202))
  await using listening = await listenWith({ secrets: databaseSecrets(t.db), forward: behind.url })
  const [stream] = await insertStreams(t.db, [listening.url])
  await t.start()
  await t.enqueue([testWebhook(stream!, { number: 1 }), testWebhook(stream!, { number: 2 })])
  await behind.until(2)
  await t.untilValue('SELECT count(*)::int FROM webhook_attempt', 2)
  expect(listening.received.map(({ status, verdicts }) => [status, verdicts?.legacy, verdicts?.standard])).toEqual([
    [202, 'right', 'right'],
    [503, 'right', 'right'],
  ])
  expect(behind.received[0]!.headers['webhook-id']).toBe(listening.received[0]!.id)

  await t.db.run(`UPDATE stream SET gzip = true, headers = '{"x-tenant":"first"}'`)
  await t.db.transaction((tx) => streamChanged(tx, stream!))
  const third = testWebhook(stream!, { number: 3 })
  await t.enqueue([third])
  await behind.until(3)
  await t.untilValue('SELECT count(*)::int FROM webhook_attempt', 3)
  expect(listening.received[2]).toMatchObject({ status: 202, verdicts: { legacy: 'right', standard: 'right' } })
  expect(behind.received[2]).toMatchObject({ body: third.body, headers: { 'x-tenant': 'first' } })
  expect(describeWebhook(listening.received[0]!.body!).title).toBe('block 1 on chain 31337, unconfirmed')
})

test('behavior: listen distinguishes a wrong secret from an unknown one, and returns 401', async () => {
  await using t = await createTestDelivery()
  await using listening = await listenWith({ secrets: givenSecrets({ secret: [createWebhookSecret()] }) })
  const [stream] = await insertStreams(t.db, [listening.url])
  await t.start()
  await t.enqueue([testWebhook(stream!, { number: 1 })])
  await t.untilValue('SELECT code::int FROM webhook_attempt', 401)
  expect(listening.received[0]!.verdicts).toEqual({
    legacy: 'unknown secret',
    standard: 'wrong',
    reason: 'no signature in webhook-signature is valid',
  })
})

test('behavior: listen fails and delays responses as its options specify', async () => {
  await using listening = await listenWith({ fail: 1, delayMs: 120 })
  const began = performance.now()
  const answer = await fetch(listening.url, { method: 'POST', body: testBody })
  expect(answer.status).toBe(500)
  expect(performance.now() - began).toBeGreaterThan(110)
})

test('default: the test webhook is signed and has empty fields, and its result reports why the receiver rejected it', async () => {
  await using t = await createTestDelivery()
  let status = 204
  await using receiver = await startReceiver(() => status)
  const client = createGuardedClient({ settings: { allow: ['127.0.0.1'] } })
  const options = { db: t.db, client, settings: { timeoutMs: 500 } }
  const stream = {
    id: randomUUID(),
    partition: 0,
    webhookUrl: receiver.url,
    webhookSecret: createWebhookSecret(),
    headers: {},
    gzip: false,
  }
  const sent = await sendTestWebhook(stream, options)
  expect(sent.outcome).toMatchObject({ code: 204 })
  expect(sent.webhookId).toBe(receiver.received[0]!.headers['webhook-id'])
  expect(testOutcome(sent)).toEqual({ ok: true })
  status = 404
  expect(testOutcome(await sendTestWebhook(stream, options))).toEqual({ ok: false, reason: 'answered 404' })
  const strict = createGuardedClient()
  expect(testOutcome(await sendTestWebhook(stream, { ...options, client: strict }))).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/loopback/),
  })
  expect(JSON.parse(receiver.received[0]!.body)).toEqual({
    ...{ confirmed: true, chainId: '', abi: [], streamId: '', tag: '', retries: 0 },
    block: { number: '', hash: '', timestamp: '' },
    ...{ logs: [], txs: [], txsInternal: [], erc20Transfers: [], erc20Approvals: [], nftTransfers: [] },
    ...{ nftTokenApprovals: [], nftApprovals: { ERC721: [], ERC1155: [] }, nativeBalances: [] },
  })
  expect(await t.db.rows('SELECT 1 FROM webhook_attempt')).toEqual([])
  await client.close()
  await strict.close()
})
