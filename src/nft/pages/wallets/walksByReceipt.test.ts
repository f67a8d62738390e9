import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { fillWallets } from '../../../../test/fillWallets.ts'
import { setLater } from '../../../../test/laterWallet.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import { storeTransfers } from '../../store/storeTransfers.ts'
import { positionOf } from '../../transfers/position.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import type { Transfer } from '../../transfers/transfer.ts'
import { transferGroup } from '../../transfers/transferGroup.ts'
import type { WalletKey } from '../../walletHistory/movesOf.ts'
import { storeMoves } from '../../walletHistory/storeMoves.ts'
import type { WholeContractPlace, WholePlace } from '../../walletQuery.ts'
import { createWholeQuery } from './createWholeQuery.ts'
import { mostSeen } from './wholeSql.ts'

const chainId = 1n
const [holder, other] = ['77'.repeat(20), '88'.repeat(20)] as const
const wallet: Address = `0x${holder}`
const contractAt = (digit: string): Address => `0x${digit.repeat(40)}`
const own = contractAt('b')
/** Its transfers are only in the tables that follow collections. */
const unindexed = contractAt('a')

let database: TestDatabase
let key: WalletKey
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  const { db } = database
  await db.transaction((tx) =>
    tx.script(
      'TRUNCATE chain, collection, token, balance, transfer, transfer_range, wallet, wallet_move, wallet_holding',
    ),
  )
  await db.run(
    `INSERT INTO chain (id, genesis_hash, block_number, block_hash, head_number, finalized_number) VALUES (1, '\\x00', 1000, '\\x00', 1000, 20)`,
  )
  const partition = partitionOf(chainId, wallet)
  const [row] = await db.rows<[bigint]>(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status, live_since, from_block) VALUES ($1, 1, $2, 0, 'live', now(), 0) RETURNING id`,
    [partition, hexToBuffer(wallet)],
  )
  key = { partition, id: row![0] }
})

const moved = (block: number, tokenId: number, from: string = other, to: string = holder): Transfer => ({
  ...{ position: positionOf(block, 0), item: 0, tokenId: String(tokenId), from, to, amount: '1', operator: null },
  ...{ transactionHash: 'cd'.repeat(32), transactionIndex: 0, blockHash: 'ab'.repeat(32), blockTime: 60 * block },
})
const sentBack = (block: number, tokenId: number) => [moved(block, tokenId, holder, other), moved(block + 1, tokenId)]

const give = (contract: Address, transfers: Transfer[]) => giveAll(transfers.map((transfer) => [contract, transfer]))

async function giveAll(given: (readonly [Address, Transfer])[]): Promise<void> {
  const moves = given.map(([contract, transfer]) => ({
    ...{ wallet: key, contract, hash: tokenHash(contract, transfer.tokenId), transfer },
  }))
  await database.db.transaction((tx) => storeMoves(tx, { moves, oversized: [] }))
}

async function giveUnindexed(transfers: Transfer[]): Promise<void> {
  const partition = partitionOf(chainId, unindexed)
  const [row] = await database.db.rows<[bigint]>(
    `INSERT INTO collection (partition, chain_id, address, status, unindexed, standard, from_block) VALUES ($1, 1, $2, 'live', true, 'ERC721', 0) RETURNING id`,
    [partition, hexToBuffer(unindexed)],
  )
  const collection = {
    partition,
    id: row![0],
    chainId,
    address: unindexed,
    standard: 'ERC721',
    idInData: false,
  } as const
  await database.db.transaction((tx) => storeTransfers(tx, [transferGroup(collection, transfers)]))
}

/** Reads all pages of a wallet, and calls `between` with the number of the page that was just read. */
async function walk<P>(
  read: (query: ReturnType<typeof createWholeQuery>, after: P | null) => Promise<{ names: string[]; next: P | null }>,
  between: (page: number) => Promise<void>,
): Promise<string[]> {
  const query = createWholeQuery({ db: database.db, blockHashes: undefined as never, openChains: undefined as never })
  const found: string[] = []
  for (let after: P | null = null, page = 0; ; page++) {
    const { names, next } = await read(query, after)
    found.push(...names)
    if (next === null) return found
    after = next
    await between(page)
  }
}

const all = { chainId, wallet, contracts: null, onlySpam: false, asOf: null }

function walkTokens(limit: number, between: (page: number) => Promise<void> = async () => undefined) {
  const nameOf = new Map(
    [own, unindexed].flatMap((contract) =>
      [1, 2, 3, 4, 5].map((id) => [tokenHash(contract, String(id)), `${contract[2]}${id}`] as const),
    ),
  )
  return walk<WholePlace>(async (query, after) => {
    const of = (await query.state(chainId, wallet))!
    const form = { limit, order: 'acquired', acquired: false, metadata: null } as const
    const { held, next } = await query.tokens({ ...all, of, excludeSpam: false }, after, form)
    return { names: held.flatMap(({ hashes }) => hashes.map((hash) => nameOf.get(hash)!)), next }
  }, between)
}

test('behavior: a walk in the order of receipt returns all tokens if those of other tables are the latest', async () => {
  await give(
    own,
    [1, 2, 3, 4].map((id) => moved(10 + id, id)),
  )
  await giveUnindexed([1, 2, 3, 4, 5].map((id) => moved(50 + id, id)))
  await fillWallets(database.db)
  expect(await walkTokens(2)).toEqual(['a5', 'a4', 'a3', 'a2', 'a1', 'b4', 'b3', 'b2', 'b1'])
})

test.each([1, 2])(
  'behavior: a token that is received again keeps its place while the wallet shows an earlier block (%i)',
  async (limit) => {
    await give(
      own,
      [1, 2, 3, 4].map((id) => moved(10 + id, id)),
    )
    await fillWallets(database.db)
    const found = await walkTokens(limit, async (page) => {
      if (page === 0) await give(own, sentBack(60, 2))
      await setLater(database.db, { complete: true, asOf: 100n }, page === 0 ? 'pending' : null)
    })
    expect(found).toEqual(['b4', 'b3', 'b2', 'b1'])
  },
)

test('behavior: a contract keeps its place although the first page only scanned spam', async () => {
  const { db } = database
  const addresses = Array.from(
    { length: mostSeen },
    (_, i): Address => `0x${(1_000 + i).toString(16).padStart(40, '0')}`,
  )
  await db.run(
    `INSERT INTO collection (partition, chain_id, address, status, standard, possible_spam, spam_reasons)
     SELECT s.partition, 1, s.address, 'known', 'ERC721', true, '{listed}' FROM unnest($1::int2[], $2::bytea[]) AS s (partition, address)`,
    [addresses.map((address) => partitionOf(chainId, address)), addresses.map(hexToBuffer)],
  )
  await giveAll(addresses.map((address, i) => [address, moved(100 + i, 1)]))
  await giveAll(['3', '2', '1'].map((digit, i) => [contractAt(digit), moved(50 - i, 1)]))
  const found = await walk<WholeContractPlace>(
    async (query, after) => {
      const of = (await query.state(chainId, wallet))!
      const { collections, next } = await query.collections({ ...all, of, excludeSpam: true }, after, {
        ...{ limit: 1, order: 'acquired' },
      })
      return { names: collections.map(({ address }) => address[2]!), next }
    },
    async (page) => {
      if (page === 1) await give(contractAt('2'), sentBack(20_000, 1))
    },
  )
  expect(found).toEqual(['3', '2', '1'])
})
