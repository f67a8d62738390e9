import type { Database } from '../../src/db/database.ts'
import { enqueueWebhooks } from '../../src/stream/ledger/enqueueWebhooks.ts'
import { settleAttempts } from '../../src/stream/ledger/settleAttempts.ts'
import { urlHash } from '../../src/stream/ledger/urlHash.ts'
import { type TestStream, testWebhooks } from './streams.ts'

/** Writes confirmed webhooks of blocks 1 to 5: the first `delivered` of them are delivered, the next one has failed once. */
export async function fillLedger(db: Database, stream: TestStream, delivered: number): Promise<void> {
  await db.transaction((tx) => enqueueWebhooks(tx, testWebhooks(stream, 1, 5, { kind: 'confirmed' })))
  const rows = await db.rows<[bigint]>('SELECT position FROM webhook ORDER BY position')
  await db.transaction((tx) =>
    settleAttempts(
      tx,
      rows.slice(0, delivered + 1).map(([position], i) => ({
        partition: stream.partition,
        streamId: stream.id,
        chainId: 31_337n,
        position,
        replay: 0,
        number: 1,
        urlHash: urlHash(stream.url),
        at: new Date(Date.now() + i),
        ms: 12 + 10 * i,
        outcome:
          i < delivered
            ? { status: 'delivered', code: 200, answer: Buffer.from('thanks') }
            : { status: 'failed', error: 'answered 500', code: 500, retryAt: new Date(Date.now() + 60_000) },
      })),
      new Date(),
    ),
  )
}
