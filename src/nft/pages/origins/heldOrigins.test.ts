import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { fillWallets } from '../../../../test/fillWallets.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import type { Address } from '../../../util/hex.ts'
import { createWalletQuery } from '../wallets/createWalletQuery.ts'
import { createOriginQuery } from './createOriginQuery.ts'

const address: Address = `0x${'5a'.repeat(20)}`
const wallet: Address = `0x${'77'.repeat(20)}`
const key = Buffer.from(wallet.slice(2), 'hex')

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  await seedCollection(db, { address, tokens: [1n, 2n, 3n, 4n] })
  await db.run(
    `UPDATE token SET owner = $1, minter = $1, first_position = (100 + token_id)::int8 << 20, last_position = (200 + token_id)::int8 << 20`,
    [key],
  )
  const other = Buffer.alloc(20, 0x88)
  // An earlier transfer brought token 2. Its last transfer is from the wallet to itself, and the one before moves an amount of zero. Nobody
  // else ever sent token 4 to the wallet.
  for (const [id, block, from, to, amount = 1] of [
    [1, 101, Buffer.alloc(20), key],
    [1, 201, other, key],
    [2, 102, Buffer.alloc(20), key],
    [2, 150, other, key],
    [2, 160, other, key, 0],
    [2, 202, key, key],
    [3, 103, Buffer.alloc(20), key],
    [3, 203, other, key],
    [4, 104, key, key],
    [4, 204, key, key],
  ] as const)
    await db.run(
      `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash, block_time)
       SELECT partition, id, $1::int8 << 20, 0, $2, $3, $4, $7, $5, $6, 1700000000 + $1 FROM collection`,
      [block, id, from, to, Buffer.alloc(32, id), Buffer.alloc(32, block), amount],
    )
  await fillWallets(db)
})
afterAll(() => database.drop())

test('behavior: token origins of a page match the transfers of each token, and final ones are read once', async () => {
  const { db } = database
  const { held } = await createWalletQuery({ db }).tokens(
    { chainId: 1n, wallet, only: null, excludeSpam: false },
    null,
    { limit: 100, metadata: null },
  )
  const origins = createOriginQuery({ db, openChains: undefined as never })
  const requested = held.flatMap(({ state, hashes }) => hashes.map((hash) => ({ state, hash, holder: wallet })))
  const expected = await origins.tokens(1n, requested)
  expect(expected.map(({ acquired }) => acquired?.block).toSorted()).toEqual([104n, 150n, 201n, 203n])
  expect(await origins.held(1n, held)).toEqual(expected)
  expect(await origins.held(1n, held)).toEqual(expected)
})
