import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { insertStreams, testWebhook } from '../../../test/stream/streams.ts'
import { noopLog } from '../../util/log.ts'
import type { Attempt } from '../ledger/attempt.ts'
import { enqueueWebhooks } from '../ledger/enqueueWebhooks.ts'
import { recountLedger } from '../ledger/recountLedger.ts'
import { addUrls, urlHash } from '../ledger/urlHash.ts'
import { createAttemptSettler } from './createAttemptSettler.ts'

const url = 'https://receiver.example/hook'
const count = 8

test('behavior: a batch with one attempt already in the ledger, recent or old, counts the others', async () => {
  const { db, drop } = await createTestDatabase()
  const [stream] = await insertStreams(db, [url])
  await addUrls(db, [url])
  const webhooks = [1, 2, 3].map((number) => testWebhook(stream!, { number }))
  await db.transaction((tx) => enqueueWebhooks(tx, webhooks))
  const rows = await db.rows<[bigint]>('SELECT position FROM webhook ORDER BY position')
  const attempts = rows.map(
    ([position], i): Attempt => ({
      ...{ partition: stream!.partition, streamId: stream!.id, chainId: 31_337n, position, replay: 0, number: 1 },
      urlHash: urlHash(url),
      at: i === 2 ? new Date(1_700_000_000_000) : new Date(),
      ms: 1,
      outcome: { status: 'delivered', code: 200, answer: Buffer.alloc(0) },
    }),
  )
  const [first, second, old] = attempts as [Attempt, Attempt, Attempt]
  for (const batch of [[first], [first, second], [second, old], [old]]) {
    const end = new AbortController()
    const settled: Attempt[] = []
    const settler = createAttemptSettler({
      ...{ db, log: noopLog, clock: Date.now, signal: end.signal },
      settings: { minSuccessRate: 70, probeDelaysMs: [1_000] },
      onSettled: (those) => void settled.push(...those),
    })
    for (const attempt of batch) settler.add(attempt)
    end.abort()
    await settler.done
    expect(settled).toEqual(batch)
  }
  expect(await db.rows('SELECT delivered, attempts FROM webhook_delivered')).toEqual([[3n, 3n]])
  expect(await db.rows('SELECT 1 FROM webhook_queue')).toEqual([])
  expect((await recountLedger(db)).mismatches).toEqual([])
  await drop()
})

test('behavior: attempts that the database rejects do not prevent others from being written', async () => {
  const database = await createTestDatabase()
  await using _ = { [Symbol.asyncDispose]: database.drop }
  const { db } = database
  const [stream] = await insertStreams(db, [url])
  await addUrls(db, [url])
  const webhooks = Array.from({ length: count }, (_, i) => testWebhook(stream!, { number: i + 1 }))
  await db.transaction((tx) => enqueueWebhooks(tx, webhooks))
  const rows = await db.rows<[bigint]>('SELECT position FROM webhook ORDER BY position')
  const { partition, id: streamId } = stream!
  const common = {
    partition,
    streamId,
    chainId: 31_337n,
    replay: 0,
    number: 1,
    urlHash: urlHash(url),
    at: new Date(),
    ms: 1,
  }
  const attempts = rows.map(([position], i): Attempt => {
    // One attempt has a text that PostgreSQL cannot store, another one a number that is too large for a PostgreSQL integer.
    const error = i === 2 ? 'a\0b' : 'answered 500'
    return { ...common, position, number: i === 5 ? 1e12 : 1, outcome: { status: 'failed', error, code: 500 } }
  })

  const stop = new AbortController()
  const written = new Set<bigint>()
  const settler = createAttemptSettler({
    db,
    log: noopLog,
    clock: Date.now,
    settings: { minSuccessRate: 0, probeDelaysMs: [60_000] },
    onSettled(own) {
      for (const { position } of own) written.add(position)
    },
    signal: stop.signal,
  })
  for (const attempt of attempts) settler.add(attempt)
  stop.abort()
  await settler.done

  expect([...written]).toEqual(attempts.filter((_, i) => i !== 5).map(({ position }) => position))
  const kept = await db.rows<[string, bigint]>(
    'SELECT error, count(*) FROM webhook_attempt GROUP BY error ORDER BY error',
  )
  expect(kept).toEqual([
    ['answered 500', BigInt(count - 2)],
    ['the error cannot be stored, see the log', 1n],
  ])
  expect((await recountLedger(db)).mismatches).toEqual([])
})

test.each([
  ['with the failure that takes the rate below the minimum', [410]],
  ['in a batch after it', [500, 410]],
])('behavior: a 410 ends the probes of its stream, also %s', async (_, codes) => {
  const { db, drop } = await createTestDatabase()
  await using _database = { [Symbol.asyncDispose]: drop }
  const [stream] = await insertStreams(db, [url])
  const { partition, id: streamId } = stream!
  await addUrls(db, [url])
  const failures = Array.from({ length: 40 }, () => 500)
  const answers = [...failures, ...codes]
  await db.transaction((tx) =>
    enqueueWebhooks(
      tx,
      answers.map((_, i) => testWebhook(stream!, { number: i + 1 })),
    ),
  )
  const rows = await db.rows<[bigint]>('SELECT position FROM webhook ORDER BY position')
  const attempts = answers.map((code, i): Attempt => {
    const key = { partition, streamId, chainId: 31_337n, position: rows[i]![0], replay: 0, number: 1 }
    const outcome = { status: 'failed', code, error: `answered ${code}` } as const
    return { ...key, urlHash: urlHash(url), at: new Date(), ms: 1, outcome }
  })
  const last = attempts.length - 1
  for (const batch of codes.length === 1 ? [attempts] : [attempts.slice(0, last), attempts.slice(last)]) {
    const end = new AbortController()
    const settler = createAttemptSettler({
      ...{ db, log: noopLog, clock: Date.now, signal: end.signal, onSettled: () => undefined },
      settings: { minSuccessRate: 70, probeDelaysMs: [1_000] },
    })
    for (const attempt of batch) settler.add(attempt)
    end.abort()
    await settler.done
  }
  expect(
    await db.rows(
      'SELECT s.status, s.status_message, d.probe_at FROM stream s JOIN webhook_delivered d ON d.stream_id = s.id',
    ),
  ).toEqual([['error', expect.stringContaining('410 Gone'), null]])
})
