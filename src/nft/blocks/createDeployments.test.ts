import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
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
function chainAt(finalized: bigint) {
  const requested: bigint[] = []
  const open = async () => ({
    source: {
      head: async () => ({ head: { number: 100n }, finalized }),
      headers: async (from: bigint) => {
        requested.push(from)
        return [{ number: from }]
      },
      receipts: async () => [{ contractAddress: address, transactionHash: '0x01' }],
      transactions: async () => [{ hash: '0x01', from: deployer }],
    },
    contracts: { deploymentBlock: async () => 7n },
  })
  return { requested, openChains: { open } as unknown as OpenChains }
}

test('behavior: the deployment in a final block is read from the node once for all processes', async () => {
  const { db } = database
  const state = (await createNftQuery({ db }).state(1n, address))!
  const read = (chain: ReturnType<typeof chainAt>, waitMs: number) =>
    createDeployments({ db, openChains: chain.openChains }).read(1n, [{ address, state }], waitMs)
  const [early, late, other] = [chainAt(6n), chainAt(50n), chainAt(50n)]
  expect(await read(early, 10_000)).toEqual([{ deployer, block: 7n }])
  // A reorg may still undo the deployment.
  expect(await read(other, 0)).toEqual([null])
  expect(await read(late, 10_000)).toEqual([{ deployer, block: 7n }])
  expect(await read(other, 0)).toEqual([{ deployer, block: 7n }])
  expect([early.requested, late.requested, other.requested]).toEqual([[7n], [7n], []])
})
