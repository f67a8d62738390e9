import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { seedLease } from '../../../test/seedLease.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { noopLog } from '../../util/log.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { createMetadataSettler } from './createMetadataSettler.ts'
import type { Outcome, Settled } from './parse/outcome.ts'
import { tokenMetadata } from './parse/tokenMetadata.ts'

const address = `0x${'ab'.repeat(20)}` as const
const worker = 7

async function open(count: number) {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const ids = Array.from({ length: count }, (_, i) => BigInt(i + 1))
  const collection = await seedCollection(db, { address, tokens: ids })
  await seedLease(db, 'partition', collection.partition, worker)
  const settings = { concurrentCollections: 1, concurrentDocuments: 1, retryDelaysMs: [60_000], coolOffMs: 0 }
  const leases = { serving: () => worker } as Pick<Leases, 'serving'> as Leases
  const metrics = createMetrics()
  const options = { db, leases, settings, isBusy: () => false, metrics, log: noopLog }
  const settler = createMetadataSettler(options, {
    ...collection,
    chainId: 1n,
    address,
    standard: 'ERC721',
    mixed: false,
  })
  return { db, ids, collection, metrics, settler }
}

test('behavior: metadata that the database rejects fails alone, and the rest of its transaction is stored', async () => {
  const { db, ids, collection, settler } = await open(20)
  const at = new Date()
  for (const tokenId of ids) {
    const value = { name: `Token ${tokenId}` }
    const parsed = tokenMetadata(JSON.stringify(value), value, tokenId)
    // PostgreSQL cannot store NUL in a text. This simulates a bug.
    const stored = tokenId === 7n ? { ...parsed, normalized: 'a\0b' } : parsed
    const token = { hash: tokenHash(address, String(tokenId)), tokenId, attempts: 0, dueAt: at, announcedAt: null }
    await settler.add({
      token,
      outcome: { state: 'ok', uri: 'https://example.org/', metadata: stored },
      at,
    } satisfies Settled)
  }
  await settler.end()

  const rows = await db.rows<[string, bigint, string | null]>(
    'SELECT state, count(*), min(reason) FROM token_metadata WHERE collection_id = $1 GROUP BY state ORDER BY state',
    [collection.id],
  )
  expect(rows).toEqual([
    ['failed', 1n, 'refused by the database (22021), see the log'],
    ['ok', 19n, null],
  ])
})

test('behavior: a token that was not tried, as its host is paused or dead, counts no failed attempt', async () => {
  const { ids, metrics, settler } = await open(4)
  const at = new Date()
  const uri = 'https://example.org/'
  const parsed = tokenMetadata('{}', {}, 1n)
  const outcomes: Outcome[] = [
    { state: 'ok', uri, metadata: parsed },
    { state: 'failed', uri, reason: 'status 500', retryAt: at },
    { state: 'busy', retryAt: at, reason: 'example.org is left alone' },
    { state: 'parked', reason: 'example.org cannot be reached', host: 'example.org' },
  ]
  for (const [i, outcome] of outcomes.entries()) {
    const tokenId = ids[i]!
    const token = { hash: tokenHash(address, String(tokenId)), tokenId, attempts: 0, dueAt: at, announcedAt: null }
    await settler.add({ token, outcome, at })
  }
  await settler.end()
  const { values } = await metrics.metadata.get()
  expect(values.map(({ labels, value }) => [labels.state, value])).toEqual([
    ['ok', 1],
    ['failed', 1],
    ['busy', 1],
    ['parked', 1],
  ])
})
