import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { fillWallets } from '../../../../test/fillWallets.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { partitionOf, partitionSql } from '../../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import { lastPositionOf } from '../../transfers/position.ts'
import type { WholeContractPlace, WholeOrder, WholePlace, WholeWalletQuery } from '../../walletQuery.ts'
import { createWholeQuery } from './createWholeQuery.ts'
import { mostSeen } from './wholeSql.ts'

const wallet: Address = `0x${'77'.repeat(20)}`
/** Contracts that sort before and after the spam, also by the time of receipt. */
const [low, high]: [Address, Address] = [`0x${'01'.repeat(20)}`, `0x${'fe'.repeat(20)}`]
const spam: Address = `0x${'55'.repeat(20)}`

const blockStep = lastPositionOf(0n) + 1n

let database: TestDatabase
let query: WholeWalletQuery
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  query = createWholeQuery({
    db,
    blockHashes: { read: () => Promise.reject(new Error('no block is read')) } as never,
    openChains: { open: () => Promise.reject(new Error('no chain is opened')) } as never,
  })
  const partition = partitionOf(1n, wallet)
  await db.run(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status, live_since, from_block) VALUES ($1, 1, $2, 0, 'live', now(), 0)`,
    [partition, hexToBuffer(wallet)],
  )
  await db.run(
    `INSERT INTO collection (partition, chain_id, address, status, standard, possible_spam, spam_reasons, requested_by)
     VALUES ($1, 1, $2, 'known', 'ERC721', true, '{listed}', 0)`,
    [partitionOf(1n, spam), hexToBuffer(spam)],
  )
  // Token ids count up from 0 in the order of positions. `low` has one token, then come the spam tokens, then one id of `high` with an amount of two.
  await db.run(
    `INSERT INTO wallet_holding (partition, wallet_id, contract, token_hash, token_id, erc1155, amount, last_position, first_position, received_position, received_time)
     SELECT w.partition, w.id, k.contract, md5('0x' || encode(k.contract, 'hex') || k.token_id)::uuid, k.token_id, k.erc1155, k.amount, k.at, k.at, k.at, 60
     FROM wallet w CROSS JOIN (
       SELECT $1::bytea AS contract, 0 AS token_id, false AS erc1155, 1 AS amount, ${blockStep}::int8 AS at
       UNION ALL SELECT $2, i, false, 1, ${blockStep}::int8 * (1 + i) FROM generate_series(1, ${2 * mostSeen + 5}) i
       UNION ALL SELECT $3, 7, true, 2, ${blockStep}::int8 * 20000
     ) k`,
    [hexToBuffer(low), hexToBuffer(spam), hexToBuffer(high)],
  )
})
afterAll(() => database?.drop())

/** Returns the contracts of all tokens of the wallet, page by page. */
async function walk(order: WholeOrder, excludeSpam: boolean) {
  const of = (await query.state(1n, wallet))!
  const filter = { chainId: 1n, wallet, of, contracts: null, excludeSpam, asOf: null }
  const pages: Address[][] = []
  for (let after: WholePlace | null = null; ; ) {
    const page = await query.tokens(filter, after, {
      limit: 1_000,
      order,
      acquired: order === 'acquired',
      metadata: null,
    })
    pages.push(page.held.flatMap(({ address, hashes }) => hashes.map(() => address)))
    if (page.next === null) return pages
    after = page.next
  }
}

test.each(['contract', 'acquired'] as const)(
  'behavior: a page that reaches the limit of scanned spam tokens ends early, and the next one continues (order %s)',
  async (order) => {
    expect(await walk(order, true)).toEqual([[high], [], [low]])
  },
)

test.each(['contract', 'acquired'] as const)(
  'behavior: the first page of requested contracts has their tokens, however many others the wallet holds (order %s)',
  async (order) => {
    const of = (await query.state(1n, wallet))!
    const filter = { chainId: 1n, wallet, of, contracts: [low], excludeSpam: false, asOf: null }
    const { held, next } = await query.tokens(filter, null, { limit: 1, order, acquired: false, metadata: null })
    expect([held.map(({ address }) => address), next]).toEqual([[low], null])
  },
)

test.each(['contract', 'acquired'] as const)('behavior: paging returns every token once (order %s)', async (order) => {
  const tokens = (await walk(order, false)).flat()
  expect(tokens).toEqual([high, ...Array<Address>(2 * mostSeen + 5).fill(spam), low])
})

test('default: a row has the values of its token and of its contract', async () => {
  const of = (await query.state(1n, wallet))!
  const filter = { chainId: 1n, wallet, of, contracts: [high, spam], excludeSpam: false, asOf: null }
  const { held, next, placeOf } = await query.tokens(filter, null, {
    limit: 1,
    order: 'acquired',
    acquired: true,
    metadata: null,
  })
  expect(held).toEqual([
    {
      state: expect.objectContaining({
        ...{ id: expect.any(BigInt), partition: partitionOf(1n, high), name: null, symbol: null },
        ...{ metadataLongest: 0, possibleSpam: false, verified: false },
      }),
      ...{ address: high, holder: wallet, hashes: [expect.stringMatching(/^[0-9a-f]{32}$/)] },
      bytes: expect.any(Buffer),
      acquired: [{ block: 20_000n, time: '1970-01-01T00:01:00.000Z' }],
    },
  ])
  const received = String(blockStep * 20_000n)
  expect(next).toEqual({ contract: high, hash: held[0]!.hashes[0], received, since: received })
  expect(placeOf(held[0]!, held[0]!.hashes[0]!)).toEqual(next)
  const { collections } = await query.collections(filter, null, { limit: 10, order: 'contract' })
  expect(
    collections.map(({ address, tokens, totalAmount, standard, possibleSpam }) => [
      address,
      tokens,
      totalAmount,
      standard,
      possibleSpam,
    ]),
  ).toEqual([
    [high, 1n, '2', 'ERC1155', false],
    [spam, BigInt(2 * mostSeen + 5), String(2 * mostSeen + 5), 'ERC721', true],
    [low, 1n, '1', 'ERC721', false],
  ])
})

test('behavior: a contract requested before it had code becomes known once a page shows it', async () => {
  const { db } = database
  await db.run(
    `INSERT INTO collection (partition, chain_id, address, status, checked_at, requested_by) VALUES ($1, 1, $2, 'nocode', now(), 0)
     ON CONFLICT (partition, chain_id, address) DO UPDATE SET status = 'nocode', standard = NULL, checked_at = now(), retry_at = NULL`,
    [partitionOf(1n, low), hexToBuffer(low)],
  )
  const fresh = createWholeQuery({ db, blockHashes: undefined as never, openChains: undefined as never })
  const of = (await fresh.state(1n, wallet))!
  const filter = { chainId: 1n, wallet, of, contracts: null, excludeSpam: false, asOf: null }
  await fresh.collections(filter, null, { limit: 10, order: 'contract' })
  const rows = await db.rows('SELECT status, standard, retry_at <= now() FROM collection WHERE address = $1', [
    hexToBuffer(low),
  ])
  expect(rows).toEqual([['known', 'ERC721', true]])
})

test.each(['contract', 'acquired'] as const)(
  'behavior: tokens that topic filters cannot find also appear on exactly one page (order %s)',
  async (order) => {
    const { db } = database
    const unindexed: Address = `0x${'02'.repeat(20)}`
    const { partition, id } = await seedCollection(db, {
      address: unindexed,
      tokens: [1n],
      columns: { unindexed: true },
    })
    await db.run('UPDATE token SET owner = $1, last_position = $2::int8', [hexToBuffer(wallet), 2n * blockStep])
    await db.run(
      `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash, block_time)
       VALUES ($1, $2, $3, 0, 1, '\\x01', $4, 1, '\\x01', '\\x02', 120)`,
      [partition, id, 2n * blockStep, hexToBuffer(wallet)],
    )
    await fillWallets(db)
    try {
      expect(await walk(order, true)).toEqual([[high], [], [unindexed, low]])
    } finally {
      await db.transaction((tx) =>
        tx.script('DELETE FROM collection WHERE unindexed; DELETE FROM token; DELETE FROM transfer'),
      )
    }
  },
)

test('behavior: a contract page that reaches the limit of scanned spam contracts ends early, and the next one continues', async () => {
  const { db } = database
  await db.run(
    `WITH spam AS (
       INSERT INTO collection (partition, chain_id, address, status, possible_spam, spam_reasons, requested_by)
       SELECT ${partitionSql('1::int8', 'k.address')}, 1, k.address, 'known', true, '{listed}', 0
       FROM (SELECT decode('80' || lpad(to_hex(i), 38, '0'), 'hex') AS address FROM generate_series(1, ${mostSeen}) i) k RETURNING address
     )
     INSERT INTO wallet_holding (partition, wallet_id, contract, token_hash, token_id, erc1155, amount, last_position, first_position, received_position)
     SELECT w.partition, w.id, s.address, md5(s.address)::uuid, 1, false, 1, 1, 1, ${2n * blockStep} FROM wallet w CROSS JOIN spam s`,
  )
  const of = (await query.state(1n, wallet))!
  const filter = { chainId: 1n, wallet, of, contracts: null, excludeSpam: true, asOf: null }
  for (const order of ['contract', 'acquired'] as const) {
    const pages: Address[][] = []
    for (let after: WholeContractPlace | null = null; ; ) {
      const page = await query.collections(filter, after, { limit: 10, order })
      pages.push(page.collections.map(({ address }) => address))
      if (page.next === null) break
      after = page.next
    }
    expect(pages).toEqual([[high], [low]])
  }
})

test('behavior: a page has the state of the wallet at the moment of its tokens, although an earlier one was given', async () => {
  const { db } = database
  const fresh = createWholeQuery({ db, blockHashes: undefined as never, openChains: undefined as never })
  const of = (await fresh.state(1n, wallet))!
  const filter = { chainId: 1n, wallet, of, contracts: null, excludeSpam: false, asOf: null }
  const form = { limit: 10, order: 'contract', acquired: false, metadata: null } as const
  const read = () => fresh.tokens(filter, null, form)
  const before = await read()
  expect(before.state).toEqual({ ...of, head: before.state!.head })
  expect(fresh.lastState(1n, wallet)).toEqual(before.state)

  const set = (columns: string) => db.run(`UPDATE wallet SET ${columns} WHERE address = $1`, [hexToBuffer(wallet)])
  // The history ends, which decides what the wallet's own rows show.
  await set(`live_since = NULL, status = 'syncing', to_block = 5`)
  expect((await read()).state).toMatchObject({ status: 'syncing', complete: false, toBlock: 5n })
  const collections = await fresh.collections(filter, null, { limit: 10, order: 'contract' })
  expect(collections.state).toMatchObject({ status: 'syncing', complete: false, toBlock: 5n })
  await set(`live_since = now(), status = 'live', to_block = NULL`)
  expect((await read()).state).toMatchObject({ status: 'live', complete: true })

  // A wallet that was removed and requested again has another id: the tokens are those of the new rows.
  await set(`status = 'live'`)
  await read()
  await set('id = DEFAULT')
  const again = await read()
  expect([again.state!.id > of.id, again.held]).toEqual([true, []])

  await set(`status = 'removed'`)
  expect((await read()).state).toBeUndefined()
  expect(fresh.lastState(1n, wallet)).toBeUndefined()
})
