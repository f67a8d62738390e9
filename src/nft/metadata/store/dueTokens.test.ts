import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { seedLeasedCollection } from '../../../../test/seedLease.ts'
import { createDueTokens } from './dueTokens.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

test('behavior: due tokens are ordered by priority, then time, then list order, each once', async () => {
  const { db } = database
  const tokens = Array.from({ length: 60 }, (_, i) => BigInt(i))
  const collection = await seedLeasedCollection(db, { tokens, worker: 7 })
  const key = [collection.partition, collection.id]
  await db.run(
    `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at, priority)
     SELECT $1, $2, token_hash, token_id,
       CASE WHEN token_id = 59 THEN now() + interval '1 hour' WHEN token_id % 3 = 0 THEN '-infinity'
         ELSE date_trunc('milliseconds', now()) - make_interval(secs => (token_id % 3)::int) END,
       CASE WHEN token_id < 5 THEN 1 ELSE 0 END
     FROM token WHERE partition = $1 AND collection_id = $2`,
    key,
  )
  const expected = await db.rows<[string]>(
    `SELECT token_id::text FROM metadata_due WHERE partition = $1 AND collection_id = $2 AND due_at <= now()
     ORDER BY priority DESC, due_at, token_hash DESC`,
    key,
  )
  expect(expected).toHaveLength(59)
  const dueTokens = createDueTokens(db, collection)
  const given: string[] = []
  for (;;) {
    const next = await dueTokens.next(7)
    if (next.length === 0) break
    for (const token of next) {
      expect(dueTokens.begin(token)).toBe(true)
      given.push(String(token.tokenId))
    }
  }
  expect(given).toEqual(expected.flat())
})
