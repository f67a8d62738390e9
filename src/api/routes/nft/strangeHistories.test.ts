import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { seedPartitionLeases, seedWorker } from '../../../../test/seedLease.ts'
import { type HolderRow, readHoldersAt } from '../../../nft/asOf/readHoldersAt.ts'
import { raiseVersions } from '../../../nft/store/collectionStore.ts'
import { revertTransfers } from '../../../nft/store/revertTransfers.ts'
import { storeTransfers } from '../../../nft/store/storeTransfers.ts'
import { blockOfPosition, positionOf } from '../../../nft/transfers/position.ts'
import { type Transfer, zeroAddress } from '../../../nft/transfers/transfer.ts'
import { type CollectionKey, transferGroup } from '../../../nft/transfers/transferGroup.ts'
import { updateWallets } from '../../../nft/wallets/updateWallets.ts'
import { nextUpdates } from '../../../nft/wallets/walletUpdates.ts'
import type { Address } from '../../../util/hex.ts'

let api: TestApi
let worker: number
beforeAll(async () => {
  api = await createTestApi({ config: { pageCache: { freshMs: 0 } } })
  worker = await seedWorker(api.db)
  await seedPartitionLeases(api.db, worker)
  await api.db.run(
    `INSERT INTO block (chain_id, number, hash, parent_hash, timestamp)
     SELECT 1, n, decode(lpad(to_hex(n), 64, '0'), 'hex'), '\\x00', 0 FROM generate_series(5, 1000) n`,
  )
})
afterAll(() => api.drop())

const hash = 'ab'.repeat(32)
const place = {
  operator: '99'.repeat(20),
  transactionHash: hash,
  transactionIndex: 0,
  blockHash: hash,
  blockTime: 1_700_000_000,
}
const wallets = ['11', '22', '33'].map((digits) => digits.repeat(20))
const tokens = [0, 1, 2, 3]
let addresses = 0

type Moved = { token: number; from: string; to: string; amount: number; blocks: number }

/** Possible histories of any contract: mints of existing tokens, burns of missing ones, transfers from non-holders. */
const history = fc.array(
  fc.record({
    token: fc.constantFrom(...tokens),
    from: fc.constantFrom(zeroAddress, ...wallets),
    to: fc.constantFrom(zeroAddress, ...wallets),
    amount: fc.nat(3),
    blocks: fc.nat(2),
  }),
  { minLength: 1, maxLength: 25 },
)

function transfersOf(moves: readonly Moved[]): Transfer[] {
  let block = 10
  return moves.map(({ token, from, to, amount, blocks }, index) => {
    block += blocks
    const moved = { tokenId: String(token), from, to, amount: String(amount) }
    return { ...place, ...moved, position: positionOf(block, index), item: 0 }
  })
}

const blockOf = ({ position }: Transfer) => Number(blockOfPosition(BigInt(position)))

/** Returns a line for each token and each of its holders. Every response must follow this one rule. */
function holdings(transfers: readonly Transfer[]): string[] {
  const balances = new Map<string, number>()
  for (const { tokenId, from, to, amount } of transfers)
    for (const [holder, moved] of [
      [from, -Number(amount)],
      [to, Number(amount)],
    ] as const)
      balances.set(`${tokenId} 0x${holder}`, (balances.get(`${tokenId} 0x${holder}`) ?? 0) + moved)
  return [...balances]
    .filter(([name, amount]) => amount > 0 && !name.endsWith(zeroAddress))
    .map(([name, amount]) => `${name} ${amount}`)
    .sort()
}

/** Returns the token, its only holder or null, and its amount. */
function listed(held: readonly string[]): string[] {
  const byToken = Map.groupBy(
    held.map((line) => line.split(' ') as [string, string, string]),
    ([token]) => token,
  )
  return [...byToken]
    .map(([token, own]) => {
      const amount = own.reduce((sum, [, , units]) => sum + Number(units), 0)
      return `${token} ${own.length === 1 ? own[0]![1] : null} ${amount}`
    })
    .sort()
}

type Page = { total: number | null; result: { token_id: string; owner_of: string | null; amount: string }[] }

async function get<T>(path: string): Promise<T> {
  const response = await api.get(`/api/v2/${path}`)
  expect(response.status, path).toBe(200)
  return (await response.json()) as T
}

const linesOf = ({ result }: Page) => result.map((r) => `${r.token_id} ${r.owner_of} ${r.amount}`).sort()

async function create(): Promise<CollectionKey> {
  const address: Address = `0x${(++addresses).toString(16).padStart(40, 'c')}`
  const key = await seedCollection(api.db, { address, columns: { standard: 'ERC1155', from_block: 0n } })
  return { ...key, chainId: 1n, address, standard: 'ERC1155', idInData: false }
}

async function updateAllWallets(): Promise<void> {
  const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))
  for (const atHead of [true, false])
    await updateWallets(api.db, await nextUpdates(api.db, { atHead, partitions, except: [], most: 1e9 }), worker)
}

/** Expects all routes to return the same current state of a contract. */
async function expectNow({ address }: CollectionKey, transfers: readonly Transfer[]): Promise<void> {
  const held = holdings(transfers)
  const ids = listed(held)
  const list = await get<Page>(`nft/${address}?disable_total=false`)
  expect([linesOf(list), list.total]).toEqual([ids, ids.length])
  const owners = await get<Page>(`nft/${address}/owners?disable_total=false`)
  expect([linesOf(owners), owners.total]).toEqual([held, held.length])
  type Stats = { total_tokens: string; owners: { current: string }; transfers: { total: string } }
  const stats = await get<Stats>(`nft/${address}/stats`)
  const addressesOf = new Set(held.map((line) => line.split(' ')[1]))
  expect([stats.total_tokens, stats.owners.current]).toEqual([String(ids.length), String(addressesOf.size)])
  for (const token of tokens) {
    const own = held.filter((line) => line.startsWith(`${token} `))
    const [line] = ids.filter((id) => id.startsWith(`${token} `))
    const one = await api.get(`/api/v2/nft/${address}/${token}`)
    const record = (await one.json()) as Page['result'][number]
    expect([one.status, one.status === 200 ? linesOf({ total: 1, result: [record] }) : []]).toEqual(
      line === undefined ? [404, []] : [200, [line]],
    )
    expect(linesOf(await get<Page>(`nft/${address}/${token}/owners`))).toEqual(own)
    const ofToken = await get<Stats>(`nft/${address}/${token}/stats`)
    expect([ofToken.total_tokens, ofToken.owners.current]).toEqual([line?.split(' ')[2] ?? '0', String(own.length)])
  }
  for (const wallet of wallets) {
    const own = held.filter((line) => line.includes(wallet))
    const page = await get<Page>(`0x${wallet}/nft?token_addresses=${address}&disable_total=false`)
    expect([linesOf(page), page.total]).toEqual([own, own.length])
  }
}

/** Expects all routes to return the same past state: pages and the rows of a snapshot. */
async function expectAt(collection: CollectionKey, block: number, transfers: readonly Transfer[]): Promise<void> {
  const held = holdings(transfers.filter((transfer) => blockOf(transfer) <= block))
  const ids = listed(held)
  const query = `as_of_block=${block}&disable_total=false`
  const list = await get<Page>(`nft/${collection.address}?${query}`)
  expect([linesOf(list), list.total]).toEqual([ids, ids.length])
  const owners = await get<Page>(`nft/${collection.address}/owners?${query}`)
  expect([linesOf(owners), owners.total]).toEqual([held, held.length])
  const rows = await api.db.transaction(async (tx) => {
    const all: HolderRow[] = []
    for await (const some of readHoldersAt(tx, { ...collection, standards: collection.standard }, BigInt(block)))
      all.push(...some)
    return all
  })
  expect(rows.map(([id, owner, amount]) => `${id} 0x${owner.toString('hex')} ${amount}`).sort()).toEqual(held)
}

test('behavior: all routes show the same balances, now and at earlier blocks, for any transfer history', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.nat(25), fc.nat(8), async (moves, middle, undone) => {
      const collection = await create()
      const transfers = transfersOf(moves)
      const blocks = [...Map.groupBy(transfers, blockOf)]
      for (const [block, own] of blocks)
        await api.db.transaction(async (tx) => {
          const undo = { chainId: 1n, number: BigInt(block) }
          await raiseVersions(tx, await storeTransfers(tx, [transferGroup(collection, own)], undo))
        })
      await updateAllWallets()
      await expectNow(collection, transfers)
      await expectAt(collection, 10 + middle, transfers)
      const fork = blockOf(transfers.at(-1)!) - undone
      await api.db.transaction(async (tx) => raiseVersions(tx, await revertTransfers(tx, 1n, BigInt(fork))))
      await updateAllWallets()
      const kept = transfers.filter((transfer) => blockOf(transfer) <= fork)
      await expectNow(collection, kept)
      await api.db.run('DELETE FROM token_undo')
    }),
    { numRuns: 5 * inject('rounds') },
  )
})

test('behavior: amounts sent by a creator that never received them are listed under their holder', async () => {
  const collection = await create()
  const [creator, buyer] = wallets as [string, string]
  const moved = { ...place, tokenId: '1', from: creator, to: buyer, amount: '5', position: positionOf(20, 0), item: 0 }
  await api.db.transaction(async (tx) =>
    raiseVersions(tx, await storeTransfers(tx, [transferGroup(collection, [moved])])),
  )
  await updateAllWallets()
  const { result } = await get<Page>(`nft/${collection.address}`)
  expect(result).toMatchObject([{ token_id: '1', owner_of: `0x${buyer}`, amount: '5', minter_address: null }])
  await expectNow(collection, [moved])
  await expectAt(collection, 20, [moved])
})
