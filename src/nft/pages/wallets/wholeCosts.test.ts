import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { fillWallets } from '../../../../test/fillWallets.ts'
import { onCluster } from '../../../../test/onCluster.ts'
import { allRowsRead } from '../../../../test/rowsRead.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { bytesOf } from '../../../db/pipeline/byteRows.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import { tokenHashSql } from '../../transfers/tokenHash.ts'
import type { WholeWalletQuery } from '../../walletQuery.ts'
import { createWholeQuery } from './createWholeQuery.ts'

const limit = 10
/** Contracts that are not collections, with a token of `holder` each. */
const contracts = 2_000
/** Small collections, beside a large one. */
const collections = 300
const largeTokens = 20_000
const large: Address = `0x${'aa'.repeat(20)}`
/** Its history is read. Its own rows have a token of each contract, and ten of the large collection. */
const holder: Address = `0x${'77'.repeat(20)}`
/** Its history is being read. It owns all tokens of the small collections. */
const syncing: Address = `0x${'88'.repeat(20)}`

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  const ids = (count: number) => Array.from({ length: count }, (_, i) => BigInt(i))
  await seedCollection(db, { address: large, tokens: ids(largeTokens) })
  for (let i = 0; i < collections; i++)
    await seedCollection(db, { address: `0xc${i.toString(16).padStart(39, '0')}`, tokens: ids(10) })
  await db.run('UPDATE token SET owner = $1 WHERE collection_id <> (SELECT id FROM collection WHERE address = $2)', [
    ...[hexToBuffer(syncing), hexToBuffer(large)],
  ])
  await db.run(
    `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash, block_time)
     SELECT partition, collection_id, 1048576::int8 * (20 + token_id::int8), 0, token_id, '\\x${'01'.repeat(20)}', owner, 1, '\\x01', '\\x02', 60 FROM token WHERE owner = $1`,
    [hexToBuffer(syncing)],
  )
  await fillWallets(db)
  const add = async (address: Address, columns: string) => {
    const [row] = await db.rows<[bigint]>(
      `INSERT INTO wallet (partition, chain_id, address, requested_by, from_block, to_block, status, live_since) VALUES ($1, 1, $2, 0, 0, 1000, ${columns}) RETURNING id`,
      [partitionOf(1n, address), hexToBuffer(address)],
    )
    return row![0]
  }
  await add(syncing, `'syncing', NULL`)
  const key = [partitionOf(1n, holder), await add(holder, `'live', now()`)]
  await db.run(
    `INSERT INTO wallet_move (partition, wallet_id, position, item, contract, token_hash, token_id, from_address, to_address, amount, transaction_hash, block_hash, block_time)
     SELECT $1, $2, 1048576::int8 * (100 + n), 0, k.contract, ${tokenHashSql('k.contract', 'k.id')}, k.id, '\\x0${'1'.repeat(39)}', $3, 1, '\\x01', '\\x02', 60
     FROM (
       SELECT n, decode('e' || lpad(to_hex(n), 39, '0'), 'hex') AS contract, 0::numeric AS id FROM generate_series(1, ${contracts}) n
       UNION ALL SELECT ${contracts} + n, $4::bytea, n FROM generate_series(1, 10) n
     ) k`,
    [...key, hexToBuffer(holder), hexToBuffer(large)],
  )
  await db.run(
    `INSERT INTO wallet_holding (partition, wallet_id, contract, token_hash, token_id, erc1155, amount, last_position, first_position, received_position, received_time)
     SELECT partition, wallet_id, contract, token_hash, token_id, false, 1, position, position, position, 60 FROM wallet_move`,
  )
  for (const table of [
    'token',
    'transfer',
    'collection',
    'wallet_transfer',
    'wallet_token',
    'wallet_collection',
    'wallet_move',
    'wallet_holding',
  ])
    await db.run(`VACUUM ANALYZE ${table}`)
})
afterAll(() => database?.drop())

/** Rows and index entries that a page reads, by table. */
async function cost(wallet: Address, read: (query: WholeWalletQuery, state: never) => Promise<number>) {
  return database.db.transaction(async (tx) => {
    const reader = { ...tx, ...bytesOf(tx.fresh) }
    const query = createWholeQuery({
      ...{ db: tx as never, reader: reader as never, primary: database.db },
      ...{ blockHashes: undefined as never, openChains: undefined as never },
    })
    const state = (await query.state(1n, wallet))!
    // As for a statement that a connection executed several times.
    await tx.run('SET LOCAL plan_cache_mode = force_generic_plan')
    // Comparing each token with each takes a minute, and reads few rows.
    await tx.run(`SET LOCAL statement_timeout = '20s'`)
    return allRowsRead(tx, async () => expect(await read(query, state as never)).toBe(limit))
  })
}

const filterOf = (wallet: Address, of: never) => ({ chainId: 1n, wallet, of, excludeSpam: false, asOf: null })
const form = { limit, order: 'contract', acquired: false, metadata: null } as const

// Citus plans the parts of these statements on its workers.
test.skipIf(onCluster)('behavior: a page with tokens of a large collection finds each by its key', async () => {
  const rows = await cost(holder, async (query, of) => {
    const page = await query.tokens({ ...filterOf(holder, of), contracts: [large] }, null, form)
    return page.held[0]!.hashes.length
  })
  // An index entry and its row count as two.
  expect(rows.token, JSON.stringify(rows)).toBeLessThanOrEqual(2 * (limit + 1))
})

test.skipIf(onCluster)(
  'behavior: a page of a wallet whose history is being read looks up only its own tokens',
  async () => {
    const rows = await cost(syncing, async (query, of) => {
      const page = await query.tokens({ ...filterOf(syncing, of), contracts: null }, null, form)
      return page.held.flatMap(({ hashes }) => hashes).length
    })
    expect(rows.token, JSON.stringify(rows)).toBeLessThanOrEqual(2 * (limit + 1))
    // Each token of the wallet finds its collection by key, and does not visit the others.
    expect(rows.collection).toBeLessThan(6 * collections * limit)
  },
)

test.skipIf(onCluster).each(['contract', 'acquired'] as const)(
  'behavior: the times of receipt of such a wallet cost as much as its transfers (order %s)',
  async (order) => {
    const rows = await cost(syncing, async (query, of) => {
      const page = await query.tokens({ ...filterOf(syncing, of), contracts: null }, null, {
        ...{ ...form, order, acquired: true },
      })
      return page.held.flatMap(({ acquired }) => acquired!).length
    })
    expect(rows.transfer, JSON.stringify(rows)).toBeLessThan(3 * collections * 10)
  },
)

test.skipIf(onCluster)('behavior: a page at an earlier block reads only the moves of its tokens', async () => {
  const asOf = 100n + BigInt(contracts)
  const rows = await cost(holder, async (query, of) => {
    const page = await query.tokens({ ...filterOf(holder, of), contracts: null, asOf }, null, form)
    return page.held.flatMap(({ hashes }) => hashes).length
  })
  expect(rows.wallet_move, JSON.stringify(rows)).toBeLessThan(100)
})

test.skipIf(onCluster)('behavior: a page of contracts reads only their tokens', async () => {
  const rows = await cost(holder, async (query, of) => {
    const page = await query.collections(filterOf(holder, of), null, { limit, order: 'contract' })
    return page.collections.length
  })
  expect(rows.wallet_holding, JSON.stringify(rows)).toBeLessThan(100)
})
