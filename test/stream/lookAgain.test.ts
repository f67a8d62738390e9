import { expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { createClaims } from '../../src/stream/delivery/claims.ts'
import { createLoader } from '../../src/stream/delivery/createLoader.ts'
import { createLane, createStreamState, type Source } from '../../src/stream/delivery/source.ts'
import { readTargets } from '../../src/stream/delivery/target.ts'
import { chainId, insertStreams, testWebhooks } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

test('behavior: a webhook whose probe failed while its lane was read is found again', async () => {
  await using t = await createTestDelivery()
  const [stream] = await insertStreams(t.db, ['http://127.0.0.1:9'])
  await t.enqueue(testWebhooks(stream!, 1, 3))
  const state = createStreamState({ partition: stream!.partition, streamId: stream!.id })
  state.target = (await readTargets(t.db, [stream!.id], new Date()))[0]
  const lane = createLane(state, chainId)
  lane.window = 64
  const claims = createClaims<Source>()
  const read = Promise.withResolvers<void>()
  const settled = Promise.withResolvers<void>()
  const db: Database = {
    ...t.db,
    async transaction(work) {
      const result = await t.db.transaction(work)
      read.resolve()
      await settled.promise
      return result
    },
  }
  const loader = createLoader({
    db,
    clock: Date.now,
    claims,
    settings: { bufferBytes: 67_108_864, maxConcurrencyPerStream: 8 },
    onLoaded: () => undefined,
    onRoom: () => undefined,
  })
  const [row] = await t.db.rows<[bigint]>('SELECT min(position) FROM webhook_queue')
  const probed = { position: row![0], replay: 0, failures: 0 }
  claims.take(lane, probed)
  claims.move(probed, 'send')
  claims.move(probed, 'answer')

  // The lane was read before the probe is settled, and what was read is kept after it.
  loader.want(lane)
  const loading = loader.load()
  await read.promise
  await t.db.run('UPDATE webhook_queue SET failures = 1, postponed = 1 WHERE position = $1', [probed.position])
  claims.move(probed, 'settle')
  loader.lookAgain(lane, probed.position)
  settled.resolve()
  await loading
  await loader.load()
  const loaded = lane.buffer.map(({ position, failures }) => [Number(position - probed.position), failures])
  expect(loaded.sort()).toEqual([
    [0, 1],
    [1, 0],
    [2, 0],
  ])
})
