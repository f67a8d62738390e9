import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import type { OpenChains } from '../../../sync/openChains.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { UnavailableError } from '../../../util/errors.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import { createBlockTimes } from '../../blocks/createBlockTimes.ts'
import { positionOf } from '../../transfers/position.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import type { WholeWalletQuery } from '../../walletQuery.ts'
import { createOriginQuery } from '../origins/createOriginQuery.ts'
import { createWholeQuery } from './createWholeQuery.ts'

const chainId = 1n
const [wallet, contract]: [Address, Address] = [`0x${'77'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
const hashOf = (block: number) => Buffer.alloc(32, block)

let database: TestDatabase
/** The blocks that the node was queried for; the time of each is ten times its number. */
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

/** A wallet whose node gives no times with logs: it minted token 1 in block 40, and received token 2 in block 50. */
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
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

/** The query of a process that knows nothing yet. */
function open(): WholeWalletQuery {
  const { db } = database
  const times = createBlockTimes({ db, openChains, of: 'wallets' })
  return createWholeQuery({ db, blockHashes: undefined as never, times })
}

async function read() {
  const query = open()
  const of = (await query.state(chainId, wallet))!
  const filter = { chainId, wallet, of, contracts: null, excludeSpam: false, asOf: null }
  const { held } = await query.tokens(filter, null, { limit: 10, order: 'acquired', acquired: true })
  const members = held.flatMap((one) => one.members!.map((bytes) => JSON.parse(`{${bytes.toString().slice(1)}}`)))
  const origins = await createOriginQuery({ db: database.db, openChains }).ofWhole(
    chainId,
    { whole: of, address: wallet },
    held,
  )
  return { acquired: members.map(({ acquired_at }) => acquired_at), origins }
}

test('behavior: times that a node gave not with its logs are requested once and kept, for records and origins', async () => {
  // Without a node the rest of the answer is known.
  const unknown = await read()
  expect(unknown.acquired).toEqual([null, null])
  expect(unknown.origins.map(({ acquired }) => acquired)).toEqual([
    { block: 50n, time: null },
    { block: 40n, time: null },
  ])
  isReachable = true
  const [first, second] = ['1970-01-01T00:06:40.000Z', '1970-01-01T00:08:20.000Z']
  for (let i = 0; i < 2; i++) {
    const { acquired, origins } = await read()
    expect(acquired).toEqual([second, first])
    expect(origins).toEqual([
      { mint: null, acquired: { block: 50n, time: second } },
      {
        mint: { block: 40n, time: first, minter: wallet, transactionHash: '0x01' },
        acquired: { block: 40n, time: first },
      },
    ])
  }
  expect(queried.toSorted()).toEqual([40n, 50n])
  expect(await database.db.rows('SELECT block_time FROM wallet_move ORDER BY position')).toEqual([[400n], [500n]])
  expect(await database.db.rows('SELECT received_time FROM wallet_holding ORDER BY received_position')).toEqual([
    [400n],
    [500n],
  ])
  queried = []
})
