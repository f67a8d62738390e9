import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { stagedRows } from '../../../test/stagedRows.ts'
import { isUniqueViolation } from '../../db/databaseError.ts'
import type { Address } from '../../util/hex.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'
import { positionOf } from '../transfers/position.ts'
import { type Transfer, zeroAddress } from '../transfers/transfer.ts'
import { type CollectionKey, transferGroup } from '../transfers/transferGroup.ts'
import { mergeStaged, stageTransfers, storeTransfers } from './storeTransfers.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() => database.db.transaction((tx) => tx.script('TRUNCATE collection, token, balance, transfer')))
// No test may leave staged rows, even if its transaction failed.
afterEach(async () => expect(await stagedRows(database.db)).toEqual([]))

async function createCollection(standard: Standard, digits = 'aa'): Promise<CollectionKey> {
  const address: Address = `0x${digits.repeat(20)}`
  const key = await seedCollection(database.db, { address, columns: { standard } })
  return { ...key, chainId: 1n, address, standard, idInData: false }
}

const holder = '11'.repeat(20)

function mint(standard: Standard, block: number, token: number, amount = '1'): Transfer {
  const hash = 'ab'.repeat(32)
  return {
    ...{ position: positionOf(block, 0), item: 0, tokenId: String(token), from: zeroAddress, to: holder, amount },
    ...{ operator: standard === 'ERC721' ? null : holder, transactionHash: hash, transactionIndex: 0, blockHash: hash },
    blockTime: null,
  }
}

const stored = () => database.db.rows('SELECT collection_id, token_id, amount FROM token ORDER BY token_id')

test('error: storing a transfer twice fails and changes nothing', async () => {
  const group = transferGroup(await createCollection('ERC1155'), [mint('ERC1155', 1, 1, '5')])
  const store = () => database.db.transaction((tx) => storeTransfers(tx, [group]))
  await store()
  const before = await stored()
  expect(before).toHaveLength(1)
  expect(isUniqueViolation(await store().catch((error: unknown) => error))).toBe(true)
  expect(await stored()).toEqual(before)
})

test.each(['ERC721', 'ERC1155'] as const)(
  'behavior: two concurrent merges of %s each take their own rows without waiting',
  async (standard) => {
    const one = await createCollection(standard)
    const two = await createCollection(standard, 'bb')
    const groups = [
      transferGroup(one, [mint(standard, 1, 1), mint(standard, 2, 2)]),
      transferGroup(two, [mint(standard, 3, 7)]),
    ] as const
    const listed = await database.db.transaction(async (tx) => {
      await stageTransfers(tx, [groups[0]])
      const beside = await database.db.transaction(async (next) => {
        await next.script(`SET LOCAL lock_timeout = '5s'`)
        await stageTransfers(next, [groups[1]])
        // The first merge ends while the rows of the second one are staged.
        return [await mergeStaged(tx, [groups[0]]), await mergeStaged(next, [groups[1]])]
      })
      expect(await stagedRows(tx)).toEqual([])
      return beside
    })
    expect(listed).toEqual([
      [{ partition: one.partition, id: one.id, listed: 2n, transfers: 2n }],
      [{ partition: two.partition, id: two.id, listed: 1n, transfers: 1n }],
    ])
    expect(await stored()).toEqual([
      [one.id, '1', '1'],
      [one.id, '2', '1'],
      [two.id, '7', '1'],
    ])
  },
)
