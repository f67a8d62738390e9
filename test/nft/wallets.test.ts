import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Address, zeroAddress } from '../../src/util/hex.ts'
import { type Anvil, startAnvil, toTransaction } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { type NftPage, type NftRecord, startTestServer, type TestServer } from '../mintmark.ts'
import { patience } from '../patience.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { readTransfers } from '../readTransfers.ts'
import { byName, heldOf, type MoveRecord, nameOf, readHoldings, readMoves } from './holdings.ts'

let anvil: Anvil
let server: TestServer
let erc721: Address[]
let erc1155: Address[]
const random = createRandom(freshSeed())

beforeAll(async () => {
  process.stdout.write(`seed ${random.seed}\n`)
  anvil = await startAnvil({ slotsInAnEpoch: 4 })
  erc721 = [await anvil.deploy(plain721, ['Ones', 'ONE', '']), await anvil.deploy(plain721, ['Twos', 'TWO', ''])]
  erc1155 = [await anvil.deploy(plain1155, ['Many', 'MNY'])]
  await randomActivity(anvil, { erc721, erc1155 }, random, 25)
  server = await startTestServer({ rpc: [anvil.url] })
  const named = [...erc721, ...erc1155].map((address) => `token_addresses[]=${address}`).join('&')
  await request(anvil.accounts[0]!, named)
})
afterAll(async () => {
  await server?.close()
  await anvil?.stop()
})

async function request(wallet: Address, query = '', path = 'nft') {
  const response = await server.get(`/api/v2/${wallet}/${path}?chain=local&${query}`)
  const body = (await response.json()) as NftPage
  expect(response.status, JSON.stringify(body)).toBe(200)
  return { body, headers: response.headers }
}

async function walk(wallet: Address, query = ''): Promise<NftRecord[]> {
  const records: NftRecord[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: { body: NftPage } = await request(wallet, `${query}${cursor && `&cursor=${cursor}`}`)
    records.push(...body.result)
    cursor = body.cursor
  }
  return records
}

/** Waits until responses cover the head. */
async function untilCovered(): Promise<bigint> {
  const head = await anvil.blockNumber()
  await vi.waitFor(async () => {
    const { body, headers } = await request(anvil.accounts[0]!, 'limit=1')
    expect([body.status, headers.get('x-index-to-block'), headers.get('x-index-collections')]).toEqual([
      ...['SYNCED', String(head), '3'],
    ])
  }, patience)
  return head
}

/** Expects the holdings of every holder to match the chain. */
async function expectHoldings(): Promise<void> {
  await untilCovered()
  const holdings = await readHoldings(anvil, { erc721, erc1155 })
  for (const [holder, held] of holdings) {
    if (holder === zeroAddress) continue
    const records = await walk(holder, `limit=${1 + random.int(100)}`)
    expect(heldOf(records)).toEqual(held.toSorted(byName))
    expect(records.every(({ owner_of }) => owner_of === holder)).toBe(true)
    const { body } = await request(holder, 'token_counts=true', 'nft/collections')
    const counts = body.result as unknown as { token_address: Address; count: number }[]
    const grouped = Map.groupBy(held, ({ address }) => address)
    expect(new Map(counts.map(({ token_address, count }) => [token_address, count]))).toEqual(
      new Map([...grouped].map(([address, tokens]) => [address, tokens.length])),
    )
  }
  const nobody = anvil.accounts.find((account) => !holdings.has(account))
  if (nobody) expect(await walk(nobody)).toEqual([])
}

async function walkTransfers(wallet: Address, query: string): Promise<MoveRecord[]> {
  const records: MoveRecord[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await request(wallet, `${query}${cursor && `&cursor=${cursor}`}`, 'nft/transfers')
    records.push(...(body.result as unknown as MoveRecord[]))
    cursor = body.cursor
  }
  return records
}

test('behavior: transfers of a wallet match the logs, in both orders and between blocks', async () => {
  const head = await untilCovered()
  for (const wallet of [random.pick(anvil.accounts), random.pick(anvil.accounts)]) {
    const moves = await readMoves(anvil, [...erc721, ...erc1155], wallet)
    const between = (from: bigint, to: bigint) =>
      moves.filter(({ block_number }) => BigInt(block_number) >= from && BigInt(block_number) <= to)
    for (const limit of [7, 100]) {
      expect(await walkTransfers(wallet, `order=ASC&limit=${limit}`)).toMatchObject(moves)
      expect(await walkTransfers(wallet, `limit=${limit}`)).toMatchObject(moves.toReversed())
      const [from, to] = [head / 3n, (2n * head) / 3n]
      const some = await walkTransfers(wallet, `order=ASC&from_block=${from}&to_block=${to}&limit=${limit}`)
      expect(some).toMatchObject(between(from, to))
    }
    const { body } = await request(wallet, 'disable_total=false&format=hex', 'nft/transfers')
    expect(body.total).toBe(moves.length)
    expect(body.result.every(({ token_id }) => /^0x/.test(token_id))).toBe(true)
  }
})

test('behavior: every wallet matches the contracts across random activity and reorganisations', async () => {
  await expectHoldings()
  for (let round = 0; round < 3; round++) {
    await randomActivity(anvil, { erc721, erc1155 }, random, 4)
    const mint = {
      ...{ to: random.pick(erc721), abi: plain721.abi, functionName: 'mint' },
      args: [anvil.accounts[0]!, random.uint256()],
    }
    await anvil.reorg(1 + random.int(4), [[toTransaction(mint), 0]])
    await anvil.mine(1)
  }
  await expectHoldings()
})

test.each([3, 100])(
  'behavior: paging with limit %i returns each remaining token exactly once while others are minted and moved',
  async (limit) => {
    const head = await untilCovered()
    const [wallet, before] = [...(await readHoldings(anvil, { erc721, erc1155 }))].toSorted(
      ([, a], [, b]) => b.length - a.length,
    )[0]!
    let moving = true
    const activity = (async () => {
      while (moving) await randomActivity(anvil, { erc721, erc1155 }, random, 2)
    })()
    const records = await walk(wallet, `limit=${limit}`)
    moving = false
    await activity
    const given = heldOf(records).map(nameOf)
    expect(given).toEqual([...new Set(given)])
    const moved = new Set<string>()
    for (const address of [...erc721, ...erc1155])
      for (const { tokenId, block } of await readTransfers(anvil.url, address, await anvil.blockNumber()))
        if (block > head) moved.add(nameOf({ address, tokenId: String(tokenId) }))
    const stayed = before.map(nameOf).filter((name) => !moved.has(name))
    expect(stayed.filter((name) => !given.includes(name))).toEqual([])
    expect(given.length).toBeGreaterThan(0)
  },
)
