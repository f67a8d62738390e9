import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Sql } from '../../db/database.ts'
import { removeRows } from './removals.ts'

test('behavior: rows that no statistics know of yet are removed along the index of their key', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  // Places (ctid) beside the key were compared one by one with each row of the collection: 10 s for 5,000 of 50,000 rows.
  const key = await seedCollection(db, { address: `0x${'ab'.repeat(20)}`, tokens: [1n, 2n, 3n] })
  await seedCollection(db, { address: `0x${'cd'.repeat(20)}`, tokens: [1n] })
  const plans: string[] = []
  const explained: Sql = {
    ...db,
    async run(text, values) {
      if (text.startsWith('DELETE FROM "token" ')) plans.push((await db.rows(`EXPLAIN ${text}`, values)).join('\n'))
      return db.run(text, values)
    },
  }
  expect(await removeRows(explained, key)).toEqual({ tokens: 3, transfers: 0 })
  expect(plans.length).toBeGreaterThan(0)
  for (const plan of plans)
    expect(plan).toMatch(
      /Index Scan using token_pkey(_\d+)? on token(_\d+)? .*\n *Index Cond: .*partition = .*collection_id = /,
    )
  expect((await db.rows('SELECT 1 FROM token')).length).toBe(1)
})
