import { expect, test, vi } from 'vitest'
import { onCluster } from '../../../test/onCluster.ts'
import { patience } from '../../../test/patience.ts'
import { startReceiver } from '../../../test/receiver.ts'
import { insertStreams, testWebhook } from '../../../test/stream/streams.ts'
import { createTestDelivery } from '../../../test/stream/testDelivery.ts'

// On a cluster the coordinator does not show which sessions of other nodes wait for a lock.
test.skipIf(onCluster)(
  'behavior: closing waits until the last attempts are in the ledger, and only then releases the partitions',
  async () => {
    await using t = await createTestDelivery()
    await using receiver = await startReceiver()
    const [stream] = await insertStreams(t.db, [receiver.url])
    const delivery = await t.start()
    const count = async (sql: string) => Number((await t.db.rows<[bigint]>(`SELECT count(*) FROM ${sql}`))[0]![0])
    const release = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const locking = t.db.transaction(async (tx) => {
      await tx.run('LOCK TABLE webhook_attempt IN SHARE MODE')
      locked.resolve()
      await release.promise
    })
    await locked.promise
    await t.enqueue([testWebhook(stream!, { number: 1 })])
    await vi.waitUntil(() => count(`pg_locks WHERE relation = 'webhook_attempt'::regclass AND NOT granted`), patience)
    const closing = delivery.close()
    await vi.waitUntil(() => count(`worker WHERE takes = '{}'`), patience)
    // The receiver responded, and nothing else is in progress. Without the wait, the worker would end after a few round trips.
    for (let round = 0; round < 50; round++)
      expect(
        await count(`lease WHERE kind = 'delivery' AND key = ${stream!.partition} AND worker_id IS NOT NULL`),
      ).toBe(1)
    release.resolve()
    await closing
    await locking
    expect(await count('webhook_attempt')).toBe(1)
    expect([await count('worker'), await count('webhook_queue')]).toEqual([0, 0])
  },
)
