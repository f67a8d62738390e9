import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { fillWallets } from '../../../../test/fillWallets.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import type { Database } from '../../../db/database.ts'
import type { OpenChains } from '../../../sync/openChains.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { UnavailableError } from '../../../util/errors.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import { positionOf } from '../../transfers/position.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import type { WholeWalletQuery } from '../../walletQuery.ts'
import { createOriginQuery } from '../origins/createOriginQuery.ts'
import { createWholeQuery } from './createWholeQuery.ts'

const chainId = 1n
const [wallet, contract, unindexed] = ['77', 'b2', 'c3'].map((digits): Address => `0x${digits.repeat(20)}`) as [
  Address,
  Address,
  Address,
]
const hashOf = (block: number) => Buffer.alloc(32, block)

let database: TestDatabase
/** Blocks whose headers were requested from the node. The time of each is ten times its number. */
let queried: bigint[] = []
let isReachable = false
const openChains: OpenChains = {
  open: async () => ({
    source: {
      async headersOf(blocks: { number: bigint }[]) {
        if (!isReachable) throw new UnavailableError('the node does not answer')
        queried.push(...blocks.map(({ number }) => number))
        return blocks.map(({ number }) => ({ number, timestamp: 10n * number }))
      },
    },
  }),
} as never

/**
 * A wallet whose node returns no times with logs. It minted token 1 in block 40, and received token 2 in block 50. In block 30 it received a token of
 * another contract, whose transfers its topics do not find.
 */
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  await seedUnindexed(db)
  const partition = partitionOf(chainId, wallet)
  const [row] = await db.rows<[bigint]>(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status, live_since) VALUES ($1, $2, $3, 0, 'live', now()) RETURNING id`,
    [partition, chainId, hexToBuffer(wallet)],
  )
  for (const [token, block, minter] of [
    [1, 40, wallet],
    [2, 50, null],
  ] as const) {
    const own = [
      partition,
      row![0],
      positionOf(block, 0),
      hexToBuffer(contract),
      tokenHash(contract, String(token)),
      token,
    ]
    await db.run(
      `INSERT INTO wallet_move (partition, wallet_id, position, item, contract, token_hash, token_id, from_address, to_address, amount, transaction_hash, block_hash)
       VALUES ($1, $2, $3, 0, $4, $5::uuid, $6, decode(repeat('00', 20), 'hex'), $7, 1, '\\x01', $8)`,
      [...own, hexToBuffer(wallet), hashOf(block)],
    )
    await db.run(
      `INSERT INTO wallet_holding (partition, wallet_id, contract, token_hash, token_id, erc1155, amount, last_position, first_position, received_position, minted_position, minter)
       VALUES ($1, $2, $4, $5::uuid, $6, false, 1, $3::int8, $3::int8, $3::int8, CASE WHEN $7::bytea IS NOT NULL THEN $3::int8 END, $7)`,
      [...own, minter && hexToBuffer(minter)],
    )
  }
})
afterAll(() => database.drop())

async function seedUnindexed(db: Database): Promise<void> {
  const { partition, id } = await seedCollection(db, {
    address: unindexed,
    tokens: [3n],
    columns: { unindexed: true },
  })
  const position = positionOf(30, 0)
  await db.run('UPDATE token SET owner = $1, minter = NULL, first_position = $2, last_position = $2', [
    hexToBuffer(wallet),
    position,
  ])
  await db.run(
    `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash)
     VALUES ($1, $2, $3, 0, 3, $4, $5, 1, '\\x02', $6)`,
    [partition, id, position, hexToBuffer(contract), hexToBuffer(wallet), hashOf(30)],
  )
  await fillWallets(db)
}

/** Returns the query of a process with empty caches. */
function open(): WholeWalletQuery {
  const { db } = database
  return createWholeQuery({ db, blockHashes: undefined as never, openChains })
}

async function read() {
  const query = open()
  const of = (await query.state(chainId, wallet))!
  const filter = { chainId, wallet, of, contracts: null, excludeSpam: false, asOf: null }
  const { held } = await query.tokens(filter, null, { limit: 10, order: 'acquired', acquired: true, metadata: null })
  const origins = await createOriginQuery({ db: database.db, openChains }).ofWhole(chainId, of, held)
  return { acquired: held.flatMap(({ acquired }) => acquired!.map(({ time }) => time)), origins }
}

test('behavior: block times missing from the logs of a node are requested once and stored, for records and origins', async () => {
  // Without a node, the rest of the response is available.
  const unknown = await read()
  expect(unknown.acquired).toEqual([null, null, null])
  expect(unknown.origins.map(({ acquired }) => acquired)).toEqual([
    { block: 50n, time: null },
    { block: 40n, time: null },
    { block: 30n, time: null },
  ])
  isReachable = true
  const [zeroth, first, second] = ['1970-01-01T00:05:00.000Z', '1970-01-01T00:06:40.000Z', '1970-01-01T00:08:20.000Z']
  for (let i = 0; i < 2; i++) {
    const { acquired, origins } = await read()
    expect(acquired).toEqual([second, first, zeroth])
    expect(origins).toEqual([
      { mint: null, acquired: { block: 50n, time: second } },
      {
        mint: { block: 40n, time: first, minter: wallet, transactionHash: '0x01' },
        acquired: { block: 40n, time: first },
      },
      { mint: null, acquired: { block: 30n, time: zeroth } },
    ])
  }
  expect(queried.toSorted()).toEqual([30n, 40n, 50n])
  expect(await database.db.rows('SELECT block_time FROM wallet_move ORDER BY position')).toEqual([[400n], [500n]])
  expect(await database.db.rows('SELECT received_time FROM wallet_holding ORDER BY received_position')).toEqual([
    [400n],
    [500n],
  ])
  queried = []
})
