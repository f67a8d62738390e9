import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Address } from '../../util/hex.ts'
import { createSpamFilter } from './createSpamFilter.ts'

const [spam, word, plain, unknown] = ['5a', '5b', '5c', '5d'].map((byte): Address => `0x${byte.repeat(20)}`) as [
  Address,
  Address,
  Address,
  Address,
]

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  await seedCollection(db, { address: spam, columns: { possible_spam: true } })
  await seedCollection(db, { address: word, columns: { possible_spam: true, spam_override: false } })
  await seedCollection(db, { address: plain, columns: { spam_override: true }, chainId: 5n })
  await seedCollection(db, { address: plain })
})
afterAll(() => database.drop())

test('behavior: spam verdicts are per chain, an operator override wins, and each contract is looked up once', async () => {
  let statements = 0
  const { db } = database
  const filter = createSpamFilter({
    rows: (text, values) => {
      statements++
      return db.rows(text, values)
    },
  })
  for (const requested of [
    [spam, word, plain, unknown],
    [unknown, spam],
  ])
    expect(await filter(1n, requested)).toEqual(new Set([spam]))
  expect(statements).toBe(1)
  expect(await filter(5n, [plain, spam])).toEqual(new Set([plain]))
})
