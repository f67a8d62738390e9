import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { fillWallets } from '../../../../test/fillWallets.ts'
import { onCluster } from '../../../../test/onCluster.ts'
import { rowsRead } from '../../../../test/rowsRead.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import type { Database } from '../../../db/database.ts'
import { bytesOf } from '../../../db/pipeline/byteRows.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import type { TransferFilter, TransferOrder, TransferPlace, TransferSource } from '../../transferQuery.ts'
import { readTransfers, type TransferRecord } from '../../transferRecord.ts'
import { createNftQuery } from '../createNftQuery.ts'
import { createTransferQuery } from './createTransferQuery.ts'
import { mostSeen } from './transferSql.ts'

const chainId = 1n
const holders = ['00', '77', '88', '99'].map((digits): Address => `0x${digits.repeat(20)}`)
const wallet = holders[1]!
const [plain, units, large]: Address[] = ['a1', 'b2', 'c3'].map((digits): Address => `0x${digits.repeat(20)}`)

let database: TestDatabase
let walletId: bigint
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  const columns = ['operator, amount', 'NULL, 1', 'from_address, n % 3']
  for (const [i, address] of [plain!, units!].entries()) {
    const key = await seedCollection(db, {
      address,
      columns: { standard: i === 0 ? 'ERC721' : 'ERC1155', unindexed: i === 1 },
    })
    await db.run(
      `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, transaction_hash, block_hash, block_time, ${columns[0]})
       SELECT $1, $2, ((n / 3)::int8 << 20) + $3, n % 3, n, from_address, to_address, '\\x01', '\\x02', 1700000000, ${columns[i + 1]}
       FROM generate_series(0, 399) n CROSS JOIN LATERAL (
         SELECT ($4::bytea[])[1 + n * 7 / 3 % 4] AS from_address, ($4::bytea[])[1 + n * 5 / 7 % 4] AS to_address
       ) h`,
      [key.partition, key.id, i, holders.map(hexToBuffer)],
    )
    await db.run(
      `INSERT INTO transfer_range (partition, chain_id, range, collection_id) SELECT $1, $2, n, $3 FROM generate_series(0, 1) n`,
      [key.partition, chainId, key.id],
    )
  }
  await fillWallets(db)
  const own = partitionOf(chainId, wallet)
  const [row] = await db.rows<[bigint]>(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status, live_since) VALUES ($1, $2, $3, 0, 'live', now()) RETURNING id`,
    [own, chainId, hexToBuffer(wallet)],
  )
  walletId = row![0]
  await db.run(
    `INSERT INTO wallet_move (partition, wallet_id, position, item, contract, token_hash, token_id, from_address, to_address, amount, transaction_hash, block_hash, block_time)
     SELECT $1, $2, ((n * 2)::int8 << 20) + 2, 0, $3, md5(n::text)::uuid, n, ($4::bytea[])[1 + n % 2], ($4::bytea[])[2 - n % 2], n % 2, '\\x01', '\\x02', 1700000000
     FROM generate_series(1, 50) n`,
    [own, walletId, hexToBuffer(large!), [wallet, holders[2]!].map(hexToBuffer)],
  )
})
afterAll(() => database.drop())

async function sources(): Promise<TransferSource[]> {
  const { db } = database
  const nft = createNftQuery({ db })
  const [erc721, erc1155] = [(await nft.state(chainId, plain!))!, (await nft.state(chainId, units!))!]
  const own = { partition: partitionOf(chainId, wallet), id: walletId, hasTabled: true, shownAt: null }
  const whole = { of: 'wholeWallet', chainId, wallet } as const
  return [
    { of: 'contract', chainId, state: erc721, address: plain! },
    { of: 'contract', chainId, state: erc1155, address: units! },
    { of: 'contract', chainId, state: erc1155, address: units!, tokenId: 7n },
    { of: 'wallet', chainId, wallet },
    { of: 'wallet', chainId, wallet, only: [erc1155] },
    { ...whole, whole: { ...own, complete: true }, contracts: null },
    { ...whole, whole: { ...own, complete: false }, contracts: null },
    { ...whole, whole: { ...own, complete: true }, contracts: [units!] },
    { of: 'chain', chainId },
    { of: 'chain', chainId, hash: '0x02' },
  ]
}

type List = { source: TransferSource; order: TransferOrder; limit: number; filter?: TransferFilter }

const unlimited = { from: null, to: null }

async function walk(db: Database, list: List): Promise<TransferRecord[][]> {
  const query = createTransferQuery({ db, reader: { ...db, ...bytesOf(db) }, openChains: undefined as never })
  const pages: TransferRecord[][] = []
  for (let after: TransferPlace | null = null; ; ) {
    const page = await query.page({ ...list, range: unlimited, hex: false, items: true, after })
    pages.push(readTransfers(page.records))
    after = page.last
    if (!after) return pages
  }
}

const selects = (filter: TransferFilter, one: TransferRecord) =>
  (filter.from === null || one.from_address === filter.from) &&
  (filter.to === null || one.to_address === filter.to) &&
  (filter.standard === null || one.contract_type === filter.standard) &&
  !(filter.excludeZeroValue && one.amount === '0')

test('default: pages with a filter return the selected ones of all transfers, for each kind of source', async () => {
  const lists = (await sources()).flatMap((source) =>
    (['ASC', 'DESC'] as const).map((order) => ({
      source,
      order,
      every: walk(database.db, { source, order, limit: 1_000 }),
    })),
  )
  const holder = fc.option(fc.constantFrom(...holders))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...lists),
      fc.integer({ min: 5, max: 60 }),
      fc.record<TransferFilter>({
        ...{ from: holder, to: holder, excludeZeroValue: fc.boolean() },
        standard: fc.option(fc.constantFrom('ERC721', 'ERC1155')),
      }),
      async ({ source, order, every: walked }, limit, filter) => {
        const every = (await walked).flat()
        expect(every.length).toBeGreaterThan(0)
        const pages = await walk(database.db, { source, order, limit, filter })
        expect(pages.flat()).toEqual(every.filter((one) => selects(filter, one)))
        expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true)
      },
    ),
    { numRuns: 60 * inject('rounds') },
  )
})

// A node of a cluster counts the rows that its own connections read.
test.skipIf(onCluster)(
  'behavior: a page with a filter that selects few transfers ends at the scan limit, and paging returns all of them',
  async () => {
    const { db } = database
    const { partition, id } = await seedCollection(db, { address: large! })
    const [rare, usual] = [hexToBuffer(wallet), hexToBuffer(holders[2]!)]
    const count = 2 * mostSeen + 5
    await db.run(
      `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash, block_time)
       SELECT $1, $2, n::int8 << 20, 0, n, CASE WHEN n IN (1, $5::int) THEN $3::bytea ELSE $4 END, $4, 1, '\\x01', '\\x02', 1700000000 FROM generate_series(1, $5::int) n`,
      [partition, id, rare, usual, count],
    )
    const state = (await createNftQuery({ db }).state(chainId, large!))!
    const source: TransferSource = { of: 'contract', chainId, state, address: large! }
    const filter: TransferFilter = { from: wallet, to: null, standard: null, excludeZeroValue: true }
    for (const order of ['ASC', 'DESC'] as const) {
      const pages = await walk(db, { source, order, limit: 10, filter })
      expect(pages.map((page) => page.map(({ token_id }) => Number(token_id)))).toEqual(
        order === 'ASC' ? [[1], [], [count]] : [[count], [], [1]],
      )
    }
    await db.transaction(async (tx) => {
      const query = createTransferQuery({ db, reader: { ...tx, ...bytesOf(tx) }, openChains: undefined as never })
      const page = { source, range: unlimited, order: 'ASC' as const, after: null, limit: 10, hex: false, filter }
      // Each transfer counts in the index and in the table.
      expect(await rowsRead(tx, 'transfer', () => query.page(page))).toBeLessThanOrEqual(2 * mostSeen + 2)
      const often = { ...filter, from: holders[2]! }
      expect(await rowsRead(tx, 'transfer', () => query.page({ ...page, filter: often }))).toBeLessThanOrEqual(50)
      // A wallet's transfers in a large collection are read one by one, also with a plan for any parameters.
      await tx.run(
        `INSERT INTO wallet_transfer (partition, chain_id, wallet, position, item, collection_id, collection_partition)
         SELECT $1::int2, $2, $3, n::int8 << 20, 0, $4, $5 FROM generate_series(1, 300) n`,
        [partitionOf(chainId, holders[2]!), chainId, usual, id, partition],
      )
      await tx.run('SET LOCAL plan_cache_mode = force_generic_plan')
      const ofWallet = { ...page, source: { of: 'wallet' as const, chainId, wallet: holders[2]! } }
      const range = { from: null, to: 300n }
      expect(await rowsRead(tx, 'transfer', () => query.page({ ...ofWallet, range, filter }))).toBeLessThanOrEqual(
        2_500,
      )
    })
  },
)
