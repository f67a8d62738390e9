// @module-tag system

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type Database, type Transaction } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { bytesOf } from '../../src/db/pipeline/byteRows.ts'
import { createPageTimes } from '../../src/nft/blocks/createBlockTimes.ts'
import { queueTokens } from '../../src/nft/metadata/store/metadataStore.ts'
import { createNftQuery } from '../../src/nft/pages/createNftQuery.ts'
import { createPageReader } from '../../src/nft/pages/createPageReader.ts'
import { createOriginQuery } from '../../src/nft/pages/origins/createOriginQuery.ts'
import { listedWidths } from '../../src/nft/pages/pageWidth.ts'
import { createTraitCounts } from '../../src/nft/pages/traits/traitCounts.ts'
import { readWalletTokens } from '../../src/nft/pages/wallets/walletTokens.ts'
import type { CollectionState } from '../../src/nft/query.ts'
import { storeTransfers } from '../../src/nft/store/storeTransfers.ts'
import { positionOf } from '../../src/nft/transfers/position.ts'
import { tokenFacts } from '../../src/nft/transfers/tokenFacts.ts'
import { tokenHashSql } from '../../src/nft/transfers/tokenHash.ts'
import { zeroAddress } from '../../src/nft/transfers/transfer.ts'
import { historyGroup, transferGroup } from '../../src/nft/transfers/transferGroup.ts'
import type { Subject } from '../../src/nft/verify/openSubject.ts'
import { readBalances } from '../../src/nft/verify/readTokens.ts'
import { partitionOf } from '../../src/sync/partition.ts'
import { type Address, type Hex, hexToBuffer } from '../../src/util/hex.ts'
import { noopLog } from '../../src/util/log.ts'
import { createTestDatabase } from '../database.ts'
import { onCluster } from '../onCluster.ts'
import { postgres15Missing, startPostgres15 } from '../postgres15.ts'
import { rowsRead } from '../rowsRead.ts'
import { seedCollection } from '../seedCollection.ts'

const address: Address = '0x00000000000000000000000000000000000000aa'
const chainId = 1n
const partition = partitionOf(chainId, address)
const blockHash: Hex = `0x${'02'.repeat(32)}`
const wallet: Address = `0x${'11'.repeat(20)}`

/** Tokens of the large collection. 2,000 other collections have 20 each, so that statistics describe collections as small. */
const tokens = 10_000
const mostRead = 2_000

/** SQL of a token hash. */
const hash = (id: string) => tokenHashSql(`decode('${address.slice(2)}', 'hex')`, `${id}::numeric`)

const seedOthers = `
INSERT INTO collection (partition, chain_id, address, status, standard, from_block, to_block, tokens)
SELECT n % 256, ${chainId}, decode(lpad(to_hex(n + 1000), 40, '0'), 'hex'), 'live', 'ERC721', 0, 0, 20 FROM generate_series(1, 2000) n`

const seedTokens = `
CREATE TEMP TABLE seeded ON COMMIT DROP AS
  SELECT partition, id AS collection_id, n, CASE WHEN tokens = 20 THEN md5(id || ' ' || n)::uuid ELSE ${hash('n')} END AS token_hash
  FROM collection, generate_series(1, tokens) n;
INSERT INTO token (partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, amount, holders)
  SELECT partition, collection_id, token_hash, n, '\\x${'11'.repeat(20)}', '\\x${'11'.repeat(20)}', 5, 5, 1, 1 FROM seeded;
INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, tried_at, record)
  SELECT partition, collection_id, token_hash, 'ok', 1, now(), '"metadata":null,' FROM seeded;
INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash, block_time)
  SELECT partition, collection_id, n::int8 << 20, 1, n, '\\x${'00'.repeat(20)}', '\\x${'11'.repeat(20)}', 1, '\\x01', '\\x${'02'.repeat(32)}', NULL FROM seeded;
INSERT INTO balance (partition, collection_id, token_hash, holder, amount)
  SELECT partition, collection_id, token_hash, '\\x${'11'.repeat(20)}', 1 FROM seeded;
INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at)
  SELECT partition, collection_id, token_hash, n, now() FROM seeded;
INSERT INTO token_trait (partition, collection_id, trait, token_hash)
  SELECT partition, collection_id, md5((n % 4)::text)::uuid, token_hash FROM seeded;
INSERT INTO trait_count (partition, collection_id, trait, tokens, value)
  SELECT partition, collection_id, token_hash, 1, n FROM seeded
  UNION ALL SELECT partition, collection_id, md5((n % 4)::text)::uuid, count(*), 1 FROM seeded GROUP BY 1, 2, 3;
INSERT INTO wallet_token (partition, chain_id, wallet, collection_id, token_hash, amount, facts)
  SELECT ${partitionOf(chainId, wallet)}, ${chainId}, t.owner, t.collection_id, t.token_hash, 1, ${tokenFacts} FROM token t;
INSERT INTO wallet_collection (partition, chain_id, wallet, collection_id, collection_partition, tokens)
  SELECT ${partitionOf(chainId, wallet)}, ${chainId}, '\\x${'11'.repeat(20)}', id, partition, tokens FROM collection`

type Server = { db: Database; close(): Promise<void> }

const servers: [name: string, missing: string | undefined, open: () => Promise<Server>][] = [
  [
    'of this run',
    // Rows are counted in the session that reads them. On a cluster, these are other sessions.
    onCluster ? 'it is a cluster' : undefined,
    async () => {
      const { db, drop } = await createTestDatabase()
      return { db, close: drop }
    },
  ],
  [
    '15, the oldest',
    postgres15Missing,
    async () => {
      const server = await startPostgres15()
      const db = createDatabase({ connection: { connectionString: server.url }, poolSize: 2, log: noopLog })
      await migrate(db, noopLog)
      return {
        db,
        async close() {
          await db.close()
          await server.stop()
        },
      }
    },
  ],
]

describe.each(servers)('PostgreSQL %s', (_, missing, open) => {
  let server: Server
  let state: CollectionState
  let hashes: string[]

  beforeAll(async () => {
    if (missing) return
    server = await open()
    const { db } = server
    await seedCollection(db, { address, columns: { tokens } })
    await db.run('UPDATE collection SET tokens = $1', [tokens])
    await db.run(seedOthers)
    await db.transaction((tx) => tx.script(seedTokens))
    for (const table of [
      'token',
      'token_metadata',
      'balance',
      'metadata_due',
      'token_trait',
      'trait_count',
      'wallet_token',
      'wallet_collection',
      'collection',
    ])
      await db.run(`ANALYZE ${table}`)
    state = (await createNftQuery({ db }).state(chainId, address))!
    // Hashes far apart, in the order of the numbers.
    const rows = await db.rows<[string]>(`SELECT replace(${hash('n')}::text, '-', '') FROM generate_series(1, 100) n`)
    hashes = rows.map(([one]) => one)
  })
  afterAll(() => server?.close())

  /** A database that runs all statements and transactions within one transaction. */
  const within = (tx: Transaction): Database => ({ ...server.db, ...tx, transaction: async (work) => work(tx) })
  const options = { normalized: true, media: true, hex: false }
  const place = { operator: null, transactionHash: 'ab'.repeat(32), transactionIndex: 0, blockHash: 'ab'.repeat(32) }
  const key = () => ({ partition, id: state.id, chainId, address, standard: 'ERC721', idInData: false }) as const
  const transfer = (id: number, from: string, log: number) => ({
    ...place,
    ...{ position: positionOf(900, log), item: 0, blockTime: null },
    ...{ tokenId: String(id), amount: '1', from, to: '22'.repeat(20) },
  })

  const works: [what: string, tables: string[], work: (db: Database, tx: Transaction) => Promise<unknown>][] = [
    [
      'a page',
      ['token', 'token_metadata'],
      async (db) => {
        const range = { from: null, to: null }
        const page = { ...options, state, address, range, after: hashes[0]!, limit: 100 }
        expect(await createNftQuery({ db }).page(page)).toMatchObject({ count: 100 })
      },
    ],
    [
      'a page of tokens with a trait',
      ['token', 'token_metadata'],
      async (db) => {
        const [[trait] = ['']] = await db.rows<[string]>(`SELECT md5('1')`)
        const page = { ...options, state, address, range: { from: null, to: null }, after: null, limit: 100 }
        expect(await createNftQuery({ db }).page({ ...page, traits: [[trait]] })).toMatchObject({ count: 100 })
      },
    ],
    [
      'a list of tokens',
      ['token', 'token_metadata'],
      async (db) => {
        const requested = Array.from({ length: 50 }, (_, i) => ({ state, address, tokenId: BigInt(i + 1) }))
        expect(await createNftQuery({ db }).tokens(requested, options)).toBeDefined()
      },
    ],
    [
      'an earlier page',
      ['token_metadata'],
      async (db) => {
        const pages = createPageReader({
          db,
          reader: { ...db, ...bytesOf(db) },
          publicUrl: () => '',
          refreshAfterMs: null,
        })
        await pages.page(state, 'read', [hashes, hashes.map(line)], { ...options, media: false })
      },
    ],
    [
      'a page of a wallet',
      ['token_metadata'],
      async (db) => {
        const filter = { chainId, wallet, only: null, excludeSpam: false }
        const page = await readWalletTokens(bytesOf(db), filter, null, { limit: 100, metadata: options })
        expect(page.held.flatMap(({ hashes }) => hashes)).toHaveLength(100)
      },
    ],
    [
      'the widths of records',
      ['token', 'token_metadata'],
      async (db) => expect((await listedWidths(db, { state, hashes }, options)).size).toBe(100),
    ],
    [
      'counts of traits',
      ['trait_count'],
      async (db) => expect((await createTraitCounts(db).read(state, 0n, hashes)).texts.size).toBe(100),
    ],
    [
      'a page of balances that are verified',
      ['balance'],
      async (db) => {
        const subject = { partition, id: state.id, tables: { balance: 'balance' } } as Subject
        const first = 'SELECT token_hash FROM balance WHERE partition = $1 AND collection_id = $2 ORDER BY 1 LIMIT 100'
        const page = await db.rows<[string]>(first, [partition, state.id])
        const { value } = await readBalances(
          db,
          subject,
          page.map(([one]) => one.replaceAll('-', '')),
        ).next()
        expect(value).toHaveLength(100)
      },
    ],
    [
      'mints and acquisitions of tokens',
      ['transfer'],
      async (db) => {
        const origins = createOriginQuery({ db, openChains: undefined as never })
        const held = hashes.map((one) => ({ state, hash: one, holder: wallet }))
        const found = await origins.tokens(chainId, held)
        expect(found.filter(({ acquired }) => acquired !== null)).toHaveLength(100)
      },
    ],
    [
      'times of blocks that transfers get',
      ['transfer'],
      async (db, tx) => {
        const untimed = hundred((i) => ({ partition, collectionId: state.id, number: BigInt(i + 1), hash: blockHash }))
        await tx.run(
          `INSERT INTO block (chain_id, number, hash, parent_hash, timestamp) SELECT $1, n, $2, '\\x00', 1 FROM generate_series(1, 100) n`,
          [chainId, hexToBuffer(blockHash)],
        )
        const times = await createPageTimes({ db, openChains: undefined as never }).transfers.fill(chainId, untimed)
        expect(times.size).toBe(100)
      },
    ],
    ['tokens that are made due', ['metadata_due'], (db) => queueTokens(db, toQueue())],
    [
      'transfers at the head, and mints of history',
      ['token'],
      async (_, tx) => {
        const moved = hundred((i) => transfer(i + 1, '11'.repeat(20), i))
        await storeTransfers(tx, [transferGroup(key(), moved)], { chainId, number: 900n })
        // Mints of new tokens, and of tokens that the head has already stored.
        const minted = hundred((i) => transfer(i < 50 ? 100_000 + i : 1_000 + i, zeroAddress, 100 + i))
        await storeTransfers(tx, [historyGroup(key(), minted)])
      },
    ],
  ]

  const hundred = <T>(make: (i: number) => T) => Array.from({ length: 100 }, (_, i) => make(i))
  const line = (hash: string, i: number) =>
    `"token_id":"${i + 1}","token_hash":"${hash}","owner_of":null,"minter_address":null,"block_number":"5","block_number_minted":"5","amount":"1",`
  const toQueue = () => hashes.map((hash, i) => ({ partition, id: state.id, hash, tokenId: String(i + 1) }))

  test.skipIf(missing).each(works)(
    'behavior: %s reads a bounded number of rows of a large collection',
    async (_, tables, work) => {
      const undone = new Error('undone')
      const read: Record<string, number> = {}
      const tried = server.db.transaction(async (tx) => {
        // Forces generic plans: pages use them, and so do frequently repeated statements.
        await tx.script('SET LOCAL plan_cache_mode = force_generic_plan')
        const [first, ...others] = tables
        const counted = others.reduce<() => Promise<unknown>>(
          (inner, table) => async () => {
            read[table] = await rowsRead(tx, table, inner)
          },
          () => work(within(tx), tx),
        )
        read[first!] = await rowsRead(tx, first!, counted)
        throw undone
      })
      await expect(tried).rejects.toBe(undone)
      for (const table of tables) {
        expect(read[table]).toBeGreaterThan(0)
        expect(read[table], table).toBeLessThan(mostRead)
      }
    },
  )
})
