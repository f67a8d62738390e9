import { expect, test } from 'vitest'
import { createStreamStore } from '../../src/stream/ledger/answers/createStreamStore.ts'
import { readStats } from '../../src/stream/ledger/answers/readStats.ts'
import { awaitConfirmation, takeConfirmed } from '../../src/stream/ledger/confirmations.ts'
import { recountLedger } from '../../src/stream/ledger/recountLedger.ts'
import { streamPartition } from '../../src/sync/partition.ts'
import { type Received, startReceiver } from '../receiver.ts'
import { retractAbove } from './retractAbove.ts'
import { openScriptedStreams } from './scriptedStreams.ts'
import { chainId, insertStreams, type TestStream, testWebhook, type WebhookOptions } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

const never = new AbortController().signal

/** The webhook of a block, in `parts` parts. */
function partsOf(stream: TestStream, options: WebhookOptions & { parts: number }) {
  return Array.from({ length: options.parts }, (_, i) => testWebhook(stream, { ...options, part: i + 1 }))
}

const partOf = ({ headers }: Received) => [headers['webhook-part'], headers['webhook-parts']]

test('default: parts are sent in order with their own ids and part headers, also as retries and replays', async () => {
  await using t = await createTestDelivery({ retryDelaysMs: [60_000] })
  await using receiver = await startReceiver(({ headers, body }) =>
    headers['webhook-part'] === '2' && body.includes('"retries":0') ? 500 : 200,
  )
  const [stream] = await insertStreams(t.db, [receiver.url])
  await t.enqueue([...partsOf(stream!, { number: 1, parts: 3 }), testWebhook(stream!, { number: 2 })])
  await t.start()
  await receiver.until(4)
  await t.untilValue('SELECT failures FROM webhook_queue', 1)
  t.advance(120_000)
  await receiver.until(5)
  await t.untilValue('SELECT count(*)::int FROM webhook_queue', 0)
  const [first, second, third, whole, retry] = receiver.received as [Received, Received, Received, Received, Received]
  expect([first, second, third, retry].map(partOf)).toEqual([
    ['1', '3'],
    ['2', '3'],
    ['3', '3'],
    ['2', '3'],
  ])
  // A webhook that is not split has neither header.
  expect(partOf(whole)).toEqual([undefined, undefined])
  expect(retry.headers['webhook-id']).toBe(second.headers['webhook-id'])
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(4)
  const store = createStreamStore({ db: t.db, settings: { secretOverlapMs: 0 } })
  await store.replay(stream!.id, String(third.headers['webhook-id']))
  await receiver.until(6)
  expect(partOf(receiver.received[5]!)).toEqual(['3', '3'])
  await t.untilValue('SELECT count(*)::int FROM webhook_queue', 0)
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: every part that was sent is retracted by its id, even if the confirmed webhook has other parts', async () => {
  await using t = await createTestDelivery()
  const [stream] = await insertStreams(t.db, ['http://127.0.0.1:9'])
  const appear = (parts: number, confirmedParts: number) =>
    t.enqueue([
      ...partsOf(stream!, { number: 5, parts }),
      ...partsOf(stream!, { number: 5, parts: confirmedParts, kind: 'confirmed' }),
    ])
  const vanish = () => t.db.transaction((tx) => retractAbove(tx, chainId, 4n))
  // The block appears, a reorganisation removes it, and it appears again with another limit for parts.
  await appear(3, 2)
  await vanish()
  await appear(2, 3)
  await vanish()
  await t.enqueue(partsOf(stream!, { number: 5, parts: 4, kind: 'confirmed' }))
  await vanish()
  const rows = await t.db.rows<[string, string, number, number, number, string | null]>(
    `SELECT kind, id::text, flips, part, parts, body::json ->> 'revertedWebhookId' FROM webhook JOIN webhook_body USING (partition, position)
     ORDER BY position`,
  )
  expect(new Set(rows.map(([, id]) => id)).size).toBe(rows.length)
  const idsOf = (kind: string, flips: number) => rows.flatMap(([k, id, n]) => (k === kind && n === flips ? [id] : []))
  const retractions = rows.filter(([kind]) => kind === 'retraction')
  expect(retractions.map(([, , flips, part, parts]) => [flips, part, parts])).toEqual([
    ...[1, 2, 3].map((part) => [0, part, 3]),
    ...[1, 2].map((part) => [1, part, 2]),
    ...[1, 2, 3, 4].map((part) => [2, part, 4]),
  ])
  expect(retractions.map((row) => row[5])).toEqual([
    ...idsOf('unconfirmed', 0),
    ...idsOf('unconfirmed', 1),
    ...idsOf('confirmed', 2),
  ])
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: parts wait for their confirmation and keep their order', async () => {
  await using t = await createTestDelivery()
  const [stream] = await insertStreams(t.db, ['http://127.0.0.1:9'])
  const waiting = [...partsOf(stream!, { number: 2, parts: 11 }), ...partsOf(stream!, { number: 1, parts: 2 })]
  await t.db.transaction((tx) => awaitConfirmation(tx, waiting))
  const taken = await t.db.transaction((tx) => takeConfirmed(tx, chainId, 2n))
  expect(taken.map(({ blockNumber, part, parts }) => [Number(blockNumber), part, parts])).toEqual([
    ...[1, 2].map((part) => [1, part, 2]),
    ...Array.from({ length: 11 }, (_, i) => [2, i + 1, 11]),
  ])
})

test('behavior: blocks in parts count every log once, across reorganisations and history', async () => {
  const bound = 3_000
  await using t = await openScriptedStreams(4, { maxBytes: bound })
  const mints = (count: number) => Array.from({ length: count }, (_, token) => ({ token, from: 0, to: 1 }))
  const step = async () => {
    while ((await t.follower.step(never)) === 'moved');
  }
  for (const count of [1, 20, 3]) t.chain.add(mints(count))
  await step()
  const live = await t.create({ all: true })
  for (const count of [30, 2, 17]) t.chain.add(mints(count))
  await step()
  t.chain.drop(2)
  for (const count of [8, 25, 1, 9, 40, 1, 1, 1, 1, 1]) t.chain.add(mints(count))
  await step()
  const late = await t.create({ from: 1n, all: true })
  await t.settle()
  for (let i = 0; i < 3; i++) t.chain.add([])
  await t.settle()

  // Blocks of history have only the confirmed webhook.
  for (const [id, from, kinds] of [
    [live, 4n, ['unconfirmed', 'confirmed']],
    [late, 1n, ['confirmed']],
  ] as const) {
    const rows = await t.db.rows<[string, string, number, number, string, number, boolean]>(
      `SELECT kind, encode(block_hash, 'hex'), part, parts, body, logs, retracted FROM webhook JOIN webhook_body USING (partition, position)
       WHERE stream_id = $1 ORDER BY position`,
      [id],
    )
    expect(Math.max(...rows.map(([, , , parts]) => parts))).toBeGreaterThan(5)
    for (const [, , , , body, logs] of rows) if (logs > 1) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(bound)
    const own = t.chain.logs().filter(({ blockNumber }) => BigInt(blockNumber) >= from)
    const want = own.map(({ transactionHash }) => transactionHash)
    for (const kind of kinds) {
      const kept = rows.filter(([k, , , , , , retracted]) => k === kind && !retracted)
      const sent = kept.flatMap(([, , , , body]) =>
        (JSON.parse(body).logs as { transactionHash: string }[]).map((log) => log.transactionHash),
      )
      expect(sent).toEqual(want)
    }
    const lost = rows.filter(([kind, , , , , , retracted]) => kind === 'unconfirmed' && retracted)
    expect(rows.filter(([kind]) => kind === 'retraction').length).toBe(lost.length)
    const stats = await readStats(t.db, { partition: streamPartition(id), streamId: id })
    expect(stats!.totalLogsProcessed).toBe(want.length)
  }
  expect((await recountLedger(t.db)).mismatches).toEqual([])
})

test('behavior: a resumed stream gets all parts of a block before the parts that confirm it', async () => {
  await using t = await openScriptedStreams(8, { maxBytes: 3_000 })
  const mint = (count: number) => t.chain.add(Array.from({ length: count }, (_, token) => ({ token, from: 0, to: 1 })))
  mint(1)
  await t.settle()
  const id = await t.create({ all: true })
  await t.settle()
  await t.demand.setStatus(id, 'paused')
  await t.demand.setStatus(id, 'active')
  // The stream joins the chain when the first blocks of these are confirmed already.
  for (const count of [20, 30, 1, 1, 1, 1]) mint(count)
  while ((await t.follower.step(never)) === 'moved');
  await t.settle()
  const rows = await t.db.rows<[block: string, kind: string, part: number, parts: number]>(
    `SELECT encode(block_hash, 'hex'), kind, part, parts FROM webhook WHERE stream_id = $1 ORDER BY position`,
    [id],
  )
  const blocks = Map.groupBy(rows, ([block]) => block)
  const split = [...blocks.values()].filter(([first]) => first![3] > 1)
  expect(split.length).toBe(2)
  for (const own of split) {
    const numbers = Array.from({ length: own[0]![3] }, (_, i) => i + 1)
    expect(own.map(([, kind, part]) => [kind, part])).toEqual([
      ...numbers.map((part) => ['unconfirmed', part]),
      ...numbers.map((part) => ['confirmed', part]),
    ])
  }
  expect((await recountLedger(t.db)).mismatches).toEqual([])
})
