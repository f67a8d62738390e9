// @module-tag system

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { onCluster } from '../../../test/onCluster.ts'
import { allRowsRead } from '../../../test/rowsRead.ts'
import { createScriptedChain } from '../../../test/scriptedChain.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { seedPartitionLeases, seedWorker } from '../../../test/seedLease.ts'
import { knownChains } from '../../chain/evm/chains.ts'
import type { ContractReader } from '../../chain/evm/contracts/contract.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import type { BlockHandler } from '../../sync/blockHandler.ts'
import type { Address, Hex } from '../../util/hex.ts'
import { noopLog } from '../../util/log.ts'
import { updateWallets } from '../wallets/updateWallets.ts'
import { nextUpdates } from '../wallets/walletUpdates.ts'
import { followCollections } from './followCollections.ts'

/** Number of tokens of each standard that a block moves. */
const tokens = 1_000

/**
 * The most rows of one table that a step may read per token. A plan that joins all rows with all reads `tokens` times as many. Lookups read
 * every unpruned version of a row, and other concurrent work makes more of them: up to 76 per token were measured.
 */
const rowsPerToken = 150

const word = (n: number | bigint): Hex => `0x${n.toString(16).padStart(64, '0')}`
const digits = (values: readonly (number | bigint)[]) => values.map((n) => word(n).slice(2)).join('')

let database: TestDatabase
let worker: number
beforeAll(async () => {
  database = await createTestDatabase()
  worker = await seedWorker(database.db)
  await seedPartitionLeases(database.db, worker)
})
afterAll(() => database.drop())

const erc721: Address = `0x${'71'.repeat(20)}`
const erc1155: Address = `0x${'15'.repeat(20)}`

/** Content of a block: all tokens of both collections move from one account to another. */
type Move = { from: number; to: number; announces?: boolean }

function logsOf(block: number, { from, to, announces = false }: Move): RpcLog[] {
  const ids = Array.from({ length: tokens }, (_, i) => i)
  const list = (values: readonly number[]) => digits([values.length, ...values])
  const batch = `0x${digits([64, 64 + 32 * (tokens + 1)])}${list(ids)}${list(ids.map(() => 1))}` as const
  const parts: Pick<RpcLog, 'address' | 'topics' | 'data'>[] = [
    {
      address: erc721,
      topics: [tokenTopic.consecutiveTransfer, word(0), word(from), word(to)],
      data: word(tokens - 1),
    },
    { address: erc1155, topics: [tokenTopic.transferBatch, word(from), word(from), word(to)], data: batch },
  ]
  if (announces)
    parts.push({
      address: erc721,
      topics: [tokenTopic.batchMetadataUpdate],
      data: `0x${digits([0, Math.min(tokens, 1_000) - 1])}`,
    })
  return parts.map((part, index) => ({
    ...part,
    blockNumber: `0x${block.toString(16)}`,
    blockHash: word(block),
    transactionHash: word(block * 1_000 + index),
    transactionIndex: '0x0',
    logIndex: `0x${index.toString(16)}`,
  }))
}

async function apply(tx: Transaction, handler: BlockHandler, block: number, move: Move): Promise<void> {
  const header = { number: BigInt(block), hash: word(block), parentHash: word(block - 1), timestamp: BigInt(block) }
  const nothing = async () => []
  const parts = { transactions: nothing, receipts: nothing, internalTransfers: nothing, balances: nothing }
  const whole = { ...header, transactionCount: 1, logsBloom: null }
  await handler.apply(tx, { header: whole, logs: logsOf(block, move), undoable: true, ...parts })
}

const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))

/** Updates wallets for the block, in a transaction that counts its rows. */
async function updateQueued(tx: Transaction): Promise<void> {
  const within: Database = { ...database.db, ...tx, transaction: async (work) => work(tx) }
  for (;;) {
    const updates = await nextUpdates(tx, { atHead: true, partitions, except: [], most: 1e9 })
    if ((await updateWallets(within, updates, worker)) === 0) return
  }
}

/** Makes collections of few tokens, as the statistics of typical collections have them. */
async function seedSmall(): Promise<void> {
  for (let n = 0; n < 4; n++)
    await seedCollection(database.db, { address: `0x${String(n).padStart(40, '0')}`, tokens: [1n, 2n, 3n] })
}

const undone = `
UPDATE collection SET tokens = 0, transfers = 0, token_rows = NULL;
TRUNCATE token, balance, transfer, transfer_range, token_undo, metadata_undo, metadata_due, token_metadata, wallet_due,
  wallet_transfer, wallet_token, wallet_collection, owner_count, collection`

async function openHandler(): Promise<BlockHandler> {
  const chainId = 1n
  await seedCollection(database.db, { address: erc721, chainId })
  await seedCollection(database.db, { address: erc1155, chainId, columns: { standard: 'ERC1155' } })
  const { source } = createScriptedChain(erc721, 8)
  const chain = { ...knownChains[0]!, id: chainId, name: 'eth', configured: false }
  const common = { chain, source, db: database.db, metrics: createMetrics(), log: noopLog }
  return followCollections({ ...common, contracts: {} as ContractReader, metadataCoolOffMs: 0, maxTokens: 1_000_000 })
}

const bring = async (work: (tx: Transaction) => Promise<void>) => database.db.transaction(work)

const states: [state: string, make: (handler: BlockHandler) => Promise<void>][] = [
  ['fresh', async () => undefined],
  [
    'just vacuumed, as tables of few rows',
    async () => {
      await seedSmall()
      await database.db.run('VACUUM ANALYZE')
    },
  ],
  [
    'of many pages and few rows, by what the last vacuum found',
    async (handler) => {
      await seedSmall()
      await bring(async (tx) => {
        await apply(tx, handler, 2, { from: 0, to: 1 })
        await updateQueued(tx)
      })
      await bring(async (tx) => {
        await handler.revert(tx, 1n)
        await updateQueued(tx)
      })
      await database.db.run('VACUUM (ANALYZE, TRUNCATE off)')
    },
  ],
  [
    'large',
    async (handler) => {
      await seedSmall()
      await database.db.run(
        `INSERT INTO token (partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, amount, holders)
         SELECT partition, id, md5(n::text)::uuid, n, '\\x${'11'.repeat(20)}', '\\x${'11'.repeat(20)}', 5, 5, 1, 1
         FROM collection, generate_series(1000, 20000) n WHERE address = decode(lpad('1', 40, '0'), 'hex')`,
      )
      await bring(async (tx) => {
        await apply(tx, handler, 2, { from: 0, to: 1 })
        await updateQueued(tx)
      })
      await database.db.run('VACUUM ANALYZE')
      await bring(async (tx) => {
        await handler.revert(tx, 1n)
        await updateQueued(tx)
      })
    },
  ],
]

// The test counts rows in its own session. A cluster reads them in other sessions.
test.skipIf(onCluster).each(states)(
  'behavior: a large block, its wallets and its undo read rows in proportion to its tokens, where tables are %s',
  async (_, make) => {
    await database.db.transaction((tx) => tx.script(undone))
    const handler = await openHandler()
    await make(handler)
    const found: Record<string, unknown> = {}
    const counted = (what: string, work: (tx: Transaction) => Promise<unknown>) =>
      bring(async (tx) => {
        const read = await allRowsRead(tx, () => work(tx))
        for (const [table, rows] of Object.entries(read))
          if (rows > rowsPerToken * tokens) found[`${what}: ${table}`] = rows / tokens
      })
    const moves: [what: string, move: Move][] = [
      ['minted', { from: 0, to: 1 }],
      ['moved', { from: 1, to: 2, announces: true }],
      ['burned', { from: 2, to: 0 }],
      ['minted again', { from: 0, to: 1, announces: true }],
    ]
    for (const [i, [what, move]] of moves.entries()) {
      await counted(what, (tx) => apply(tx, handler, 10 + i, move))
      await counted(`wallets, ${what}`, updateQueued)
    }
    for (const fork of [12n, 9n]) {
      await counted(`undone to ${fork}`, (tx) => handler.revert(tx, fork))
      await counted(`wallets, undone to ${fork}`, updateQueued)
    }
    expect(found).toEqual({})
  },
)
