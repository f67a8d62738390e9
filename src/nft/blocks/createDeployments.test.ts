import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { holdClock } from '../../../test/holdClock.ts'
import { patience } from '../../../test/patience.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Database } from '../../db/database.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import type { Address } from '../../util/hex.ts'
import { createNftQuery } from '../pages/createNftQuery.ts'
import { createDeployments } from './createDeployments.ts'

const address: Address = `0x${'5a'.repeat(20)}`
const deployer: Address = `0x${'d0'.repeat(20)}`

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await seedCollection(database.db, { address })
})
afterAll(() => database.drop())

/** A chain whose contract was deployed in block 7; `finalized` is its last final block. */
function chainAt(finalized: bigint, contractAddress = address) {
  const requested: bigint[] = []
  const open = async () => ({
    source: {
      head: async () => ({ head: { number: 100n }, finalized }),
      headers: async (from: bigint) => {
        requested.push(from)
        return [{ number: from }]
      },
      receipts: async () => [{ contractAddress, transactionHash: '0x01' }],
      transactions: async () => [{ hash: '0x01', from: deployer }],
    },
    contracts: { deploymentBlock: async () => 7n },
  })
  return { requested, openChains: { open } as unknown as OpenChains }
}

async function stateOf(contract: Address) {
  return { address: contract, state: (await createNftQuery({ db: database.db }).state(1n, contract))! }
}

test('behavior: the deployment in a final block is read from the node once for all processes', async () => {
  const { db } = database
  const requested = [await stateOf(address)]
  const read = (chain: ReturnType<typeof chainAt>) =>
    createDeployments({ db, openChains: chain.openChains }).read(1n, requested, { isNamed: true })
  const [early, late, other] = [chainAt(6n), chainAt(50n), chainAt(50n)]
  // A reorg may still undo the deployment.
  expect(await read(early)).toEqual([{ deployer, block: 7n }])
  expect(await read(late)).toEqual([{ deployer, block: 7n }])
  expect(await read(other)).toEqual([{ deployer, block: 7n }])
  expect([early.requested, late.requested, other.requested]).toEqual([[7n], [7n], []])
})

test('behavior: a search that found no block is not stored, and repeated later', async () => {
  const { db } = database
  const contract: Address = `0x${'5c'.repeat(20)}`
  await seedCollection(db, { address: contract })
  const { state } = await stateOf(contract)
  const requested = [{ address: contract, state: { ...state, fromBlock: 3n } }]
  const clock = holdClock()
  let block: bigint | undefined
  let searches = 0
  const { openChains } = chainAt(50n)
  const open: OpenChains['open'] = async (chainId, signal) => {
    const opened = await openChains.open(chainId, signal)
    const source = { ...opened.source, receipts: async () => [] }
    const deploymentBlock = async () => {
      searches++
      return block
    }
    return { ...opened, source, contracts: { ...opened.contracts, deploymentBlock } }
  }
  const { read } = createDeployments({ db, openChains: { open } })
  const find = () => read(1n, requested, { isNamed: true })
  expect([await find(), await find()].flat()).toEqual(Array(2).fill({ deployer: null, block: null }))
  expect(searches).toBe(1)
  block = 7n
  clock.advance(700_000)
  // The cache of memory keeps its time for a millisecond.
  await expect.poll(find, patience).toEqual([{ deployer: null, block: 7n }])
  expect(searches).toBe(2)
})

test('behavior: pages read a deployment again at intervals while it is not final', async () => {
  const { db } = database
  const shown: Address = `0x${'5b'.repeat(20)}`
  await seedCollection(db, { address: shown })
  const requested = [await stateOf(shown)]
  const clock = holdClock()
  const chain = chainAt(6n, shown)
  const { read } = createDeployments({ db, openChains: chain.openChains })
  const show = () => read(1n, requested, { isNamed: false })
  const found = [{ deployer, block: 7n }]
  expect([await show(), await show()]).toEqual([found, found])
  expect(chain.requested).toEqual([7n])
  clock.advance(20_000)
  expect([await show(), await show()]).toEqual([found, found])
  expect(chain.requested).toEqual([7n, 7n])
})

/** A node that does not respond. */
const silent = () => new Promise<never>(() => undefined)

test.each([true, false])(
  'behavior: requests do not wait again for a node that did not return a deployment in time; named: %s',
  async (isNamed) => {
    const clock = holdClock()
    let opened = 0
    const open = () => {
      opened++
      return silent()
    }
    const { read } = createDeployments({ db: database.db, openChains: { open } })
    const { state } = await stateOf(address)
    const requested = [{ address, state: { ...state, id: -1n } }]
    void read(1n, requested, { isNamed })
    await expect.poll(() => opened, patience).toBe(1)
    clock.advance(5_000)
    for (let i = 0; i < 3; i++) expect(await read(1n, requested, { isNamed })).toEqual([null])
    expect(opened).toBe(1)
  },
)

test('behavior: a chain whose nodes do not respond delays no deployments of another chain', async () => {
  const { db } = database
  const { state } = await stateOf(address)
  const { openChains } = chainAt(50n)
  const open: OpenChains['open'] = (chainId, signal) => (chainId === 2n ? silent() : openChains.open(chainId, signal))
  const { read } = createDeployments({ db, openChains: { open } })
  for (let n = 0; n < 20; n++) void read(2n, [{ address, state: { ...state, id: BigInt(-1 - n) } }], { isNamed: true })
  const [found] = await read(1n, [{ address, state: { ...state, id: -99n } }], { isNamed: true })
  expect(found).toEqual({ deployer, block: 7n })
})

test('behavior: a page with many contracts reads few deployments at once, and named ones before the others', async () => {
  const { state } = await stateOf(address)
  const waiting: { id: bigint; end: () => void }[] = []
  const running = () => waiting.length
  const contracts = {
    deploymentBlock: (contract: Address) =>
      new Promise<undefined>((resolve) => waiting.push({ id: BigInt(contract), end: () => resolve(undefined) })),
  }
  const source = { head: async () => ({ head: { number: 100n }, finalized: 50n }), headers: async () => [] }
  const open = async () => ({ source, contracts })
  let loads = 0
  const db = {
    ...database.db,
    rows: (text: string, values?: unknown[]) => database.db.rows(text, values).finally(() => loads++),
  } as Database
  const { read } = createDeployments({ db, openChains: { open } as unknown as OpenChains })
  const requestOf = (n: number) => ({
    address: `0x${String(n).padStart(40, '0')}` as Address,
    state: { ...state, id: BigInt(-1_000 - n) },
  })
  const page = read(
    1n,
    Array.from({ length: 20 }, (_, n) => requestOf(n)),
    { isNamed: false },
  )
  await expect.poll(running, patience).toBe(4)
  const named = read(1n, [requestOf(99)], { isNamed: true })
  await expect.poll(() => loads, patience).toBe(2)
  waiting[0]!.end()
  await expect.poll(running, patience).toBe(5)
  expect(waiting[4]!.id).toBe(BigInt(requestOf(99).address))
  let ended = 1
  while (ended < 21) {
    await expect.poll(running, patience).toBe(Math.min(21, ended + 4))
    waiting[ended++]!.end()
  }
  await Promise.all([page, named])
})
