import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { noMetadata } from '../metadata/parse/renderMetadata.ts'
import { createNftQuery } from './createNftQuery.ts'

const address = `0x${'5c'.repeat(20)}` as const

test('behavior: a page refreshes the old metadata of exactly the tokens that it shows', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const { partition, id } = await seedCollection(db, { address, tokens: [1n, 2n, 3n, 4n, 5n] })
  // All metadata is old except that of token 5.
  await db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, tried_at)
     SELECT partition, collection_id, token_hash, 'ok', 0, $1, now() - interval '1 day' * (token_id <> 5)::int FROM token`,
    [noMetadata],
  )
  const query = createNftQuery({ db, refreshAfterMs: 60_000 })
  const state = (await query.state(1n, address))!
  const whole = { from: null, to: null }
  const written = { hex: false, normalized: false, media: false }
  const page = await query.page({ state, address, range: whole, after: null, limit: 2, ...written })
  const shown = (JSON.parse(page.records.toBuffer('[', ']').toString()) as { token_id: string }[]).map(
    (record) => record.token_id,
  )
  expect(shown).toHaveLength(page.count)
  expect(page.last).not.toBeNull()
  const queued = await db.rows<[string]>(
    'SELECT token_id FROM metadata_due WHERE partition = $1 AND collection_id = $2 ORDER BY token_id',
    [partition, id],
  )
  expect(queued.map(([tokenId]) => tokenId)).toEqual(shown.filter((tokenId) => tokenId !== '5').toSorted())
})
