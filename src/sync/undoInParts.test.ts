import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { address, createChainOfTwo, neighbour, never, useCollectionsInParts } from '../../test/collectionsInParts.ts'
import type { ScriptedChain } from '../../test/scriptedChain.ts'
import { system } from '../../test/system.ts'
import { expectWalletTruth } from '../../test/walletTruth.ts'
import { tokenTopic } from '../chain/evm/source/tokenEvents.ts'
import { createNftQuery } from '../nft/pages/createNftQuery.ts'
import { deleteCollection } from '../nft/store/requeueCollections.ts'
import { updateWallets } from '../nft/wallets/updateWallets.ts'
import { nextUpdates } from '../nft/wallets/walletUpdates.ts'
import type { Address, Hex } from '../util/hex.ts'

const database = useCollectionsInParts()

/** Adds a block in which the collection mints `tokens` tokens and its neighbour mints one. */
function mint(chain: ScriptedChain, tokens: number): void {
  const first = 100 * Number(chain.head())
  chain.add(Array.from({ length: tokens + 1 }, (_, i) => ({ token: first + i, from: 0, to: 1 })))
  chain.logs().at(-1)!.address = neighbour
}

/** Makes two live collections. One mints 10 tokens in block 4 and one in each block before. Parts have 4 transfers. */
async function followLarge() {
  await database.wipe()
  const chain = createChainOfTwo(20)
  await database.addCollection(address)
  await database.addCollection(neighbour)
  const follower = await database.follow(chain, 4)
  for (let block = 1; block <= 3; block++) mint(chain, 1)
  mint(chain, 10)
  await database.settle(follower)
  const query = createNftQuery({ db: database.db })
  const stateOf = async (contract: Address) => {
    const { status, toBlock, tokens } = (await query.state(1n, contract))!
    return { status, toBlock, tokens: Number(tokens) }
  }
  return { chain, follower, stateOf }
}

const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))

async function updateQueued(): Promise<void> {
  for (const atHead of [true, false]) {
    const updates = await nextUpdates(database.db, { atHead, partitions, except: [], most: 1e9 })
    await updateWallets(database.db, updates, database.worker)
  }
}

/** Returns all rows of both collections, without their ids and without block times, which only followed blocks have. */
async function rows(): Promise<unknown[]> {
  const all: unknown[] = []
  for (const [table, key] of [
    ['token', 'partition, token_hash'],
    ['balance', 'partition, token_hash, holder'],
    ['transfer', 'partition, position, item'],
    ['transfer_range', 'partition, range'],
  ])
    all.push(
      await database.db.rows(
        `SELECT to_jsonb(t) - 'collection_id' - 'was_listed' - 'was_held' - 'was_below' - 'block_time' FROM ${table} t ORDER BY ${key}`,
      ),
    )
  const counts =
    'SELECT address, status, standard, tokens, transfers, stored_of_next, undo_above FROM collection ORDER BY address'
  return [...all, await database.db.rows(counts)]
}

/** Expects the same contents as in a database that was never on another fork. */
async function expectFresh(chain: ScriptedChain, standard = 'ERC721'): Promise<void> {
  const stored = await rows()
  await database.wipe()
  // Now no block is final, so the service follows all of them.
  chain.finalityDepth = 1_000
  await database.addCollection(address)
  await database.addCollection(neighbour, standard)
  await database.settle(await database.follow(chain, 1_000))
  expect(stored).toEqual(await rows())
}

test('behavior: a large block is undone in parts with its coverage reported, while other collections follow each block', async () => {
  const { chain, follower, stateOf } = await followLarge()
  expect(await stateOf(address)).toEqual({ status: 'live', toBlock: 4n, tokens: 13 })
  chain.drop(2)
  mint(chain, 0)
  mint(chain, 0)
  const seen: number[] = []
  do {
    mint(chain, 0)
    await follower.step(never)
    expect(await stateOf(neighbour)).toEqual({ status: 'live', toBlock: chain.head(), tokens: Number(chain.head()) })
    const { status, toBlock, tokens } = await stateOf(address)
    if (status === 'live') break
    expect({ status, toBlock }).toEqual({ status: 'syncing', toBlock: 2n })
    seen.push(tokens)
  } while (seen.length < 10)
  expect(seen.slice(0, 3)).toEqual([9, 5, 2])
  await database.settle(follower)
  expect(await stateOf(address)).toEqual({ status: 'live', toBlock: chain.head(), tokens: 2 })
  await expectFresh(chain)
})

test.each([
  ['an earlier block', 3, 1n],
  ['the same block', 2, 2n],
  ['a later block', 1, 2n],
])(
  'behavior: while a large block is undone in parts, a second reorganisation reverts to %s',
  async (_, depth, toBlock) => {
    const { chain, follower, stateOf } = await followLarge()
    chain.drop(2)
    mint(chain, 1)
    mint(chain, 0)
    await follower.step(never)
    expect(await stateOf(address)).toEqual({ status: 'syncing', toBlock: 2n, tokens: 9 })
    chain.drop(depth)
    for (let i = 0; i <= depth; i++) mint(chain, 0)
    await follower.step(never)
    expect(await stateOf(address)).toEqual({ status: 'syncing', toBlock, tokens: 5 })
    expect(await stateOf(neighbour)).toMatchObject({ status: 'live', toBlock: chain.head() })
    await database.settle(follower)
    await expectFresh(chain)
  },
)

test('behavior: a process that takes over the chain continues to undo a large block', async () => {
  const { chain, follower, stateOf } = await followLarge()
  chain.drop(2)
  for (let i = 0; i < 3; i++) mint(chain, 0)
  await follower.step(never)
  expect(await stateOf(address)).toMatchObject({ status: 'syncing', toBlock: 2n, tokens: 9 })
  for (const tokens of [5, 2]) {
    await (await database.follow(chain, 4)).step(never)
    expect(await stateOf(address)).toMatchObject({ status: 'syncing', toBlock: 2n, tokens })
  }
  await database.settle(await database.follow(chain, 4))
  await expectFresh(chain)
})

test('behavior: a collection removed while it undoes a large block does not block others', async () => {
  const { chain, follower, stateOf } = await followLarge()
  chain.drop(2)
  for (let i = 0; i < 3; i++) mint(chain, 0)
  await follower.step(never)
  expect(await stateOf(address)).toMatchObject({ status: 'syncing', tokens: 9 })
  await deleteCollection(database.db, { chainId: 1n, address, requeue: false, held: true })
  mint(chain, 0)
  for (const next of [follower, await database.follow(chain, 4)]) await database.settle(next)
  expect(await stateOf(neighbour)).toEqual({ status: 'live', toBlock: chain.head(), tokens: Number(chain.head()) })
})

/** Adds a block with these transfers. Even tokens are of the collection, odd ones of an ERC-1155 beside it. */
function addMixed(chain: ScriptedChain, moved: { token: number; from: number; to: number }[]): void {
  const before = chain.logs().length
  chain.add(moved)
  for (const log of chain.logs().slice(before)) {
    const [, from, to, token] = log.topics
    if (BigInt(token!) % 2n === 0n) continue
    log.address = neighbour
    log.topics = [tokenTopic.transferSingle, from!, from!, to!]
    log.data = `${token!}${'1'.padStart(64, '0')}` as Hex
  }
}

const manyUndone = fc.array(
  fc.record({
    drop: fc.nat(6),
    add: fc.array(fc.array(fc.record({ token: fc.nat(7), from: fc.nat(3), to: fc.nat(3) }), { maxLength: 14 }), {
      minLength: 1,
      maxLength: 4,
    }),
    steps: fc.nat(9),
    dies: fc.boolean(),
  }),
  { minLength: 2, maxLength: 6 },
)

test(
  'behavior: collections of both standards that undo blocks in parts match a fresh index, including wallets',
  system,
  async () => {
    await fc.assert(
      fc.asyncProperty(manyUndone, fc.integer({ min: 1, max: 5 }), async (all, most) => {
        await database.wipe()
        const chain = createChainOfTwo(8)
        for (let i = 0; i < 3; i++) chain.add([])
        await database.addCollection(address)
        await database.addCollection(neighbour, 'ERC1155')
        let follower = await database.follow(chain, most)
        await database.settle(follower)
        let final = 0n
        for (const { drop, add, steps, dies } of all) {
          chain.drop(Math.min(drop, Number(chain.head() - final)))
          for (const block of add) addMixed(chain, block)
          for (let i = add.length; i <= drop; i++) chain.add([])
          for (let i = 0; i < steps; i++) {
            await follower.step(never)
            await updateQueued()
          }
          if (dies) follower = await database.follow(chain, most)
          if (chain.head() - 8n > final) final = chain.head() - 8n
        }
        await database.settle(follower)
        await updateQueued()
        await expectWalletTruth(database.db)
        await expectFresh(chain, 'ERC1155')
      }),
      { numRuns: 4 * inject('rounds') },
    )
  },
)

test('behavior: after a long outage a collection finishes undoing a large block and continues with its history', async () => {
  const { chain, follower, stateOf } = await followLarge()
  chain.drop(2)
  for (let i = 0; i < 3; i++) mint(chain, 0)
  await follower.step(never)
  for (let i = 0; i < 3_000; i++) chain.add([])
  for (let steps = 0; (await stateOf(neighbour)).status === 'live'; steps++) {
    await follower.step(never)
    if (steps > 3_000) throw new Error('the follower does not go back to history')
  }
  await follower.step(never)
  await expect.poll(() => follower.step(never)).toBe('idle')
  expect(await stateOf(address)).toEqual({ status: 'syncing', toBlock: 2n, tokens: 2 })
  const stored = await database.db.rows('SELECT stored_of_next, undo_above FROM collection')
  expect(stored).toEqual([
    [null, null],
    [null, null],
  ])
})
