import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import type { Address, Hex } from '../../util/hex.ts'
import { createSenders } from './createSenders.ts'

const sender: Address = `0x${'d0'.repeat(20)}`
const [first, second, absent] = ['a1', 'a2', 'a3'].map((byte): Hex => `0x${byte.repeat(32)}`) as [Hex, Hex, Hex]

let database: TestDatabase
let collection: { partition: number; id: bigint }
beforeAll(async () => {
  database = await createTestDatabase()
  collection = await seedCollection(database.db, { address: `0x${'5a'.repeat(20)}` })
})
afterAll(() => database.drop())

/** A node that has all transactions except one. `isDown`: it does not respond. */
function nodeWith({ isDown = false } = {}) {
  const requested: Hex[] = []
  const open = async () => {
    if (isDown) throw new Error('down')
    const senders = async (hashes: readonly Hex[]) => {
      requested.push(...hashes)
      return hashes.map((hash) => (hash === absent ? null : sender))
    }
    return { source: { senders } }
  }
  return { requested, openChains: { open } as unknown as OpenChains }
}

test('behavior: a sender is read from the nodes once for all processes, and stays unknown if no node has it', async () => {
  const { db } = database
  const read = ({ openChains }: ReturnType<typeof nodeWith>, hashes: readonly Hex[]) => {
    const transactions = hashes.map((hash) => ({ partition: collection.partition, collectionId: collection.id, hash }))
    return createSenders({ db, openChains }).read(1n, transactions)
  }
  const node = nodeWith()
  expect(await read(node, [first, absent, first])).toEqual([sender, null, sender])
  expect(node.requested).toEqual([first, absent])
  const down = nodeWith({ isDown: true })
  expect(await read(down, [second, first])).toEqual([null, sender])
  const other = nodeWith()
  expect(await read(other, [first, second])).toEqual([sender, sender])
  expect(other.requested).toEqual([second])
})

test('behavior: the transaction sender is not stored for a contract without a row', async () => {
  const { db } = database
  const { openChains, requested } = nodeWith()
  const hash: Hex = `0x${'b1'.repeat(32)}`
  const transactions = [{ partition: 7, collectionId: 0n, hash }]
  const senders = createSenders({ db, openChains })
  expect([await senders.read(1n, transactions), await senders.read(1n, transactions)]).toEqual([[sender], [sender]])
  expect(requested).toEqual([hash])
  const rows = await db.rows('SELECT 1 FROM transaction_sender WHERE collection_id = 0')
  expect(rows).toEqual([])
})
