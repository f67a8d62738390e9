import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { rowsRead } from '../../../test/rowsRead.ts'
import { createScriptedChain } from '../../../test/scriptedChain.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { knownChains } from '../../chain/evm/chains.ts'
import type { ContractReader } from '../../chain/evm/contracts/contract.ts'
import type { Sql, Transaction } from '../../db/database.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import type { BlockHandler } from '../../sync/blockHandler.ts'
import { noopLog } from '../../util/log.ts'
import { followCollections } from './followCollections.ts'

const address = `0x${'aa'.repeat(20)}` as const
const otherRows = 2_000
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() => database.db.transaction((tx) => tx.script('TRUNCATE chain, collection, token_undo')))

function handlerOf(chainId: bigint): Promise<BlockHandler> {
  const { source } = createScriptedChain(address, 8)
  const chain = { ...knownChains[0]!, id: chainId, name: `chain ${chainId}`, configured: false }
  const common = { chain, source, db: database.db, metrics: createMetrics(), log: noopLog }
  return followCollections({ ...common, contracts: {} as ContractReader, metadataCoolOffMs: 0, maxTokens: 1_000 })
}

/** Makes a collection on each of two chains. The first has undo rows of 3 tokens, the second of `otherRows`. */
async function seedUndo(): Promise<void> {
  for (const [chainId, rows] of [
    [1n, 3],
    [2n, otherRows],
  ] as const) {
    const { partition, id } = await seedCollection(database.db, { address, chainId })
    await database.db.run(
      `INSERT INTO token_undo (partition, collection_id, chain_id, block_number, token_hash)
       SELECT $1, $2, $3, 100 + n, md5(n::text)::uuid FROM generate_series(1, $4::int) n`,
      [partition, id, chainId, rows],
    )
  }
  // With so many quiet collections, checking each of them would be expensive.
  await database.db.run(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block)
     SELECT n % 256, 1, decode(lpad(to_hex(n), 40, '0'), 'hex'), 'live', 'ERC721', 0 FROM generate_series(1, 3000) n`,
  )
  await database.db.run('ANALYZE collection, token_undo')
}

async function undoRows(sql: Sql): Promise<Record<string, bigint>> {
  const rows = await sql.rows<[bigint, bigint]>('SELECT chain_id, count(*) FROM token_undo GROUP BY 1 ORDER BY 1')
  return Object.fromEntries(rows)
}

const works: [string, (handler: BlockHandler, tx: Transaction) => Promise<void>][] = [
  ['finalizing', (handler, tx) => handler.finalize(tx, 10_000n)],
  ['reverting', (handler, tx) => handler.revert(tx, 100n)],
  ['releasing', (handler, tx) => handler.release(tx, 10_000n)],
]

test.each(works)('behavior: %s one chain reads no undo rows of another chain', async (_, work) => {
  await seedUndo()
  const handler = await handlerOf(1n)
  const read = await database.db.transaction((tx) => rowsRead(tx, 'token_undo', () => work(handler, tx)))
  expect(read).toBeLessThan(50)
  expect(await undoRows(database.db)).toEqual({ 2: BigInt(otherRows) })
})
