import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import type { Header } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { OpenChain } from '../../sync/openChains.ts'
import { UnavailableError } from '../../util/errors.ts'
import { type Hex, hexToBuffer } from '../../util/hex.ts'
import { createBlockFinder } from './createBlockFinder.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const chainId = 1n
const hashOf = (number: bigint): Hex => `0x${number.toString(16).padStart(64, 'b')}`
/** Returns the header of a block. There is a block every ten seconds. */
const headerOf = (number: bigint) => ({ number, hash: hashOf(number), timestamp: number * 10n }) as Header

/** A finder whose node has the blocks up to `head`, and lies of another chain. `requested` counts the requests to the node. */
function finderTo(head: bigint, lies: () => boolean = () => false) {
  const requested = { times: 0 }
  /** The other chain has a block each second. */
  const otherOf = (number: bigint) => ({ ...headerOf(number), timestamp: number })
  const source: Partial<EvmSource> = {
    head: async () => ({ head: headerOf(head), finalized: head - 50n }) as Awaited<ReturnType<EvmSource['head']>>,
    headers: async (from) => [lies() ? otherOf(from) : headerOf(from)],
    async confirm({ number, timestamp }) {
      if (timestamp !== headerOf(number).timestamp) throw new Error('another time')
    },
    headerByHash: async (hash) => (hash === hashOf(head) ? headerOf(head) : undefined),
  }
  const open = async () => {
    requested.times++
    return { source } as unknown as OpenChain
  }
  return { finder: createBlockFinder({ db: database.db, openChains: { open } as never }), requested }
}

const follow = (numbers: readonly bigint[]) =>
  database.db.run(
    `INSERT INTO block (chain_id, number, hash, parent_hash, timestamp) SELECT $1, b.*
     FROM unnest($2::int8[], $3::bytea[], $4::bytea[], $5::int8[]) b`,
    [
      chainId,
      numbers,
      numbers.map((number) => hexToBuffer(hashOf(number))),
      numbers.map((number) => hexToBuffer(hashOf(number - 1n))),
      numbers.map((number) => headerOf(number).timestamp),
    ],
  )

test('behavior: followed blocks are found without a node request, even those that the node does not have yet', async () => {
  await follow([98n, 99n, 100n, 101n, 102n])
  const { finder, requested } = finderTo(100n)
  expect(await finder.firstFrom(chainId, 1_010n)).toBe(101n)
  expect(await finder.firstFrom(chainId, 1_011n)).toBe(102n)
  expect(await finder.byHash(chainId, hashOf(102n))).toBe(102n)
  expect(requested.times).toBe(0)
  expect(await finder.firstFrom(chainId, 1_021n)).toBeUndefined()
  expect(await finder.byHash(chainId, hashOf(77n))).toBeUndefined()
})

test('behavior: headers of another chain neither become a date nor stay', async () => {
  let isLying = true
  const { finder } = finderTo(200n, () => isLying)
  await expect(finder.firstFrom(chainId, 300n)).rejects.toBeInstanceOf(UnavailableError)
  isLying = false
  expect(await finder.firstFrom(chainId, 300n)).toBe(30n)
})

test('behavior: a single wrong header among those that find a date does not change the date', async () => {
  for (const wrong of [2, 3, 4, 5]) {
    let read = 0
    const { finder } = finderTo(200n, () => ++read === wrong)
    const found = await finder.firstFrom(chainId, 300n).catch(() => 'unavailable')
    expect([30n, 'unavailable']).toContain(found)
    expect(await finder.firstFrom(chainId, 300n)).toBe(30n)
  }
})

test('behavior: a date among blocks that are not followed is looked up on the node', async () => {
  await database.db.run('DELETE FROM block WHERE number = 100')
  const { finder, requested } = finderTo(200n)
  // 98 is the first of the remaining ones, and 100 is missing among them.
  for (const [seconds, number] of [
    [300n, 30n],
    [975n, 98n],
    [995n, 100n],
    [1_005n, 101n],
    [1_025n, 103n],
  ] as const)
    expect(await finder.firstFrom(chainId, seconds)).toBe(number)
  expect(requested.times).toBe(5)
  expect(await finder.byHash(chainId, hashOf(200n))).toBe(200n)
})

test('behavior: a search that failed continues with the headers that it read', async () => {
  let read = 0
  const { finder } = finderTo(200n, () => {
    if (++read % 4 === 0) throw new Error('too many requests')
    return false
  })
  await expect(finder.firstFrom(chainId, 300n)).rejects.toBeInstanceOf(UnavailableError)
  expect(await finder.firstFrom(chainId, 300n)).toBe(30n)
})
