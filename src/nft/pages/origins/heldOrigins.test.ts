import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { fillWallets } from '../../../../test/fillWallets.ts'
import { onCluster } from '../../../../test/onCluster.ts'
import { pagesRead } from '../../../../test/rowsRead.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { bytesOf } from '../../../db/pipeline/byteRows.ts'
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

// A node of a cluster counts the rows that its own connections read.
test.skipIf(onCluster)('behavior: origins of a large collection read the logs of the page by their key', async () => {
  const { db } = database
  const large: Address = `0x${'5b'.repeat(20)}`
  const holder: Address = `0x${'78'.repeat(20)}`
  const tokens = Array.from({ length: 10_000 }, (_, n) => BigInt(n + 1))
  const { id } = await seedCollection(db, { address: large, tokens })
  await db.run(
    'UPDATE token SET owner = $1, minter = $1, first_position = (100 + token_id)::int8 << 20, last_position = (100 + token_id)::int8 << 20 WHERE collection_id = $2',
    [Buffer.from(holder.slice(2), 'hex'), id],
  )
  await db.run(
    `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash, block_time)
     SELECT partition, collection_id, last_position, 0, token_id, decode(repeat('00', 20), 'hex'), owner, 1, decode(repeat('01', 32), 'hex'), decode(repeat('02', 32), 'hex'), 1700000000
     FROM token WHERE collection_id = $1`,
    [id],
  )
  await fillWallets(db)
  // As with many collections, most of them small: then both indexes seem to have one row for a position.
  await db.run('ALTER TABLE transfer ALTER COLUMN collection_id SET (n_distinct = 5000)')
  await db.run('ANALYZE transfer')
  const filter = { chainId: 1n, wallet: holder, only: null, excludeSpam: false }
  const { held } = await createWalletQuery({ db }).tokens(filter, null, { limit: 20, metadata: null })
  await db.transaction(async (tx) => {
    const origins = createOriginQuery({ db, reader: bytesOf(tx), openChains: undefined as never })
    const read = await pagesRead(tx, 'transfer', () => origins.held(1n, held))
    expect(read).toBeGreaterThanOrEqual(20)
    expect(read).toBeLessThanOrEqual(20 * 6)
  })
})
