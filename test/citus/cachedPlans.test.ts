import { expect, onTestFinished } from 'vitest'
import { createPipeline } from '../../src/db/pipeline/pipeline.ts'
import { createNftQuery } from '../../src/nft/pages/createNftQuery.ts'
import { noopLog } from '../../src/util/log.ts'
import { createTestDatabase } from '../database.ts'
import { patienceMs } from '../patience.ts'
import { seedLeasedCollection, seedWorker } from '../seedLease.ts'
import { testOnTwoNodes } from './onTwoNodes.ts'

testOnTwoNodes(
  'behavior: the coordinator caches the plans of repeated page queries, each for one shard (skipped without a cluster of two workers)',
  async () => {
    const database = await createTestDatabase()
    onTestFinished(database.drop)
    const { db } = database
    const collection = await seedLeasedCollection(db, { tokens: [1n, 2n, 3n], worker: await seedWorker(db) })
    const reader = createPipeline({
      connection: database.connection,
      ...{ connections: 1, queueTimeoutMs: patienceMs, log: noopLog },
    })
    onTestFinished(reader.close)
    const query = createNftQuery({ db, reader })
    const options = { normalized: false, media: false, hex: false, traits: null, rarity: false }
    for (let i = 0; i < 20; i++) {
      const state = await query.state(1n, collection.address)
      const range = { from: null, to: null }
      const page = await query.page({
        ...{ state: state!, address: collection.address, range, after: null, limit: 10 },
        ...options,
      })
      expect(page.count).toBe(3)
    }
    const kept = await reader.rows<[name: string, text: string, kept: bigint]>(
      // Runs on the connection that has the prepared statements of that node.
      `SELECT name, statement, generic_plans FROM pg_prepared_statements, (VALUES ($1::int2)) AS asked (partition)
       WHERE partition = $1 AND name LIKE 'm%p${collection.partition}'`,
      [collection.partition],
    )
    expect(kept).toHaveLength(2)
    for (const [, , plans] of kept) expect(plans).toBeGreaterThan(5n)
  },
)
