import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  alice,
  bob,
  createWalletQueue,
  holders,
  partitions,
  place,
  transfer,
  type WalletQueue,
} from '../../../test/walletQueue.ts'
import { expectWalletTruth } from '../../../test/walletTruth.ts'
import { revertTransfers } from '../store/revertTransfers.ts'
import { storeTransfers } from '../store/storeTransfers.ts'
import { positionOf } from '../transfers/position.ts'
import { type Transfer, zeroAddress } from '../transfers/transfer.ts'
import { type CollectionKey, historyGroup, transferGroup } from '../transfers/transferGroup.ts'
import { buildWallets } from './buildWallets.ts'
import { updateWallets } from './updateWallets.ts'
import { nextBuilds, nextUpdates } from './walletUpdates.ts'
import { writeTransfers } from './writeTransfers.ts'

let queue: WalletQueue

beforeAll(async () => {
  queue = await createWalletQueue()
})
afterAll(() => queue.drop())

/** Each test and each run of a test has a separate chain. */
let chainId = 700n

/** Processes rows of the queue. For collections with more transfers than `few`, tokens are built later and all at once. */
async function processPending(choose: (place: number) => boolean, few: number): Promise<number> {
  const { db } = queue
  const updates = [
    ...(await nextUpdates(db, { atHead: true, partitions, except: [], most: 1e9, few })),
    ...(await nextUpdates(db, { atHead: false, partitions, except: [], most: 1e9, few })),
  ].filter((_, place) => choose(place))
  const later = updates.filter(({ tokensLater }) => tokensLater)
  const rows = await writeTransfers(db, later, queue.worker, 1 + (later.length % 3))
  return (
    rows +
    (await updateWallets(
      db,
      updates.filter((row) => !later.includes(row)),
      queue.worker,
    ))
  )
}

/** Builds the due tokens of at most `most` collections in `parts` parts. `cut`: the process dies before the last part. */
async function buildPending({ most = 1e9, parts = 1, cut = false } = {}): Promise<number> {
  const found = await nextBuilds(queue.db, { partitions, except: [], most })
  let built = 0
  for (let part = 0; part < parts - (cut ? 1 : 0); part++)
    built = await buildWallets(queue.db, found, queue.worker, { part, parts })
  return cut ? 0 : built
}

/** A block's transfers by collection, of standard or non-standard contracts: the sender of a token may never have had it. */
const moves = fc.array(
  fc.record({
    of: fc.nat(3),
    token: fc.nat(3),
    from: fc.nat(4),
    to: fc.nat(4),
    amount: fc.nat(3),
    byErc1155: fc.boolean(),
  }),
  { maxLength: 6 },
)
type Moves = typeof moves extends fc.Arbitrary<infer T> ? T : never

const work = fc.record({ do: fc.constant('work' as const), rows: fc.nat(2 ** 16 - 1) })
const past = fc.record({ do: fc.constant('history' as const), moves })
const block = fc.record({ do: fc.constant('block' as const), moves })
const undo = fc.record({ do: fc.constant('undo' as const), blocks: fc.integer({ min: 1, max: 4 }) })
const build = fc.record({
  do: fc.constant('build' as const),
  most: fc.nat(8),
  parts: fc.integer({ min: 1, max: 3 }),
  cut: fc.boolean(),
})
/** First ranges of history in any order, then blocks and reorganisations. Meanwhile random rows of the queue are processed. */
const steps = fc
  .tuple(
    fc.array(fc.oneof(past, work, build), { maxLength: 8 }),
    fc.array(fc.oneof(block, undo, work, build), { maxLength: 12 }),
  )
  .map((phases) => phases.flat())

/** Returns the transfers of a block. Collections from the third on emit the events of both standards. */
function transfersIn(block: number, all: Moves, { standard }: CollectionKey, of: number): Transfer[] {
  return all.flatMap(({ token, from, to, amount, byErc1155, of: collection }, index): Transfer[] => {
    if (collection !== of) return []
    const base = { ...place, position: positionOf(block, index), item: 0, tokenId: String(token) }
    const moved = { ...base, from: holders[from]!, to: holders[to]! }
    const ofErc1155 = of < 2 ? standard === 'ERC1155' : byErc1155
    return [ofErc1155 ? { ...moved, amount: String(amount), operator: holders[1]! } : { ...moved, amount: '1' }]
  })
}

test('behavior: wallets match tokens, balances and transfers after storing, undoing and processing in any order', async () => {
  const { db } = queue
  let built = 0
  await fc.assert(
    fc.asyncProperty(steps, fc.infiniteStream(fc.nat(1_000)), fc.nat(8), async (all, order, few) => {
      chainId++
      const collections = [
        await queue.create(chainId, 'ERC721'),
        await queue.create(chainId, 'ERC1155'),
        await queue.create(chainId, 'ERC721'),
        await queue.create(chainId, 'ERC1155'),
      ]
      const groups = (number: number, moved: Moves, make: typeof transferGroup) =>
        collections
          .map((key, of) => make(key, transfersIn(number, moved, key, of)))
          .filter(({ transfers }) => transfers.length > 0)
      const free = Array.from({ length: 20 }, (_, i) => i + 1)
      let head = 1_000
      for (const step of all) {
        if (step.do === 'history') {
          const [number] = free.splice(order.next().value! % free.length, 1)
          const stored = groups(number!, step.moves, historyGroup)
          await db.transaction((tx) => storeTransfers(tx, stored))
          for (const { collection, transfers } of stored)
            await db.run('UPDATE collection SET transfers = transfers + $3 WHERE partition = $1 AND id = $2', [
              ...[collection.partition, collection.id, BigInt(transfers.length)],
            ])
        } else if (step.do === 'block') {
          const undoable = { chainId, number: BigInt(++head) }
          await db.transaction((tx) => storeTransfers(tx, groups(head, step.moves, transferGroup), undoable))
        } else if (step.do === 'undo') {
          head = Math.max(1_000, head - step.blocks)
          await db.transaction((tx) => revertTransfers(tx, chainId, BigInt(head)))
        } else if (step.do === 'build') built += await buildPending(step)
        else await processPending((place) => ((step.rows >> (place % 16)) & 1) === 1, few)
      }
      for (let done = 1; done > 0; ) {
        const more = await buildPending()
        built += more
        done = more + (await processPending(() => true, few))
      }
      await expectWalletTruth(db)
    }),
    { numRuns: 25 * inject('rounds') },
  )
  expect(built).toBeGreaterThan(0)
})

test('behavior: tokens of a syncing history are added to wallets once it is complete, before the head is processed', async () => {
  const { db } = queue
  chainId++
  const key = await queue.create(chainId, 'ERC721')
  const set = (columns: string) => db.run(`UPDATE collection SET ${columns} WHERE id = $1`, [key.id])
  const store = (number: number, from: string, to: string) =>
    db.transaction((tx) => storeTransfers(tx, [historyGroup(key, [transfer(number, '1', from, to)])]))
  const builds = () => nextBuilds(db, { partitions, except: [], most: 1e9 })

  await set(`status = 'syncing', covered_at = now()`)
  await store(5, zeroAddress, alice)
  expect(await queue.pendingUpdates(false)).toMatchObject([{ tokensLater: true }])
  expect(await processPending(() => true, 0)).toBe(1)
  expect([await queue.pendingUpdates(false), await builds()]).toEqual([[], []])

  await set(`status = 'live'`)
  await db.transaction((tx) =>
    storeTransfers(tx, [transferGroup(key, [transfer(1_001, '1', alice, bob)])], { chainId, number: 1_001n }),
  )
  expect(await queue.pendingUpdates(true)).toEqual([])
  expect(await builds()).toMatchObject([{ collectionId: key.id, transfers: 1 }])
  expect(await buildPending({ parts: 3 })).toBe(1)
  // Wallets may now have to lose these holdings.
  await set(`status = 'syncing', covered_at = now()`)
  await store(6, alice, bob)
  expect(await queue.pendingUpdates(true)).toHaveLength(1)
  expect(await queue.pendingUpdates(false)).toMatchObject([{ tokensLater: false }])
  await queue.updatePendingWallets()
  await expectWalletTruth(db)
})

test.each([
  ['is read for long', `requested_at = now() - interval '6 minutes'`],
  ['stalls', `covered_at = now() - interval '1 minute'`],
])('behavior: a history that %s does not keep its tokens out of wallets', async (_, columns) => {
  const { db } = queue
  chainId++
  const key = await queue.create(chainId, 'ERC721')
  await db.run(`UPDATE collection SET status = 'syncing', covered_at = now() WHERE id = $1`, [key.id])
  await db.transaction((tx) => storeTransfers(tx, [historyGroup(key, [transfer(5, '1', zeroAddress, alice)])]))
  await processPending(() => true, 0)
  expect(await buildPending()).toBe(0)
  await db.run(`UPDATE collection SET ${columns} WHERE id = $1`, [key.id])
  expect(await buildPending()).toBe(1)
  await expectWalletTruth(db)
})
