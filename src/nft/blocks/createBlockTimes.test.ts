import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { InconsistentResponseError } from '../../chain/evm/source/sourceError.ts'
import { positionOf } from '../transfers/position.ts'
import { createBlockTimes, dateOf, nameOfBlock } from './createBlockTimes.ts'
import { followedByHash } from './followedBlocks.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('behavior: a restarted chain never returns a block time of the former chain, though logs contain the same hash', async () => {
  const { db } = database
  let time = 111n
  const source = {
    headersOf: async (blocks: { number: bigint }[]) => blocks.map(({ number }) => ({ number, timestamp: time })),
  }
  const times = createBlockTimes({ db, openChains: { open: async () => ({ source }) } as never })
  const hash = `0x${'0'.repeat(64)}` as const
  const request = async () => {
    const { partition, id } = await seedCollection(db, { address: `0x${'11'.repeat(20)}` })
    await db.run(
      `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash)
       VALUES ($1, $2, $3, 0, 1, '\\x00', '\\x01', 1, '\\x02', decode($4, 'hex'))`,
      [partition, id, positionOf(50, 0), hash.slice(2)],
    )
    const reported = await times.fill(1n, [{ partition, collectionId: id, number: 50n, hash }])
    const [stored] = await db.rows('SELECT block_time FROM transfer')
    return [reported.get(nameOfBlock(50n, hash)), stored![0]]
  }
  expect(await request()).toEqual([111n, 111n])
  await db.transaction((tx) => tx.script('DELETE FROM transfer; DELETE FROM collection; DELETE FROM chain'))
  time = 999n
  expect(await request()).toEqual([999n, 999n])
})

test('behavior: a hash that no node has gets the time of its block number, if the block is final', async () => {
  const { db } = database
  const source = {
    async headersOf(blocks: { number: bigint; hash?: string }[]) {
      if (blocks.some(({ hash }) => hash !== undefined))
        throw new InconsistentResponseError({ chain: 'eth', question: 'a block', reason: 'has another hash' })
      return blocks.map(({ number }) => ({ number, timestamp: 10n * number }))
    },
    head: async () => ({ finalized: 70n }),
  }
  const times = createBlockTimes({ db, openChains: { open: async () => ({ source }) } as never })
  const { partition, id } = await seedCollection(db, { address: `0x${'12'.repeat(20)}` })
  const hash = `0x${'ab'.repeat(32)}` as const
  const request = (number: bigint) => times.fill(2n, [{ partition, collectionId: id, number, hash }])
  expect((await request(70n)).get(nameOfBlock(70n, hash))).toBe(700n)
  await expect(request(71n)).rejects.toThrow('the time of blocks cannot be read at the moment')
})

test('behavior: a hash repeated for numbers without a block resolves to the number of its block', async () => {
  const { db } = database
  const hash = 'ee'.repeat(32)
  for (const number of [2_001, 2_000])
    await db.run(`INSERT INTO block (chain_id, number, hash, parent_hash, timestamp) VALUES (1, $1, $2, $2, 5)`, [
      number,
      Buffer.from(hash, 'hex'),
    ])
  expect(await followedByHash(db, 1n, `0x${hash}`)).toBe(2_000n)
})

test('default: a block time in finer units than seconds is shown as the end of the year 9999', () => {
  expect(dateOf(1_700_000_000n).toISOString()).toBe('2023-11-14T22:13:20.000Z')
  for (const time of [1_700_000_000_000n, 1_700_000_000_000_000_000n, 2n ** 63n - 1n])
    expect(dateOf(time).toISOString()).toBe('9999-12-31T23:59:59.000Z')
})
