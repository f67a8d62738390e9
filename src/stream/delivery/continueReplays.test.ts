import { afterEach, expect, test, vi } from 'vitest'
import { countStatements } from '../../../test/countStatements.ts'
import { createTestDatabase } from '../../../test/database.ts'
import { insertStreams, testWebhooks } from '../../../test/stream/streams.ts'
import { noopLog } from '../../util/log.ts'
import { enqueueWebhooks } from '../ledger/enqueueWebhooks.ts'
import { requestRangeReplay } from '../ledger/rangeReplay.ts'
import { continueReplays } from './continueReplays.ts'

afterEach(() => void vi.useRealTimers())

test('behavior: a replay that cannot continue is checked once a second, and continues when replays were sent', async () => {
  const { db, drop } = await createTestDatabase()
  const stop = new AbortController()
  let done: Promise<void> | undefined
  await using _ = {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await done
      await drop()
    },
  }
  const [stream] = await insertStreams(db, ['https://receiver.example/'])
  const { id: streamId, partition } = stream!
  await db.transaction((tx) => enqueueWebhooks(tx, testWebhooks(stream!, 1, 1_100)))
  await db.run('DELETE FROM webhook_queue')
  const range = { chainId: null, fromBlock: null, toBlock: null, status: null }
  await db.transaction((tx) => requestRangeReplay({ tx, streamId, range }))
  await db.run(
    `INSERT INTO webhook_queue (partition, stream_id, chain_id, position, replay, id, live, body_bytes)
     SELECT partition, stream_id, chain_id, position, n, id, live, 2 FROM webhook, generate_series(2, 6) n`,
  )
  const status = async () => (await db.rows('SELECT status FROM range_replay'))[0]?.[0]

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { counted, statements } = countStatements(db)
  const leases = { held: () => new Set([BigInt(partition)]) }
  const replaying = continueReplays({ db: counted, leases, log: noopLog, signal: stop.signal })
  done = replaying.done
  async function pass(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms)
    // Time for the loop's statements.
    for (let i = 0; i < 10; i++) await status()
  }
  for (let tick = 0; tick < 300; tick++) await pass(100)
  expect(await status()).toBe('running')
  expect(statements()).toBeGreaterThan(2)
  expect(statements()).toBeLessThan(70)

  await db.run('DELETE FROM webhook_queue')
  replaying.wake()
  // Less than the pause of an idle loop.
  for (let ms = 0; ms < 300 && (await status()) !== 'done'; ms++) await pass(1)
  expect(await status()).toBe('done')
})
