import { expect, onTestFinished } from 'vitest'
import { distribute, planDistribution } from '../../src/db/migrations/distribute.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import type { Outcome } from '../../src/nft/metadata/parse/outcome.ts'
import { createDueTokens } from '../../src/nft/metadata/store/dueTokens.ts'
import { queueTokens } from '../../src/nft/metadata/store/metadataStore.ts'
import { settleMetadata } from '../../src/nft/metadata/store/settleMetadata.ts'
import { noopLog } from '../../src/util/log.ts'
import { createTestDatabase } from '../database.ts'
import { seedLeasedCollection, seedWorker } from '../seedLease.ts'
import { testOnTwoNodes } from './onTwoNodes.ts'

const retryAt = new Date(Date.now() + 3_600_000)

/** Different statements store each outcome. */
const outcomes: Outcome[] = [
  { state: 'failed', uri: null, reason: 'no answer', retryAt },
  { state: 'busy', reason: 'left alone', retryAt },
  { state: 'parked', reason: 'dead', host: 'dead.example' },
  { state: 'permanent', uri: 'https://example.org/4', reason: 'no JSON' },
]

testOnTwoNodes(
  'behavior: metadata results are stored in tables with one shard, where Citus computes more of a statement itself (skipped without a cluster of two workers)',
  async () => {
    const { db, drop } = await createTestDatabase({ migrated: false })
    onTestFinished(drop)
    await migrate(db, noopLog)
    await distribute(db, { plan: await planDistribution(db, 1), onTable: () => undefined })
    const worker = await seedWorker(db)
    const seeded = await seedLeasedCollection(db, { tokens: [1n, 2n, 3n, 4n], worker })
    const collection = { ...seeded, chainId: 1n, standard: 'ERC721' as const, idInData: false }
    const rows = await db.rows<[string, string]>('SELECT token_hash, token_id FROM token ORDER BY token_id')
    await queueTokens(
      db,
      rows.map(([hash, tokenId]) => ({ ...seeded, hash, tokenId })),
    )
    const tokens = await createDueTokens(db, collection).next(10)
    expect(tokens).toHaveLength(4)
    const settled = tokens
      .toSorted((a, b) => Number(a.tokenId - b.tokenId))
      .map((token, i) => ({ token, outcome: outcomes[i]!, at: new Date() }))
    expect(await settleMetadata(db, { collection, worker, settled, coolOffMs: 10_000 })).toBe(true)
    expect(await db.rows('SELECT token_id::int, host, due_at > now() FROM metadata_due ORDER BY token_id')).toEqual([
      [1, null, true],
      [2, null, true],
      [3, 'dead.example', expect.any(Boolean)],
    ])
  },
)
