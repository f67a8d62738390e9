import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../../test/api.ts'
import { fillLedger } from '../../../../test/stream/fillLedger.ts'
import { insertStreams, type TestStream, testWebhook, testWebhooks } from '../../../../test/stream/streams.ts'
import { enqueueWebhooks } from '../../../stream/ledger/enqueueWebhooks.ts'
import { dropQueued } from '../../../stream/ledger/streamState.ts'

let api: TestApi
let stream: TestStream

beforeEach(async () => {
  api = await createTestApi()
  ;[stream] = (await insertStreams(api.db, ['https://receiver.example/hook'])) as [TestStream]
})
afterEach(() => api.drop())

async function json(target: string, status = 200): Promise<Record<string, unknown>> {
  const response = await api.get(target)
  expect(response.status).toBe(status)
  return (await response.json()) as Record<string, unknown>
}

const post = (target: string) =>
  api.api.request(new Request(`http://localhost${target}`, { method: 'POST', headers: { 'x-api-key': adminKey } }))

const fill = (delivered: number) => fillLedger(api.db, stream, delivered)

test('behavior: a history page ends early when its bodies exceed the size limit, with a cursor', async () => {
  const webhooks = [3_000, 1_500_000, 6_000_000, 1_500_000, 1_500_000, 1_500_000, 2_000]
  await api.db.transaction((tx) =>
    enqueueWebhooks(
      tx,
      webhooks.map((padding, i) => testWebhook(stream, { number: i + 1, padding })),
    ),
  )
  const pages: string[][] = []
  let target: string | undefined = '/history'
  while (target) {
    const response = await api.get(target)
    const text = await response.text()
    const page = JSON.parse(text) as {
      result: { tinyPayload: { block: string } }[]
      total: number
      cursor: string | null
    }
    const blocks = page.result.map(({ tinyPayload }) => tinyPayload.block)
    pages.push(blocks)
    // A webhook whose body exceeds the limit is alone on its page.
    expect(text.length).toBeLessThan(blocks.length === 1 ? 7_000_000 : 4_300_000)
    expect(page.total).toBe(webhooks.length)
    target = page.cursor ? `/history?cursor=${encodeURIComponent(page.cursor)}` : undefined
  }
  expect(pages).toEqual([['7', '6', '5'], ['4'], ['3'], ['2', '1']])
  expect(((await json('/history?excludePayload=true')).result as object[]).length).toBe(webhooks.length)
})

test('behavior: the total counts the webhooks that match the filter', async () => {
  await fill(2)
  const [other] = await insertStreams(api.db, ['https://other.example'])
  await api.db.transaction((tx) => enqueueWebhooks(tx, testWebhooks(other!, 1, 4)))
  await api.db.transaction((tx) => dropQueued(tx, other!, 'the stream was terminated'))
  const totals = async (path: string) => {
    const { total, result } = (await json(`${path}limit=1`)) as { total: number; result: object[] }
    return result.length === 0 ? 0 : total
  }
  const expected = { '': 9, 'status=delivered&': 2, 'status=pending&': 3, 'status=failed&': 0, 'status=dropped&': 4 }
  for (const [filter, total] of Object.entries(expected)) expect(await totals(`/history?${filter}`), filter).toBe(total)
  expect(await totals(`/history?streamId=${stream.id}&`)).toBe(5)
  expect(await totals(`/history?streamId=${stream.id}&status=pending&`)).toBe(3)
  expect(await totals(`/history?streamId=${other!.id}&status=dropped&`)).toBe(4)
  expect(await totals('/history/logs?')).toBe(3)
  expect(await totals(`/history/logs?streamId=${other!.id}&`)).toBe(0)
})

test('behavior: one webhook and its attempts can be requested by id, within its stream', async () => {
  await fill(2)
  const all = (await json('/history')).result as { id: string; payload: unknown; status: string }[]
  const failing = all.find(({ status, id }, i) => status === 'pending' && all[i + 1]!.status === 'delivered' && id)!
  const one = `streamId=${stream.id}&webhookId=${failing.id}`
  expect(await json(`/history?${one}`)).toEqual({ result: [failing], total: 1, cursor: null, page: 0, page_size: 100 })
  expect(await json(`/history?${one}&status=delivered`)).toMatchObject({ result: [], total: 0 })
  const { payload, ...tiny } = failing
  expect((await json(`/history?${one}&excludePayload=true`)).result).toEqual([tiny])
  const attempts = await json(`/history/logs?${one}`)
  expect(attempts).toMatchObject({ total: 1, cursor: null, result: [{ webhookId: failing.id, statusCode: 500 }] })
  const [other] = await insertStreams(api.db, ['https://other.example'])
  for (const list of ['/history', '/history/logs']) {
    const of = (streamId: string) => json(`${list}?streamId=${streamId}&webhookId=${failing.id}`)
    expect(await of(other!.id)).toMatchObject({ result: [], total: 0 })
    expect(await json(`${list}?webhookId=${failing.id}`, 400)).toMatchObject({
      message: 'webhookId has no streamId beside it; allowed: together with the streamId of its stream',
    })
  }
})

test('default: replaying a block range queues its webhooks again, and reports the progress', async () => {
  await fill(3)
  const requested = await post(`/history/replay/${stream.id}?fromBlock=2&toBlock=4&chain=0x7a69`)
  expect(requested.status).toBe(200)
  const replay = (await requested.json()) as { id: string }
  // The service queues a short range within the request.
  const times = { createdAt: expect.any(String), updatedAt: expect.any(String) }
  const expected = {
    id: expect.any(String),
    streamId: stream.id,
    status: 'done',
    message: '',
    progress: 1,
    replayed: 3,
  }
  expect(replay).toEqual({ ...expected, ...times })
  expect(await json(`/history/replay/${stream.id}/${replay.id}`)).toEqual(replay)
  await json(`/history/replay/${stream.id}/${randomUUID()}`, 404)
  expect((await post(`/history/replay/${randomUUID()}`)).status).toBe(404)
  const reversed = await post(`/history/replay/${stream.id}?fromBlock=4&toBlock=2`)
  expect(reversed.status).toBe(400)
  expect(await reversed.json()).toMatchObject({
    message: 'fromBlock is 4, above toBlock; allowed: a block from 0 to 2',
  })
  await api.db.run('DELETE FROM stream')
  expect((await post(`/history/replay/${stream.id}`)).status).toBe(400)
})
