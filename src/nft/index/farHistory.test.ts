import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { openSource } from '../../../test/evmSource.ts'
import { createFarNode, type FarChain, type NodeRules } from '../../../test/farNode.ts'
import { historySubject, readWholeHistory } from '../../../test/historySlice.ts'
import { createRpcServer } from '../../../test/rpcServer.ts'
import { seedLease, seedWorker } from '../../../test/seedLease.ts'
import { hexToBuffer } from '../../util/hex.ts'

const contract = '0xfa40000000000000000000000000000000000000'
const first = 1_000_000
let database: TestDatabase
let worker: number

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db.transaction((tx) => tx.script('TRUNCATE collection, token, transfer, worker, lease'))
  worker = await seedWorker(database.db)
  await seedLease(database.db, 'partition', 7, worker)
})

/** A chain with `mints` logs over so many blocks. A third of them are in the first twentieth. */
function farChain(blocks: number, mints: number): FarChain {
  const early = Math.ceil(mints / 3)
  const blockOf = (i: number) =>
    i < early ? Math.floor((i * blocks) / 20 / early) : Math.floor(blocks / 20 + ((i - early) * blocks * 0.95) / mints)
  return {
    ...{ contract, first, finalized: first + blocks - 1 },
    mints: Array.from({ length: mints }, (_, i) => first + blockOf(i)),
  }
}

/** Reads the whole history by nodes with these rules, and returns the calls of each. */
async function readBy(chain: FarChain, rules: NodeRules[]) {
  const nodes = rules.map((rule) => createFarNode(chain, rule))
  await using stack = new AsyncDisposableStack()
  const servers = await Promise.all(nodes.map(({ handler }) => createRpcServer(handler, { keeps: false })))
  for (const server of servers) stack.use(server)
  const over = stack.use(openSource(servers, {}, null))
  const [row] = await database.db.rows<[bigint]>(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block) VALUES (7, 1, $1, 'syncing', 'ERC721', $2) RETURNING id`,
    [hexToBuffer(contract), first],
  )
  const subject = historySubject({
    partition: 7,
    id: row![0],
    address: contract,
    coverage: [],
    fromBlock: BigInt(first),
  } as const)
  const settings = { rangesInFlight: 3, maxTokens: 1_000_000 }
  const outcome = await readWholeHistory({ db: database.db, source: over.source, worker, settings }, subject)
  expect(outcome).toBe('complete')
  const [stored] = await database.db.rows<[bigint, string]>(
    'SELECT (SELECT count(*) FROM transfer), (SELECT coverage::text FROM collection)',
  )
  expect(stored).toEqual([BigInt(chain.mints.length), `{[${first},${chain.finalized + 1})}`])
  return nodes.map(({ counts }) => counts)
}

/** Each row: the title, the blocks, the node's limits, the necessary ranges, and the most rejected widths. */
const nodes: readonly (readonly [string, number, NodeRules, number, number])[] = [
  ['without a cap', 20_000_000, {}, 1, 0],
  ['that takes 10,000 blocks', 4_000_000, { maxBlocks: 10_000 }, 400, 1],
  ['that takes 1,000 blocks', 400_000, { maxBlocks: 1_000 }, 400, 1],
  ['that takes 10,000 blocks and does not say so', 4_000_000, { maxBlocks: 10_000, isUnresponsive: true }, 400, 2],
]

test.for(
  nodes.flatMap((node) => [
    { name: node[0], mints: 300, node },
    { name: node[0], mints: 20_000, node },
  ]),
)(
  'default: $mints sparse logs are read from a node $name with few more calls than necessary',
  async ({ mints, node }) => {
    const [, blocks, rules, necessary, widths] = node
    const [counts] = await readBy(farChain(blocks, mints), [rules])
    // The reader makes a few first guesses, and one call in ten confirms others.
    expect(counts!.ranges).toBeLessThanOrEqual(necessary * 1.25 + 16)
    expect(Object.values(counts!.rejected).every((times) => times === 1)).toBe(true)
    expect(Object.keys(counts!.rejected).length).toBeLessThanOrEqual(widths)
    expect(counts!.mostLogs).toBeLessThanOrEqual(20_000)
  },
)

test('behavior: a node that returns at most 10,000 logs gets narrower ranges after few rejections', async () => {
  const [counts] = await readBy(farChain(20_000_000, 20_000), [{ maxLogs: 10_000 }])
  expect(counts!.ranges).toBeLessThanOrEqual(16)
  expect(Object.values(counts!.rejected).every((times) => times === 1)).toBe(true)
})

test('behavior: a contract without logs costs a few calls and one more to confirm', async () => {
  const [counts] = await readBy(farChain(20_000_000, 0), [{}])
  expect(counts!.ranges).toBeLessThanOrEqual(7)
})

test('behavior: a node with a narrow range limit does not slow a quiet contract if another node has none', async () => {
  const [narrow, wide] = await readBy(farChain(20_000_000, 0), [{ maxBlocks: 10 }, {}])
  expect(narrow!.ranges + wide!.ranges).toBeLessThanOrEqual(9)
})
