import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { fillWallets } from '../../../../test/fillWallets.ts'
import { onCluster } from '../../../../test/onCluster.ts'
import { rowsRead } from '../../../../test/rowsRead.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import type { Sql } from '../../../db/database.ts'
import { bytesOf } from '../../../db/pipeline/byteRows.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import type { WalletFilter, WalletPlace } from '../../walletQuery.ts'
import { writeLines } from '../rows/tokenLines.ts'
import { countWallet, readWalletCollections } from './walletCollections.ts'
import { mostSeen, readWalletTokens } from './walletTokens.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

let addresses = 0
const newAddress = (): Address => `0x${(++addresses).toString(16).padStart(40, 'a')}`

/** Makes a collection whose tokens belong to one wallet. */
async function seed(wallet: Address, tokens: number, columns: Record<string, unknown> = {}) {
  const address = newAddress()
  const ids = Array.from({ length: tokens }, (_, i) => BigInt(i))
  const { partition, id } = await seedCollection(database.db, { address, tokens: ids, columns })
  await database.db.run('UPDATE token SET owner = $2 WHERE collection_id = $1', [
    id,
    Buffer.from(wallet.slice(2), 'hex'),
  ])
  return { address, partition, id }
}

const filterOf = (wallet: Address, filter: Partial<WalletFilter> = {}): WalletFilter => ({
  chainId: 1n,
  wallet,
  only: null,
  excludeSpam: false,
  ...filter,
})

/** Returns all tokens, page by page, as `collection hash`. */
async function walk(filter: WalletFilter, limit: number, sql: Sql = database.db) {
  const tokens: string[] = []
  const sizes: number[] = []
  for (let after: WalletPlace | null = null; ; ) {
    const page = await readWalletTokens(bytesOf(sql), filter, after, { limit, metadata: null })
    const found = page.held.flatMap(({ state, hashes }) => hashes.map((hash) => `${state.id} ${hash}`))
    tokens.push(...found)
    sizes.push(found.length)
    if (page.next === null) return { tokens, sizes }
    after = page.next
  }
}

async function expected(wallet: Address, ids: readonly bigint[]): Promise<string[]> {
  const rows = await database.db.rows<[string]>(
    `SELECT collection_id || ' ' || encode(uuid_send(token_hash), 'hex') FROM token
     WHERE owner = $1 AND collection_id = ANY ($2) ORDER BY collection_id DESC, token_hash DESC`,
    [Buffer.from(wallet.slice(2), 'hex'), ids],
  )
  return rows.map(([one]) => one)
}

test('default: pages of any size and filter together return the whole wallet in order', async () => {
  const wallet = newAddress()
  const spam = await seed(wallet, 40, { possible_spam: true })
  const first = await seed(wallet, 25)
  const word = await seed(wallet, 3, { possible_spam: true, spam_override: false })
  await seed(newAddress(), 7)
  const last = await seed(wallet, 1)
  await fillWallets(database.db)
  const all = [spam, first, word, last].map(({ id }) => id)
  for (const limit of [1, 3, 25, 100]) {
    const whole = await walk(filterOf(wallet), limit)
    expect(whole.tokens).toEqual(await expected(wallet, all))
    expect(whole.sizes.slice(0, -1).every((size) => size === limit)).toBe(true)
    const clean = await walk(filterOf(wallet, { excludeSpam: true }), limit)
    expect(clean.tokens).toEqual(await expected(wallet, [first.id, word.id, last.id]))
    const only = [spam.id, last.id, 987_654n]
    expect((await walk(filterOf(wallet, { only }), limit)).tokens).toEqual(await expected(wallet, [spam.id, last.id]))
    const both = await walk(filterOf(wallet, { only, excludeSpam: true }), limit)
    expect(both.tokens).toEqual(await expected(wallet, [last.id]))
  }
  expect((await walk(filterOf(wallet, { only: [] }), 10)).tokens).toEqual([])
  expect((await walk(filterOf(wallet, { chainId: 5n }), 10)).tokens).toEqual([])
})

test('behavior: paging continues past removed collections and past more spam than one page scans', async () => {
  const { db } = database
  const wallet = newAddress()
  const first = await seed(wallet, 3)
  const removed = await seed(wallet, 30)
  await fillWallets(db)
  await db.run('DELETE FROM collection WHERE id = $1', [removed.id])
  expect((await walk(filterOf(wallet), 10)).tokens).toEqual(await expected(wallet, [first.id]))
  expect((await walk(filterOf(wallet, { excludeSpam: true }), 10)).tokens).toEqual(await expected(wallet, [first.id]))
  // Adds spam collections of one token each, which sort above the first one.
  const key = Buffer.from(wallet.slice(2), 'hex')
  await db.run(
    `WITH spam AS (
       INSERT INTO collection (partition, chain_id, address, status, possible_spam)
       SELECT 9, 1, decode('ee' || lpad(to_hex(i), 38, '0'), 'hex'), 'live', true FROM generate_series(1, $2::int) i RETURNING id
     ), held AS (
       INSERT INTO wallet_token SELECT w.partition, w.chain_id, w.wallet, spam.id, w.token_hash, 1
       FROM spam, (SELECT * FROM wallet_token WHERE wallet = $1 LIMIT 1) w
     )
     INSERT INTO wallet_collection SELECT w.partition, w.chain_id, w.wallet, spam.id, 9, 1
     FROM spam, (SELECT * FROM wallet_collection WHERE wallet = $1 LIMIT 1) w`,
    [key, 2 * mostSeen + 5],
  )
  const clean = await walk(filterOf(wallet, { excludeSpam: true }), 10)
  expect(clean.tokens).toEqual(await expected(wallet, [first.id]))
  expect(clean.sizes).toEqual([0, 0, 3])
  const page = (after: string | null) =>
    readWalletCollections(db, { chainId: 1n, wallet, excludeSpam: true }, after, 10)
  const places: (string | null)[] = [null]
  const found: string[] = []
  do {
    const { collections, next } = await page(places.at(-1)!)
    found.push(...collections.map(({ address }) => address))
    places.push(next)
  } while (places.at(-1) !== null)
  expect(found).toEqual([first.address])
  expect(places).toHaveLength(4)
})

test('behavior: the wallet total excludes a collection that is being removed', async () => {
  const { db } = database
  const wallet = newAddress()
  const [kept, removed, spam] = [
    await seed(wallet, 3),
    await seed(wallet, 30),
    await seed(wallet, 4, { possible_spam: true }),
  ]
  await fillWallets(db)
  await db.run('DELETE FROM collection WHERE id = $1', [removed.id])
  const count = (filter: Partial<WalletFilter> = {}) => countWallet(db, filterOf(wallet, filter))
  expect(await count()).toEqual({ tokens: 7, collections: 2 })
  expect(await count({ only: [kept.id, removed.id] })).toEqual({ tokens: 3, collections: 1 })
  expect(await count({ excludeSpam: true })).toEqual({ tokens: 3, collections: 1 })
  expect(await count({ only: [removed.id, spam.id] })).toEqual({ tokens: 4, collections: 1 })
})

test('behavior: tokens of several holders are shown with the amount of the wallet, unless they were burned meanwhile', async () => {
  const { db } = database
  const wallet = newAddress()
  const { id } = await seed(wallet, 5, { standard: 'ERC1155' })
  await fillWallets(db)
  await db.run('UPDATE wallet_token SET amount = 3 WHERE collection_id = $1', [id])
  const [shown] = (await readWalletTokens(bytesOf(db), filterOf(wallet), null, { limit: 10, metadata: null })).held
  const { starts, ends, bytes } = writeLines(shown!.bytes, Buffer.alloc)
  const lines = starts.map((start, i) => bytes.toString('latin1', start, ends[i]))
  expect(lines).toHaveLength(5)
  for (const line of lines) expect(line).toMatch(new RegExp(`"owner_of":"${wallet}".*"amount":"3"`))
  const burned = 'SELECT token_hash FROM token WHERE collection_id = $1 ORDER BY token_hash DESC LIMIT 4 OFFSET 1'
  await db.run(`UPDATE token SET amount = 0 WHERE token_hash IN (${burned})`, [id])
  expect((await walk(filterOf(wallet), 10)).tokens).toEqual([`${id} ${shown!.hashes[0]}`])
  expect((await walk(filterOf(wallet), 2)).sizes).toEqual([1, 0, 0])
})

// The test counts rows in its own session. A cluster reads them in another session.
test.skipIf(onCluster)(
  'behavior: a page of a wallet with 30,000 tokens reads as many rows as a page of a small wallet',
  async () => {
    const { db } = database
    const [small, large] = [newAddress(), newAddress()]
    await seed(small, 50)
    await seed(large, 10, { possible_spam: true })
    const wanted = await seed(large, 300)
    const spam = await seed(large, 300, { possible_spam: true })
    await fillWallets(db)
    await db.run(
      `INSERT INTO wallet_token SELECT w.partition, w.chain_id, w.wallet, w.collection_id, md5(n::text)::uuid, 1, w.facts
     FROM (SELECT * FROM wallet_token WHERE collection_id = ANY ($1) LIMIT 1) w, generate_series(1, 15000) n
     UNION ALL SELECT w.partition, w.chain_id, w.wallet, $2, md5(n::text)::uuid, 1, w.facts
     FROM (SELECT * FROM wallet_token WHERE collection_id = ANY ($1) LIMIT 1) w, generate_series(1, 15000) n`,
      [[spam.id], wanted.id],
    )
    const filters = [
      {},
      { excludeSpam: true },
      { only: [wanted.id] },
      { only: [wanted.id, spam.id], excludeSpam: true },
    ]
    await db.transaction(async (tx) => {
      const cost = async (filter: WalletFilter, after: WalletPlace | null) => {
        let next: WalletPlace | null = null
        const read = async () => {
          const page = await readWalletTokens(bytesOf(tx.fresh), filter, after, { limit: 20, metadata: null })
          expect(page.held.flatMap(({ hashes }) => hashes)).toHaveLength(20)
          next = page.next
        }
        const tokens = await rowsRead(tx, 'wallet_token', read)
        expect(await rowsRead(tx, 'token', read)).toBe(0)
        const collections = await rowsRead(tx, 'wallet_collection', () =>
          readWalletTokens(bytesOf(tx.fresh), filter, after, { limit: 20, metadata: null }),
        )
        return { rows: { tokens, collections }, next: next as WalletPlace | null }
      }
      for (const filter of filters) {
        const first = await cost(filterOf(large, filter), null)
        const second = await cost(filterOf(large, filter), first.next)
        for (const { rows } of [first, second]) {
          // An index entry and its row count as two.
          expect(rows.tokens, JSON.stringify(rows)).toBeLessThan(150)
          expect(rows.collections).toBeLessThan(20)
        }
      }
      const { rows } = await cost(filterOf(small), null)
      expect(rows.tokens).toBeGreaterThan(20)
    })
  },
)

test.skipIf(onCluster)(
  'behavior: a page of ERC-1155 tokens reads its own rows, although nearly all are of one wallet',
  async () => {
    const { db, drop } = await createTestDatabase()
    onTestFinished(drop)
    const wallet = newAddress()
    const key = [partitionOf(1n, wallet), hexToBuffer(wallet)]
    await db.run(
      `INSERT INTO collection (partition, chain_id, address, status, standard, live_since, from_block, to_block)
     SELECT n % 256, 1, decode(lpad(to_hex(n), 40, '0'), 'hex'), 'live', 'ERC1155', now(), 0, 10 FROM generate_series(1, 2000) n`,
    )
    await db.run(
      `INSERT INTO token (partition, collection_id, token_hash, token_id, amount, erc1155, last_position, first_position, holders)
     SELECT c.partition, c.id, md5(c.id || ' ' || n)::uuid, n, 5, true, 100, 100, 2 FROM collection c, generate_series(1, 20) n`,
    )
    await db.run(
      `INSERT INTO wallet_token (partition, chain_id, wallet, collection_id, token_hash, amount)
     SELECT $1, 1, $2, collection_id, token_hash, 2 FROM token`,
      key,
    )
    await db.run(
      `INSERT INTO wallet_collection (partition, chain_id, wallet, collection_id, collection_partition, tokens)
     SELECT $1, 1, $2, id, partition, 20 FROM collection`,
      key,
    )
    await db.run('VACUUM ANALYZE token, wallet_token, wallet_collection, collection')
    await db.transaction(async (tx) => {
      await tx.run('SET LOCAL plan_cache_mode = force_generic_plan')
      const read = () =>
        readWalletTokens(bytesOf(tx.fresh), filterOf(wallet), null, { limit: 100, metadata: null }).then(
          () => undefined,
        )
      for (const table of ['token', 'wallet_token', 'wallet_collection'])
        expect(await rowsRead(tx, table, read)).toBeLessThan(320)
    })
  },
)
