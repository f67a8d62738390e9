import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { createScriptedChain, type ScriptedChain } from '../../test/scriptedChain.ts'
import { knownChains } from '../chain/evm/chains.ts'
import type { ContractReader } from '../chain/evm/contracts/contract.ts'
import { silentLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { followCollections } from '../nft/index/followCollections.ts'
import { createNftQuery } from '../nft/pages/createNftQuery.ts'
import { type Address, hexToBuffer } from '../util/hex.ts'
import { insertChain } from './chainStore.ts'
import { createFollower, type Follower } from './follow.ts'
import { partitionOf } from './partition.ts'

const address = '0x00000000000000000000000000000000000000aa'
const evm = { ...knownChains[0]!, name: 'eth', configured: false }
const never = new AbortController().signal
let database: TestDatabase
let worker: number

beforeAll(async () => {
  database = await createTestDatabase()
  const [row] = await database.db.rows<[number]>(`INSERT INTO worker (host, pid) VALUES ('test', 1) RETURNING id`)
  worker = row![0]
  await database.db.run(`INSERT INTO lease (kind, key, worker_id) VALUES ('chain', 1, $1)`, [worker])
})
afterAll(() => database.drop())
beforeEach(wipe)

async function wipe(): Promise<void> {
  await database.db.transaction((tx) =>
    tx.script('TRUNCATE chain, block, collection, token, balance, transfer, token_undo'),
  )
}

/** A collection whose history is read up to the first block. */
async function addCollection(contract: Address): Promise<void> {
  await database.db.run(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block, to_block, coverage)
     VALUES ($2, 1, $1, 'syncing', 'ERC721', 0, 0, '{[0,0]}')`,
    [hexToBuffer(contract), partitionOf(1n, contract)],
  )
}

/** `most`: transfers of a part. */
async function follow(chain: ScriptedChain, most: number): Promise<Follower> {
  const { db } = database
  await insertChain(db, 1n, (await chain.source.identity()).genesisHash, 0n, 0n)
  const common = { chain: evm, source: chain.source, db, metrics: createMetrics(), log: silentLog }
  const bounds = { metadataCoolOffMs: 0, maxTokens: 1_000, mostTransfers: most }
  const handler = await followCollections({ ...common, contracts: {} as ContractReader, ...bounds })
  return createFollower({ ...common, handler, worker: () => worker })
}

/** Steps until the follower is idle and all collections are live. */
async function settle(follower: Follower): Promise<void> {
  for (let steps = 0; steps < 1_000; steps++) {
    if ((await follower.step(never)) !== 'idle') continue
    if ((await database.db.rows(`SELECT 1 FROM collection WHERE status <> 'live'`)).length === 0) return
  }
  throw new Error('the follower does not come to rest')
}

async function owners(): Promise<Record<string, string>> {
  const sql = `SELECT token_id, encode(owner, 'hex') FROM token WHERE amount > 0`
  return Object.fromEntries(await database.db.rows<[string, string]>(sql))
}

function truth(chain: ScriptedChain): Record<string, string> {
  const owner = new Map<string, string>()
  for (const { topics } of chain.logs()) owner.set(String(BigInt(topics[3]!)), topics[2]!.slice(26))
  return Object.fromEntries([...owner].filter(([, holder]) => holder !== '0'.repeat(40)))
}

const inParts = fc.array(
  fc.record({
    drop: fc.nat(8),
    add: fc.array(fc.array(fc.record({ token: fc.nat(5), from: fc.nat(3), to: fc.nat(3) }), { maxLength: 9 }), {
      minLength: 1,
      maxLength: 6,
    }),
    /** Steps of the follower before the chain goes on, and whether another process follows it afterwards. */
    steps: fc.nat(5),
    dies: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
)

test('behavior: a collection whose blocks are stored in parts has the state of the chain in the end, whatever is undone and whoever dies in between', async () => {
  await fc.assert(
    fc.asyncProperty(
      inParts,
      fc.integer({ min: 9, max: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (all, finality, most) => {
        await wipe()
        const chain = createScriptedChain(address, finality)
        for (let i = 0; i < 5; i++) chain.add([])
        await addCollection(address)
        let follower = await follow(chain, most)
        await settle(follower)
        let final = 0n
        for (const { drop, add, steps, dies } of all) {
          chain.drop(Math.min(drop, Number(chain.head() - final)))
          for (const block of add) chain.add(block)
          for (let i = add.length; i <= drop; i++) chain.add([])
          for (let i = 0; i < steps; i++) await follower.step(never)
          if (dies) follower = await follow(chain, most)
          const now = chain.head() - BigInt(finality)
          if (now > final) final = now
        }
        await settle(follower)
        expect(await owners()).toEqual(truth(chain))
        const rows = await database.db.rows(
          `SELECT h.block_number, c.status, c.stored_of_next, c.tokens, c.transfers, (SELECT count(*) FROM transfer), (SELECT sum(transfers) FROM token)
         FROM chain h, collection c`,
        )
        const [tokens, moved] = [BigInt(Object.keys(truth(chain)).length), BigInt(chain.logs().length)]
        expect(rows).toEqual([[chain.head(), 'live', null, tokens, moved, moved, moved === 0n ? null : moved]])
      },
    ),
    { numRuns: 25 },
  )
})

test('behavior: while a collection catches up with a large block in parts, the others of the chain follow each block', async () => {
  const neighbour = '0x00000000000000000000000000000000000000bb'
  const chain = createScriptedChain(address, 20)
  const logs = chain.source.logs
  chain.source.logs = async (range, signal) => {
    const answer = await logs(range, signal)
    return { ...answer, logs: answer.logs.filter((entry) => entry.address === range.address) }
  }
  await addCollection(address)
  await addCollection(neighbour)
  const follower = await follow(chain, 4)
  await settle(follower)
  const add = (transfers: number) => {
    chain.add(
      Array.from({ length: transfers + 1 }, (_, i) => ({ token: 100 * Number(chain.head()) + i, from: 0, to: 1 })),
    )
    chain.logs().at(-1)!.address = neighbour
  }
  const query = createNftQuery({ db: database.db })
  const stateOf = async (contract: Address) => {
    const { status, toBlock, tokens } = (await query.state(1n, contract))!
    return { status, toBlock, tokens: Number(tokens) }
  }
  add(10)
  await follower.step(never)
  const large = chain.head()
  const seen: unknown[] = []
  for (let blocks = 1; (await stateOf(address)).status !== 'live'; blocks++) {
    expect(await stateOf(neighbour)).toEqual({ status: 'live', toBlock: chain.head(), tokens: blocks })
    const { status, toBlock, tokens } = await stateOf(address)
    expect({ status, isBehind: toBlock! < chain.head() }).toEqual({ status: 'syncing', isBehind: true })
    if (toBlock! < large) seen.push(tokens)
    add(0)
    await follower.step(never)
  }
  expect([...new Set(seen)]).toEqual([0, 4, 8])
  expect(await stateOf(address)).toMatchObject({ toBlock: chain.head(), tokens: 10 })
})
