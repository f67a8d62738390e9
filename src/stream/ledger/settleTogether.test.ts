import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { createRandom, freshSeed } from '../../../test/random.ts'
import { retractAbove } from '../../../test/stream/retractAbove.ts'
import { chainId, insertStreams, testWebhook } from '../../../test/stream/streams.ts'
import { noopLog } from '../../util/log.ts'
import { createAttemptSettler } from '../delivery/createAttemptSettler.ts'
import type { Attempt } from './attempt.ts'
import { enqueueReplays } from './enqueueReplays.ts'
import { enqueueWebhooks } from './enqueueWebhooks.ts'
import { recountLedger } from './recountLedger.ts'
import { addUrls, urlHash } from './urlHash.ts'

const seed = freshSeed()
const random = createRandom(seed)
const blocks = 60

test(`behavior: the ledger adds up while two processes settle the same webhooks amid replays and a reorganisation (seed ${seed})`, async () => {
  await using database = await createTestDatabase().then((t) => ({ ...t, [Symbol.asyncDispose]: t.drop }))
  const { db } = database
  const urls = ['https://a.example/', 'https://b.example/']
  const streams = await insertStreams(db, urls)
  await addUrls(db, urls)
  await db.transaction((tx) =>
    enqueueWebhooks(
      tx,
      streams.flatMap((stream) => Array.from({ length: blocks }, (_, i) => testWebhook(stream, { number: i + 1 }))),
    ),
  )
  const known = await db.rows<[number, string, bigint]>('SELECT partition, stream_id::text, position FROM webhook')

  const stop = new AbortController()
  const settled: Attempt[] = []
  const settlers = [0, 1].map(() =>
    createAttemptSettler({
      ...{ db, log: noopLog, clock: Date.now, signal: stop.signal },
      settings: { minSuccessRate: 0, probeDelaysMs: [1_000] },
      onSettled: (those) => {
        for (const one of those) settled.push(one)
      },
    }),
  )
  /** Each process numbers the attempts of a delivery independently. */
  const numbers = settlers.map(() => new Map<string, number>())
  let made = 0

  function attempt(process: number): void {
    const [partition, streamId, position] = known[random.int(known.length)]!
    const replay = random.int(4) === 0 ? 1 : 0
    const name = `${position}:${replay}`
    const number = (numbers[process]!.get(name) ?? 0) + 1
    numbers[process]!.set(name, number)
    const kind = random.int(5)
    const outcome: Attempt['outcome'] =
      kind < 2
        ? { status: 'delivered', code: 200, answer: Buffer.alloc(0) }
        : { status: 'failed', error: 'no', code: 500, ...(kind < 4 && { retryAt: new Date(Date.now() + 60_000) }) }
    made += 1
    const url = urls[streams.findIndex(({ id }) => id === streamId)]!
    settlers[process]!.add({
      ...{
        partition,
        streamId,
        chainId,
        position,
        replay,
        number,
        urlHash: urlHash(url),
        at: new Date(),
        ms: made,
        outcome,
      },
    })
  }

  const others = [
    async () => {
      for (const fork of [50, 40, 30, 20]) await db.transaction((tx) => retractAbove(tx, chainId, BigInt(fork)))
    },
    async () => {
      for (let i = 0; i < 20; i++)
        for (const { id } of streams)
          await db.transaction((tx) =>
            enqueueReplays(tx, id, 'w.stream_id = $2 AND w.block_number = $3', [1 + random.int(blocks)]),
          )
    },
  ]
  const running = others.map((work) => work())
  for (let i = 0; i < 2_000; i++) {
    attempt(random.int(2))
    if (i % 40 === 0) await new Promise((resolve) => setImmediate(resolve))
    if (i % 300 === 0) await db.rows('SELECT pg_sleep(0.05)')
  }
  await Promise.all(running)
  stop.abort()
  await Promise.all(settlers.map(({ done }) => done))

  expect(settled).toHaveLength(made)
  expect(await db.rows('SELECT count(*) FROM webhook_attempt')).toEqual([[BigInt(made)]])
  const { mismatches } = await recountLedger(db)
  expect(mismatches).toEqual([])
  // A webhook is delivered if one of its attempts was, and is never pending again after its first delivery.
  expect(
    await db.rows(
      `SELECT w.position, w.status FROM webhook w WHERE (w.status = 'delivered') <>
         EXISTS (SELECT 1 FROM webhook_attempt a WHERE a.partition = w.partition AND a.position = w.position AND a.delivered)
       OR w.status <> 'pending' AND EXISTS (SELECT 1 FROM webhook_queue q WHERE q.partition = w.partition AND q.position = w.position AND q.replay = 0)`,
    ),
  ).toEqual([])
})
