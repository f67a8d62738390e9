import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { createRandom } from '../../../../test/random.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { seedPartitionLeases, seedWorker } from '../../../../test/seedLease.ts'
import { buildNextPart, requestHolders } from '../../../nft/holders/buildHolders.ts'
import { storeTransfers } from '../../../nft/store/storeTransfers.ts'
import { positionOf } from '../../../nft/transfers/position.ts'
import { zeroAddress } from '../../../nft/transfers/transfer.ts'
import { transferGroup } from '../../../nft/transfers/transferGroup.ts'
import type { Address } from '../../../util/hex.ts'

type Holding = { owner: Address; tokenId: bigint; amount: bigint }
type Move = { block: number; from: string; to: string; tokenId: bigint; amount: bigint }
type Holder = { owner_of: Address; amount: string; tokens: number; percentage: number }
type Body = { result: Holder[]; total: number; cursor: string | null; page: number; page_size: number; message: string }

const owner = (n: number) => (n + 1).toString(16).padStart(40, '0')
const random = createRandom(7)

/** Mints, then moves of random tokens, some back to the previous owner, burns, and amounts beyond 64 bits. */
function randomMoves(standard: 'ERC721' | 'ERC1155'): Move[] {
  const moves: Move[] = []
  for (let id = 0n; id < 60n; id++) {
    const amount = standard === 'ERC721' ? 1n : id === 3n ? 2n ** 200n : BigInt(1 + random.int(5))
    moves.push({ block: 10, from: zeroAddress, to: owner(random.int(25)), tokenId: id, amount })
  }
  for (let block = 11; block < 60; block++) {
    const [{ owner: from, tokenId, amount }] = [random.pick(held(moves))]
    const to = random.chance(0.1) ? zeroAddress : owner(random.int(25))
    moves.push({
      block,
      from: from.slice(2),
      to,
      tokenId,
      amount: standard === 'ERC721' ? 1n : 1n + (amount - 1n) / 2n,
    })
  }
  return moves
}

/** The holdings after the moves up to a block. */
function held(moves: readonly Move[], block = 1_000): Holding[] {
  const balances = new Map<string, bigint>()
  const add = (holder: string, id: bigint, amount: bigint) => {
    if (holder !== zeroAddress) balances.set(`0x${holder} ${id}`, (balances.get(`0x${holder} ${id}`) ?? 0n) + amount)
  }
  for (const { from, to, tokenId, amount } of moves.filter((move) => move.block <= block)) {
    add(from, tokenId, -amount)
    add(to, tokenId, amount)
  }
  return [...balances]
    .filter(([, amount]) => amount > 0n)
    .map(([key, amount]) => ({ owner: key.split(' ')[0] as Address, tokenId: BigInt(key.split(' ')[1]!), amount }))
}

/** The expected list of holders, by amount. */
function holdersOf(moves: readonly Move[], block?: number): Omit<Holder, 'percentage'>[] {
  const byOwner = Map.groupBy(held(moves, block), ({ owner }) => owner)
  const holders = Array.from(byOwner, ([owner_of, all]) => ({
    owner_of,
    amount: all.reduce((sum, { amount }) => sum + amount, 0n),
    tokens: all.length,
  }))
  holders.sort((a, b) => (a.amount === b.amount ? (a.owner_of < b.owner_of ? -1 : 1) : a.amount > b.amount ? -1 : 1))
  return holders.map((holder) => ({ ...holder, amount: String(holder.amount) }))
}

const kinds = [
  { standard: 'ERC721', kept: false },
  { standard: 'ERC1155', kept: false },
  { standard: 'ERC721', kept: true },
  { standard: 'ERC1155', kept: true },
] as const

/** `kept`: the database stores the holders. */
const seeds = kinds.map(({ standard, kept }, i) => ({
  ...{ standard, kept },
  how: kept ? 'kept' : 'listed',
  address: `0x${(i + 1).toString().repeat(40)}` as Address,
  moves: randomMoves(standard),
}))

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ config: { pageCache: { freshMs: 0 } } })
  const worker = await seedWorker(api.db)
  await seedPartitionLeases(api.db, worker)
  for (const { standard, kept, address, moves } of seeds) {
    const key = await seedCollection(api.db, { address, columns: { standard, from_block: 0n } })
    const collection = { ...key, chainId: 1n, address, standard, idInData: false }
    const transfers = moves.map(({ block, from, to, tokenId, amount }, i) => ({
      ...{ position: positionOf(block, i), item: 0, tokenId: String(tokenId), from, to, amount: String(amount) },
      ...{ operator: standard === 'ERC1155' ? 'ee'.repeat(20) : null, transactionHash: 'ab'.repeat(32) },
      ...{ transactionIndex: 0, blockHash: block.toString(16).padStart(64, '0'), blockTime: 1_700_000_000 + block },
    }))
    if (kept) await requestHolders(api.db, key)
    await api.db.transaction((tx) => storeTransfers(tx, [transferGroup(collection, transfers)]))
    while ((await buildNextPart(api.db, key, worker)) === 'moved');
  }
  await api.db.run(
    `INSERT INTO block (chain_id, number, hash, parent_hash, timestamp)
     SELECT 1, n, decode(lpad(to_hex(n), 64, '0'), 'hex'), '\\x00', 0 FROM generate_series(1, 1000) n`,
  )
})
afterAll(() => api.drop())

async function request(address: Address, query = '', route = 'holders') {
  const response = await api.get(`/api/v2/nft/${address}/${route}?${query}`)
  return { status: response.status, body: (await response.json()) as Body }
}

async function walk(address: Address, query: string): Promise<Holder[]> {
  const all: Holder[] = []
  let cursor: string | null = ''
  do {
    const { status, body }: { status: number; body: Body } = await request(
      address,
      `${query}${cursor && `&cursor=${cursor}`}`,
    )
    expect(status, JSON.stringify(body)).toBe(200)
    all.push(...body.result)
    cursor = body.cursor
    // A published client requests more while total is above page_size × (page + 1).
    if (cursor === null) expect(body.total).toBe(all.length)
    else expect(body.total).toBeGreaterThan(all.length)
  } while (cursor !== null)
  return all
}

const shown = ({ percentage: _, ...holder }: Holder) => holder

test.each(seeds)(
  'default: lists holders of an $standard ($how) by amount, in pages of any size, now and at a block',
  async ({ address, moves }) => {
    const truth = holdersOf(moves)
    for (const limit of [1, 7, 1_000]) expect((await walk(address, `limit=${limit}`)).map(shown)).toEqual(truth)
    for (const block of [10, 30, 59]) {
      const then = await walk(address, `limit=9&as_of_block=${block}`)
      expect(then.map(shown), String(block)).toEqual(holdersOf(moves, block))
    }
    const all = await walk(address, 'limit=1000')
    const units = truth.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
    for (const { amount, percentage } of all)
      expect(percentage).toBeCloseTo(Number((BigInt(amount) * 10n ** 12n) / units) / 10 ** 10, 6)
  },
)

test.each(seeds)(
  'default: lists holders by address, and those of an $standard ($how) with at least min_amount',
  async ({ address, moves }) => {
    const byAddress = holdersOf(moves).toSorted((a, b) => (a.owner_of < b.owner_of ? -1 : 1))
    expect((await walk(address, 'order=address&limit=4')).map(shown)).toEqual(byAddress)
    const rich = holdersOf(moves).filter(({ amount }) => BigInt(amount) >= 3n)
    expect((await walk(address, 'min_amount=3&limit=2')).map(shown)).toEqual(rich)
    expect((await request(address, 'min_amount=3&limit=1')).body.total).toBe(rich.length)
  },
)

test.each(seeds)(
  'default: getOwnersForContract lists the owners of an $standard ($how)',
  async ({ address, moves }) => {
    const truth = holdersOf(moves).toSorted((a, b) => (a.owner_of < b.owner_of ? -1 : 1))
    for (const query of ['pageSize=4', 'pageSize=50000', 'pageSize=4&withTokenBalances=true']) {
      const owners: (Address | { ownerAddress: Address; tokenBalances: object[] })[] = []
      let pageKey: string | null = ''
      do {
        const target = `/alchemy/eth-mainnet/nft/v3/-/getOwnersForContract?contractAddress=${address}&${query}${pageKey && `&pageKey=${pageKey}`}`
        const body = (await (await api.get(target)).json()) as Pick<Body, 'message'> & {
          owners: typeof owners
          totalCount: number
          pageKey: string | null
        }
        expect(body.totalCount, JSON.stringify(body)).toBe(truth.length)
        owners.push(...body.owners)
        pageKey = body.pageKey
      } while (pageKey !== null)
      const found = owners.map((owner) =>
        typeof owner === 'string' ? owner : [owner.ownerAddress, owner.tokenBalances.length],
      )
      const isPlain = !query.includes('true')
      expect(found).toEqual(truth.map(({ owner_of, tokens }) => (isPlain ? owner_of : [owner_of, tokens])))
    }
  },
)

test.each(['withTokenBalances=false', 'withTokenBalances=true'])(
  'error: getOwnersForContract (%s) rejects a pageKey of a block that a reorganisation replaced, as holders rejects its cursor',
  async (query) => {
    const { address } = seeds[1]!
    const owners = `/alchemy/eth-mainnet/nft/v3/-/getOwnersForContract?contractAddress=${address}&block=30&pageSize=4&${query}`
    const read = async (target: string) => {
      const response = await api.get(target)
      return { status: response.status, body: (await response.json()) as Body & { pageKey: string; error: object } }
    }
    const first = await request(address, 'as_of_block=30&limit=4')
    const { pageKey } = (await read(owners)).body
    expect((await read(`${owners}&pageKey=${pageKey}`)).status).toBe(200)
    await api.db.run(`UPDATE block SET hash = '\\x${'77'.repeat(32)}' WHERE number = 30`)
    const second = await request(address, `cursor=${first.body.cursor}`)
    const answered = await read(`${owners}&pageKey=${pageKey}`)
    await api.db.run(`UPDATE block SET hash = decode(lpad(to_hex(number), 64, '0'), 'hex') WHERE number = 30`)
    expect([second.status, second.body.message]).toEqual([409, expect.stringMatching(/^cursor belongs to block 30 /)])
    expect(answered).toEqual({
      status: 409,
      body: { error: { message: second.body.message.replaceAll('cursor', 'pageKey') } },
    })
  },
)

test('behavior: paging continues with the current holders after a change, without skipping or repeating unchanged ones', async () => {
  const { address, moves } = seeds[0]!
  const first = (await request(address, 'limit=3')).body
  const [last] = holdersOf(moves).toReversed()
  await api.db.run(`UPDATE token SET amount = 0, owner = NULL WHERE owner = decode($1, 'hex')`, [
    last!.owner_of.slice(2),
  ])
  await api.db.run(`UPDATE collection SET version = version + 1 WHERE address = decode($1, 'hex')`, [address.slice(2)])
  const rest = await request(address, `cursor=${first.cursor}&limit=3`)
  const after = await walk(address, `limit=1000`)
  expect([...first.result, ...rest.body.result].map(shown)).toEqual(after.slice(0, 6).map(shown))
  expect(after.map(({ owner_of }) => owner_of)).not.toContain(last!.owner_of)
})

test.each([
  ['limit=1001', 'limit is "1001"'],
  ['limit=0', 'limit is "0"'],
  ['order=age', 'allowed: amount or address'],
  ['min_amount=-1', 'min_amount is "-1"'],
  ['as_of_block=99999', 'as_of_block is 99999'],
  ['cursor=x', 'cursor is not a cursor'],
])('error: %s', async (query, message) => {
  const { status, body } = await request(seeds[0]!.address, query)
  expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
})

test('default: a proof matches the published Merkle tree, for each token and by default for the first one', async () => {
  const { address, moves } = seeds[1]!
  await api.db.run('UPDATE chain SET finalized_number = 40')
  const rows = held(moves, 40).map(({ owner, tokenId, amount }) => [owner, String(tokenId), String(amount)])
  const tree = StandardMerkleTree.of(rows, ['address', 'uint256', 'uint256'])
  for (const [holder, tokenId, amount] of rows.slice(0, 12)) {
    const { status, body } = await request(address, `holder=${holder}&token_id=${tokenId}`, 'snapshot/proof')
    expect(status, JSON.stringify(body)).toBe(200)
    const place = rows.findIndex(([owner, id]) => owner === holder && id === tokenId)
    expect(body).toMatchObject({
      ...{ root: tree.root, leaf: tree.leafHash(rows[place]!), proof: tree.getProof(place) },
      ...{ holder, token_id: tokenId, amount, block: '40' },
    })
  }
  const holder = rows[0]![0]!
  const ids = rows.filter(([owner]) => owner === holder).map(([, id]) => Number(id))
  const first = await request(address, `holder=${holder}&as_of_block=40`, 'snapshot/proof')
  expect(first.body).toMatchObject({
    token_ids: ids.toSorted((a, b) => a - b).map(String),
    token_id: String(Math.min(...ids)),
  })
})

test('error: rejects a proof for a non-holder, for a token not held, or at a block that is not covered', async () => {
  const { address, moves } = seeds[1]!
  const [first] = held(moves, 40)
  for (const [query, status] of [
    [`holder=0x${'99'.repeat(20)}`, 404],
    [`holder=${first!.owner}&token_id=5000`, 404],
    [`holder=${first!.owner}&as_of_block=99999`, 400],
    ['holder=0x1', 400],
    ['', 400],
  ] as const)
    expect((await request(address, query, 'snapshot/proof')).status, query).toBe(status)
})
