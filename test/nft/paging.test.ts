import { zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { type NftRecord, startTestServer, type TestServer } from '../mintmark.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { readTransfers } from '../readTransfers.ts'

let anvil: Anvil
let server: TestServer
let erc721: Address
let erc1155: Address
const random = createRandom(freshSeed())

beforeAll(async () => {
  process.stdout.write(`seed ${random.seed}\n`)
  anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const [holder] = anvil.accounts as [Address]
  erc721 = await anvil.deploy(plain721, ['Paged', 'PGD', ''])
  erc1155 = await anvil.deploy(plain1155, ['Paged', 'PGD'])
  for (let i = 0n; i < 3n; i++)
    await anvil.send({ to: erc721, abi: plain721.abi, functionName: 'mintBatch', args: [holder, i * 100n, 100n] })
  await anvil.mine(10)
  server = await startTestServer({ rpc: [anvil.url] })
  await server.untilSynced(erc721, await anvil.blockNumber())
  await server.untilSynced(erc1155, await anvil.blockNumber())
})
afterAll(async () => {
  await server?.close()
  await anvil?.stop()
})

const ids = (records: readonly NftRecord[]) => records.map((record) => record.token_id)

function expectOrdered(records: readonly NftRecord[]): void {
  const hashes = records.map((record) => record.token_hash)
  expect(hashes).toEqual([...new Set(hashes)].sort().reverse())
}

/**
 * Walks through the pages while the chain changes. Returns the records of all pages, and the ids of tokens that existed the whole time.
 * A token with burned units may have been absent for a while.
 */
async function walkWhileMoving(address: Address, query: Record<string, string | number>) {
  const before = new Set(ids(await server.walk(address)))
  const from = await anvil.blockNumber()
  let moving = true
  const activity = (async () => {
    while (moving) await randomActivity(anvil, { erc721: [erc721], erc1155: [erc1155] }, random, 2)
  })()
  const records = await server.walk(address, query)
  moving = false
  await activity
  await server.untilSynced(address, await anvil.blockNumber())
  const after = new Set(ids(await server.walk(address)))
  const transfers = await readTransfers(anvil.url, address, await anvil.blockNumber())
  const burns = transfers.filter(({ block, to }) => block > from && to === zeroAddress)
  const burned = new Set(burns.map(({ tokenId }) => String(tokenId)))
  return { records, stayed: [...before].filter((id) => after.has(id) && !burned.has(id)) }
}

test.each([3, 100])(
  'behavior: paging with limit %i returns each remaining token exactly once while others are minted and moved',
  async (limit) => {
    for (const address of [erc721, erc1155]) {
      const { records, stayed } = await walkWhileMoving(address, { limit })
      expectOrdered(records)
      const given = new Set(ids(records))
      expect(stayed.filter((id) => !given.has(id))).toEqual([])
    }
  },
)

test('behavior: ranges of any totalRanges are disjoint, nearly equal and together complete', async () => {
  const all = await server.walk(erc721)
  for (const totalRanges of [1, 2, 3, 7, 16]) {
    const parts: NftRecord[][] = []
    for (let range = 0; range < totalRanges; range++) {
      const part = await server.walk(erc721, { totalRanges, range, limit: 20 })
      const { body } = await server.page(erc721, { totalRanges, range, disable_total: false })
      expectOrdered(part)
      expect(body.total).toBe(part.length)
      parts.push(part)
    }
    expect(ids(parts.reverse().flat())).toEqual(ids(all))
    const even = all.length / totalRanges
    for (const part of parts) expect(Math.abs(part.length - even)).toBeLessThan(6 * Math.sqrt(even) + 1)
  }
})

test('behavior: a cursor continues at its position with the filters of its first page', async () => {
  const first = await server.page(erc721, { limit: 5, format: 'hex', disable_total: false })
  const second = await server.page(erc721, { cursor: first.body.cursor! })
  expect(second.body).toMatchObject({ page: 1, page_size: 5, total: first.body.total })
  expect(second.body.result[0]!.token_id).toMatch(/^0x(0|[1-9a-f][0-9a-f]*)$/)
  const rejected = await server.get(
    `/api/v2/nft/${erc721}?chain=local&limit=6&cursor=${encodeURIComponent(first.body.cursor!)}`,
  )
  expect(rejected.status).toBe(400)
  expect(((await rejected.json()) as { message: string }).message).toContain('limit')
})

test('behavior: hex and decimal formats return the same token ids', async () => {
  const decimal = await server.walk(erc1155)
  const hex = await server.walk(erc1155, { format: 'hex' })
  expect(hex.map((record) => String(BigInt(record.token_id)))).toEqual(ids(decimal))
})

test('behavior: returns one token by its id, and 404 for a missing token', async () => {
  const [record] = (await server.page(erc721, { limit: 1 })).body.result
  const one = await server.get(`/api/v2/nft/${erc721}/${record!.token_id}?chain=local`)
  expect(await one.json()).toEqual(record)
  const none = await server.get(`/api/v2/nft/${erc721}/${2n ** 255n}?chain=local`)
  expect(none.status).toBe(404)
})

test('behavior: total on the last page equals the number of tokens that paging returned', async () => {
  for (const limit of [7, 100]) {
    let cursor: string | null = ''
    let walked = 0
    while (cursor !== null) {
      const { body }: { body: Awaited<ReturnType<TestServer['page']>>['body'] } = await server.page(erc721, {
        limit,
        disable_total: false,
        ...(cursor && { cursor }),
      })
      walked += body.result.length
      cursor = body.cursor
      if (cursor === null) {
        expect(body.total).toBe(walked)
        expect(body.total).toBeLessThanOrEqual(body.page_size * (body.page + 1))
      } else expect(body.total).toBeGreaterThan(walked)
    }
  }
})
