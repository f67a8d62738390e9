import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { fillLedger } from '../../../../test/stream/fillLedger.ts'
import { insertStreams, type TestStream } from '../../../../test/stream/streams.ts'
import { settleAttempts } from '../../../stream/ledger/settleAttempts.ts'
import { addUrls, urlHash } from '../../../stream/ledger/urlHash.ts'

let api: TestApi
let stream: TestStream
const url = 'https://receiver.example/hook'

beforeEach(async () => {
  api = await createTestApi()
  ;[stream] = (await insertStreams(api.db, [url])) as [TestStream]
  await addUrls(api.db, [url])
})
afterEach(() => api.drop())

async function json(target: string, status = 200): Promise<Record<string, unknown>> {
  const response = await api.get(target)
  expect(response.status).toBe(status)
  return (await response.json()) as Record<string, unknown>
}

function post(target: string, body: unknown = {}): Promise<Response> {
  return api.api.request(
    new Request(`http://localhost${target}`, {
      method: 'POST',
      headers: { 'x-api-key': 'the key of the configuration', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
}

const fill = (delivered: number) => fillLedger(api.db, stream, delivered)

test('default: stream statistics have counters and times, and follow deliveries', async () => {
  const stats = await json(`/stats/${stream.id}`)
  const zero = {
    totalWebhooksDelivered: 0,
    totalWebhooksFailed: 0,
    totalLogsProcessed: 0,
    totalTxsProcessed: 0,
    totalTxsInternalProcessed: 0,
  }
  const times = { createdAt: expect.any(String), updatedAt: expect.any(String) }
  expect(stats).toEqual({ ...zero, ...times, streams: [{ ...zero, streamId: stream.id }] })
  for (const time of [stats.createdAt, stats.updatedAt] as string[]) expect(new Date(time).toISOString()).toBe(time)

  await fill(3)
  const counted = {
    totalWebhooksDelivered: 3,
    totalWebhooksFailed: 1,
    totalLogsProcessed: 5,
    totalTxsProcessed: 10,
    totalTxsInternalProcessed: 15,
  }
  expect(await json(`/stats/${stream.id.toUpperCase()}`)).toMatchObject({ ...counted, streams: [counted] })
  expect(await json('/stats')).toMatchObject({ ...counted, streams: [{ ...counted, streamId: stream.id }] })
  const { result } = (await json(`/stats/${stream.id}/history?step=hour`)) as { result: object[] }
  // The attempts took 12, 22, 32 and 42 ms.
  const latency = { attempts: 4, averageLatencyMs: 27, slowestLatencyMs: 42 }
  expect(result).toEqual([{ ...counted, ...latency, at: expect.stringMatching(/:00:00\.000Z$/) }])
  const before = await json(`/stats/${stream.id}/history?from=2020-01-01&to=2020-01-02T00:00:00Z`)
  expect(before.result).toEqual([])
})

test('behavior: statistics history without a range ends with the current step, so a repeated request gets 304', async () => {
  await fill(1)
  const target = `/stats/${stream.id}/history?step=hour`
  const send = async (etag = '') => {
    const requested = Date.now()
    const response = await api.get(target, { 'if-none-match': etag })
    return { requested, status: response.status, etag: response.headers.get('etag')!, text: await response.text() }
  }
  const hourMs = 3_600_000
  const hourOf = (at: number) => Math.floor(at / hourMs)
  let first = await send()
  let second = await send(first.etag)
  // A new hour may begin between the two requests, once.
  if (second.status === 200) [first, second] = [second, await send(second.etag)]
  expect(second.status).toBe(304)
  const { from, to } = JSON.parse(first.text) as { from: string; to: string }
  expect([hourOf(first.requested), hourOf(first.requested) + 1]).toContain(Date.parse(to) / hourMs - 1)
  expect(Date.parse(to) - Date.parse(from)).toBe(60 * hourMs)
})

test('error: statistics of an unknown stream get 404, and a malformed id or range 400', async () => {
  expect(await json(`/stats/${randomUUID()}`, 404)).toEqual({ message: 'Stat not found', statusCode: 404 })
  expect(await json(`/stats/${randomUUID()}/history`, 404)).toMatchObject({ message: 'Stat not found' })
  await json('/stats/abc', 400)
  await json(`/stats/${stream.id}/history?step=day`, 400)
  await json(`/stats/${stream.id}/history?from=yesterday`, 400)
  await json(`/stats/${stream.id}/history?from=2026-02-30`, 400)
  for (const [query, message] of [
    [
      'from=2020-01-01&to=2026-01-01&step=hour',
      'from is 2020-01-01T00:00:00.000Z, more than 14400 steps before to; allowed: a time from 2024-05-11T00:00:00.000Z on',
    ],
    [
      'from=2026-01-02&to=2026-01-01',
      'from is 2026-01-02T00:00:00.000Z, after to; allowed: a time up to 2026-01-01T00:00:00.000Z',
    ],
  ])
    expect(await json(`/stats/${stream.id}/history?${query}`, 400)).toMatchObject({ message })
})

test('behavior: the statistics of a deleted stream remain, also in the total, and its tag in both lists', async () => {
  await fill(2)
  await api.db.run('DELETE FROM stream')
  expect(await json(`/stats/${stream.id}`)).toMatchObject({ totalWebhooksDelivered: 2 })
  expect(await json('/stats')).toMatchObject({ totalWebhooksDelivered: 2, totalWebhooksFailed: 1 })
  for (const list of ['/history', '/history/logs', `/history/logs?streamId=${stream.id}`]) {
    const { result } = (await json(list)) as { result: { tag: string }[] }
    expect(new Set(result.map(({ tag }) => tag))).toEqual(new Set(['tag 0']))
  }
})

test('default: history lists every webhook once, in pages, latest first', async () => {
  await fill(3)
  const ids: string[] = []
  let target: string | undefined = '/history?limit=2'
  while (target) {
    const page: Record<string, unknown> = await json(target)
    const items = page.result as { id: string; payload: { block: { number: string } } }[]
    ids.push(...items.map((item) => item.payload.block.number))
    if (page.cursor === null) expect(page.total).toBe(5)
    expect(page.page_size).toBe(2)
    target = page.cursor ? `/history?cursor=${encodeURIComponent(String(page.cursor))}` : undefined
  }
  expect(ids).toEqual(['5', '4', '3', '2', '1'])
  const { result } = (await json('/history?excludePayload=true&status=pending')) as { result: object[] }
  expect(result.length).toBe(2)
  expect(result[1]).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    date: expect.any(String),
    tinyPayload: { chainId: '0x7a69', confirmed: true, block: '4', records: 6, retries: 1 },
    errorMessage: 'answered 500',
    webhookUrl: url,
    streamId: stream.id,
    tag: 'tag 0',
    status: 'pending',
    kind: 'confirmed',
  })
  await json('/history?limit=0', 400)
  await json('/history?cursor=abc', 400)
})

test('default: logs list every delivery attempt once, in pages, latest first', async () => {
  await fill(3)
  const first = await json('/history/logs?limit=3')
  const rest = await json(`/history/logs?cursor=${first.cursor}`)
  expect([(first.result as []).length, (rest.result as []).length, rest.cursor]).toEqual([3, 1, null])
  expect((first.result as object[])[0]).toEqual({
    id: expect.any(String),
    streamId: stream.id,
    chain: '0x7a69',
    webhookUrl: url,
    tag: 'tag 0',
    retries: 0,
    deliveryStatus: 'failed',
    blockNumber: 4,
    errorMessage: 'answered 500',
    type: 'evm',
    createdAt: expect.any(String),
    webhookId: expect.any(String),
    statusCode: 500,
    latencyMs: 42,
    response: '',
  })
})

test('default: a replay is queued under the same id, and an unknown webhook gets 404', async () => {
  await fill(3)
  const [item] = (await json('/history?status=delivered&limit=1')).result as { id: string }[]
  const replayed = await post(`/history/replay/${stream.id}/${item!.id}`)
  expect(replayed.status).toBe(200)
  expect(await replayed.json()).toEqual(item)
  const queued = await api.db.rows('SELECT id::text FROM webhook_queue WHERE replay = 1')
  expect(queued).toEqual([[item!.id]])
  expect((await post(`/history/replay/${stream.id}/${randomUUID()}`)).status).toBe(404)
  expect((await post(`/history/replay/${randomUUID()}/${item!.id}`)).status).toBe(404)
  expect((await post(`/history/replay/${stream.id}/x`)).status).toBe(400)
  expect((await post(`/history/replay/${randomUUID()}`)).status).toBe(404)
})

test('default: settings have a generated secret until one is set', async () => {
  const generated = await json('/settings')
  expect(generated).toEqual({ region: 'us-east-1', secretKey: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(await json('/settings')).toEqual(generated)
  const changed = await post('/settings', { region: 'eu-central-1' })
  expect(await changed.json()).toEqual({ ...generated, region: 'eu-central-1' })
  await post('/settings', { secretKey: 'mine' })
  expect(await json('/settings')).toEqual({ region: 'eu-central-1', secretKey: 'mine' })
  expect((await post('/settings', { region: 'mars' })).status).toBe(400)
  expect((await post('/settings', { secretKey: '' })).status).toBe(400)
})

test('default: operational webhooks have their own secret, generated until one is set', async () => {
  const path = '/settings/operations'
  const generated = (await json(path)) as { webhookSecret: string }
  expect(generated).toEqual({ webhookSecret: expect.stringMatching(/^whsec_.{32}$/) })
  expect(await json(path)).toEqual(generated)
  expect(generated.webhookSecret).not.toBe(stream.secret)
  const webhookSecret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`
  expect(await (await post(path, { webhookSecret })).json()).toEqual({ webhookSecret })
  expect(await json(path)).toEqual({ webhookSecret })
  const renewed = (await (await post(path, {})).json()) as { webhookSecret: string }
  expect(renewed.webhookSecret).toMatch(/^whsec_.{32}$/)
  expect(await json(path)).toEqual(renewed)
  expect((await post(path, { webhookSecret: 'whsec_short' })).status).toBe(400)
})

test('default: rotating a secret creates a new one, and keeps the previous one for a day', async () => {
  const response = await post(`/streams/evm/${stream.id}/secret`)
  const { webhookSecret, previousUntil } = (await response.json()) as { webhookSecret: string; previousUntil: string }
  expect(await api.db.rows('SELECT webhook_secret FROM stream')).toEqual([[webhookSecret]])
  expect(webhookSecret).toMatch(/^whsec_.{32}$/)
  expect(Math.abs(Date.parse(previousUntil) - Date.now() - 86_400_000)).toBeLessThan(600_000)
  expect(await api.db.rows('SELECT secret FROM webhook_secret')).toEqual([[stream.secret]])
  expect((await post(`/streams/evm/${randomUUID()}/secret`)).status).toBe(404)
})

test('error: settling an attempt twice changes nothing', async () => {
  await fill(1)
  const [row] = await api.db.rows<[bigint]>('SELECT position FROM webhook ORDER BY position LIMIT 1')
  await api.db.transaction((tx) =>
    settleAttempts(
      tx,
      [
        {
          partition: stream.partition,
          streamId: stream.id,
          chainId: 31_337n,
          position: row![0],
          replay: 0,
          number: 1,
          urlHash: urlHash(url),
          at: new Date(),
          ms: 1,
          outcome: { status: 'delivered', code: 200, answer: Buffer.alloc(0) },
        },
      ],
      new Date(),
    ),
  )
  expect(await json('/stats')).toMatchObject({ totalWebhooksDelivered: 1, totalWebhooksFailed: 1 })
})
