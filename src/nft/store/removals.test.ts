import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Sql } from '../../db/database.ts'
import { removeRows } from './removals.ts'

test('behavior: rows are deleted by their key index even before any table statistics exist', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  // A condition on ctid besides the key would compare each place with each row of the collection. That takes 10 s for 5,000 of 50,000 rows.
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

test('behavior: rows that another process adds to an already emptied table are removed too', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const key = await seedCollection(db, { address: `0x${'ab'.repeat(20)}`, tokens: [1n, 2n] })
  const other = await seedCollection(db, { address: `0x${'cd'.repeat(20)}` })
  const addSlice = ({ partition, id }: typeof key) =>
    db.run('INSERT INTO media_turn (partition, collection_id, due_at) VALUES ($1, $2, now())', [partition, id])
  await addSlice(other)
  let added = 0
  const raced: Sql = {
    ...db,
    async run(text, values) {
      const rows = await db.run(text, values)
      if (rows > 0 && text.startsWith('DELETE FROM "token" ')) added += await addSlice(key)
      return rows
    },
  }
  expect(await removeRows(raced, key)).toEqual({ tokens: 2, transfers: 0 })
  expect(added).toBe(1)
  expect(await db.rows('SELECT collection_id FROM media_turn')).toEqual([[other.id]])
})
