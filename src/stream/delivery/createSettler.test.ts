import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { insertStreams, testWebhook } from '../../../test/stream/streams.ts'
import { silentLog } from '../../log.ts'
import type { Attempt } from '../ledger/attempt.ts'
import { enqueueWebhooks } from '../ledger/enqueueWebhooks.ts'
import { recountLedger } from '../ledger/recountLedger.ts'
import { addUrls, urlHash } from '../ledger/urlHash.ts'
import { createSettler } from './createSettler.ts'

const url = 'https://receiver.example/hook'

test('behavior: a batch in which the ledger has one attempt already, from now or from long ago, counts the others', async () => {
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
    const settler = createSettler({
      ...{ db, log: silentLog, clock: Date.now, signal: end.signal },
      settings: { minSuccessRate: 70, probeDelaysMs: [1_000] },
      onSettled: (those) => void settled.push(...those),
    })
    for (const attempt of batch) settler.add(attempt)
    end.abort()
    await settler.done
    expect(settled).toEqual(batch)
  }
  expect(await db.rows('SELECT delivered, attempts FROM webhook_delivered')).toEqual([[3n, 3n]])
  expect(await db.rows('SELECT FROM webhook_queue')).toEqual([])
  expect((await recountLedger(db)).mismatches).toEqual([])
  await drop()
})
