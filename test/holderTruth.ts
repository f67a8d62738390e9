import { expect } from 'vitest'
import type { Database } from '../src/db/database.ts'

/** Expects the stored holders and their counts to match the tokens and balances. */
export async function expectHolderTruth(db: Database): Promise<void> {
  const stored = await db.rows(
    `SELECT h.collection_id, encode(h.holder, 'hex'), h.amount, h.tokens FROM holder h
     JOIN holder_index i ON i.partition = h.partition AND i.collection_id = h.collection_id WHERE i.built ORDER BY 1, 2`,
  )
  const counted = await db.rows(
    `SELECT i.collection_id, encode(x.holder, 'hex'), sum(x.amount), count(*) FROM holder_index i JOIN (
       SELECT t.partition, t.collection_id, t.owner AS holder, t.amount FROM token t WHERE NOT t.erc1155 AND t.amount > 0
       UNION ALL SELECT b.partition, b.collection_id, b.holder, b.amount FROM balance b WHERE b.amount > 0
     ) x ON x.partition = i.partition AND x.collection_id = i.collection_id WHERE i.built GROUP BY 1, 2 ORDER BY 1, 2`,
  )
  expect(stored).toEqual(counted)
  const counts = await db.rows('SELECT collection_id, holders, pieces FROM holder_index WHERE built ORDER BY 1')
  const recounted = await db.rows(
    `SELECT i.collection_id, count(h.holder), coalesce(sum(h.amount), 0) FROM holder_index i
     LEFT JOIN holder h ON h.partition = i.partition AND h.collection_id = i.collection_id WHERE i.built GROUP BY 1 ORDER BY 1`,
  )
  expect(counts).toEqual(recounted)
}
