import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { pagesRead } from '../../../test/rowsRead.ts'
import { chainId, insertStreams } from '../../../test/stream/streams.ts'
import { advanceRangeReplay, readRunning, requestRangeReplay } from './rangeReplay.ts'

const streams = 20
const webhooks = 60_000

/** Delivered webhooks of many streams, in turn. PostgreSQL expects far fewer webhooks of a stream than there are. */
const fill = `
INSERT INTO webhook (partition, position, stream_id, chain_id, block_number, block_hash, kind, id, flips, live, logs, txs, txs_internal, status,
  created_at)
SELECT ($1::smallint[])[1 + n % ${streams}], n, ($2::uuid[])[1 + n % ${streams}], $3::bigint, n, decode(lpad(to_hex(n), 64, '0'), 'hex'), 'confirmed',
  gen_random_uuid(), 0, true, 1, 0, 0, 'delivered', now()
FROM generate_series(1, ${webhooks}) n`

/** Ten replays fewer than the most that a stream may have in its queue. */
const nearlyFull = `
INSERT INTO webhook_queue (partition, stream_id, chain_id, position, replay, id, live, body_bytes)
SELECT $1, $2, $3::bigint, n, 1, gen_random_uuid(), true, 2 FROM generate_series(1, 4990) n`

test.each(['with', 'without'])(
  'behavior: a step of a range replay reads only the webhooks that it queues, %s statistics of the ledger',
  async (statistics) => {
    const database = await createTestDatabase()
    await using _ = { [Symbol.asyncDispose]: database.drop }
    const { db } = database
    const made = await insertStreams(
      db,
      Array.from({ length: streams }, (_, i) => `https://receiver.example/${i}`),
    )
    await db.run(fill, [made.map(({ partition }) => partition), made.map(({ id }) => id), chainId])
    await db.run(`INSERT INTO webhook_text SELECT partition, position, '{}' FROM webhook`)
    await db.run(`SELECT setval('webhook_position', ${webhooks})`)
    if (statistics === 'with') await db.run('ANALYZE')
    const { id, partition } = made[1]!
    const range = { chainId: null, fromBlock: null, toBlock: null, status: null }
    await db.transaction((tx) => requestRangeReplay({ tx, streamId: id, range }))
    await db.run('DELETE FROM webhook_queue')
    await db.run(nearlyFull, [partition, id, chainId])
    const [key] = await readRunning(db, new Set([BigInt(partition)]))
    await db.transaction(async (tx) => {
      const pages = await pagesRead(tx, 'webhook', () => advanceRangeReplay(tx, key!))
      expect(await tx.rows('SELECT count(*)::int FROM webhook_queue')).toEqual([[5_000]])
      // About five for each of the ten; the entries of the stream alone are on 40 pages of an index.
      expect(pages).toBeLessThan(70)
    })
  },
)
