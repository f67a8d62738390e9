import { afterAll, beforeAll, expect, test } from 'vitest'
import { onCluster } from '../../../../test/onCluster.ts'
import { createRandom } from '../../../../test/random.ts'
import { countingRows } from '../../../../test/rowsRead.ts'
import { createWalletQueue, place, type WalletQueue } from '../../../../test/walletQueue.ts'
import type { Address } from '../../../util/hex.ts'
import type { HolderQuery } from '../../holderQuery.ts'
import { buildNextPart, requestHolders } from '../../holders/buildHolders.ts'
import type { CollectionState } from '../../query.ts'
import { storeTransfers } from '../../store/storeTransfers.ts'
import { positionOf } from '../../transfers/position.ts'
import { zeroAddress } from '../../transfers/transfer.ts'
import { transferGroup } from '../../transfers/transferGroup.ts'
import { createNftQuery } from '../createNftQuery.ts'
import { createHolderQuery } from './createHolderQuery.ts'

let queue: WalletQueue
beforeAll(async () => {
  queue = await createWalletQueue()
})
afterAll(() => queue.drop())

const owner = (n: number) => (n + 1).toString(16).padStart(40, '0')
const random = createRandom(11)

async function walk(holders: HolderQuery, state: CollectionState, limit: number): Promise<string[]> {
  const pages: string[] = []
  let after: Address | null = null
  do {
    const page = await holders.balances({ state, asOf: null, after, limit })
    if (page === 'moved') throw new Error('the collection moved')
    pages.push(`${page.count} ${page.holders}`)
    after = page.last
  } while (after !== null)
  return pages
}

test.each([
  { standard: 'ERC721', tokens: 2_100 },
  { standard: 'ERC1155', tokens: 50 },
] as const)(
  'default: balances of an $standard with kept holders are those of its tokens, and a page reads no more than its own',
  async ({ standard, tokens }) => {
    const { db, worker } = queue
    const collection = await queue.create(1n, standard)
    const store = (block: number, moves: readonly { from: string; to: string; id: number }[]) =>
      db.transaction((tx) => {
        const transfers = moves.map(({ from, to, id }, i) => ({
          ...{ ...place, position: positionOf(block, i), item: 0, tokenId: String(id), from, to, amount: '1' },
          operator: standard === 'ERC1155' ? 'ee'.repeat(20) : null,
        }))
        return storeTransfers(tx, [transferGroup(collection, transfers)])
      })
    const stateOf = async () => ({
      ...(await createNftQuery({ db }).state(1n, collection.address))!,
      tokens: BigInt(tokens),
    })
    /** Pages now, and whether the first one of 10 holders reads many rows of tokens and balances. */
    async function read() {
      const state = await stateOf()
      let rows = 0
      const counting = countingRows(db, ({ token = 0, balance = 0 }) => {
        rows += token + balance
      })
      await createHolderQuery({ db: counting }).balances({ state, asOf: null, after: null, limit: 10 })
      const pages: string[][] = []
      for (const limit of [10, 97, 5_000]) pages.push(await walk(createHolderQuery({ db }), state, limit))
      // A cluster counts them on other nodes.
      const isSorted = onCluster ? null : rows > 1_000
      return { pages, isSorted }
    }

    const held = Array.from({ length: 2_100 }, (_, i) => ({ id: i % tokens, at: owner(random.int(400)) }))
    await store(
      10,
      held.map(({ id, at }) => ({ from: zeroAddress, to: at, id })),
    )
    const moves = Array.from({ length: 300 }, () => {
      const token = random.pick(held)
      const from = token.at
      token.at = random.chance(0.1) ? zeroAddress : owner(random.int(400))
      return { from, to: token.at, id: token.id }
    }).filter(({ from }) => from !== zeroAddress)
    await store(11, moves)

    const sorted = await read()
    expect(sorted.isSorted).not.toBe(false)
    await requestHolders(db, collection)
    while ((await buildNextPart(db, collection, worker)) === 'moved');
    const pending = await read()
    expect(pending).toEqual(sorted)
    while ((await queue.updatePendingWallets()) > 0);
    const kept = await read()
    expect(kept.pages).toEqual(sorted.pages)
    expect(kept.isSorted).not.toBe(true)

    // A later block: pending until the wallets have it.
    const { id, at } = held.find((token) => token.at !== zeroAddress)!
    await store(12, [{ from: at, to: owner(500), id }])
    const later = await read()
    expect(later.pages).not.toEqual(kept.pages)
    while ((await queue.updatePendingWallets()) > 0);
    expect((await read()).pages).toEqual(later.pages)
  },
)
