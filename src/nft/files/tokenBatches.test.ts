import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { createNftQuery } from '../pages/createNftQuery.ts'
import { tokenBatches } from './tokenBatches.ts'

const address = `0x${'5d'.repeat(20)}` as const

test('behavior: a collection that changes while its pages are read is read to its end', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const tokens = Array.from({ length: 1_203 }, (_, i) => BigInt(i))
  const { id } = await seedCollection(db, { address, tokens })
  const query = createNftQuery({ db, refreshAfterMs: null })
  const state = (await query.state(1n, address))!
  const found: string[] = []
  const sizes: number[] = []
  const { signal } = new AbortController()
  for await (const records of tokenBatches(query, { state, address, signal })) {
    const batch = (JSON.parse(records) as { token_id: string }[]).map((record) => record.token_id)
    found.push(...batch)
    sizes.push(batch.length)
    await db.run('UPDATE collection SET version = version + 1 WHERE id = $1', [id])
    await db.run(`UPDATE chain SET block_number = block_number + 1, block_hash = '\\x01' WHERE id = 1`)
  }
  expect(found.map(BigInt).toSorted((a, b) => Number(a - b))).toEqual(tokens)
  // Rendering a batch delays the requests of others, so batches are small.
  expect(sizes).toEqual([...Array(12).fill(100), 3])
})
