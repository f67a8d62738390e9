import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Address, type Hex, zeroAddress } from '../../src/util/hex.ts'
import { type Anvil, startAnvil, toTransaction } from '../anvil.ts'
import { emitter } from '../contracts/artifacts/emitter.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { transferLogs } from '../contracts/transferLogs.ts'
import { postJsonRpc } from '../jsonRpc.ts'
import { type NftPage, type NftRecord, startTestServer, type TestServer } from '../mintmark.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { system } from '../system.ts'
import { readBalances, readTruth, type TrueRecord, type TruthOptions } from '../truth.ts'
import { ownedPart } from './ownership.ts'

let anvil: Anvil
let server: TestServer
let erc721: Address
let erc1155: Address
const random = createRandom(freshSeed())

beforeAll(async () => {
  process.stdout.write(`seed ${random.seed}\n`)
  anvil = await startAnvil({ slotsInAnEpoch: 4 })
  await anvil.mine(20)
  erc721 = await anvil.deploy(plain721, ['Then', 'THN', ''])
  erc1155 = await anvil.deploy(plain1155, ['Then', 'THN'])
  await randomActivity(anvil, { erc721: [erc721], erc1155: [erc1155] }, random, 25)
  server = await startTestServer({ rpc: [anvil.url] })
  await synced()
})
afterAll(async () => {
  await server?.close()
  await anvil?.stop()
})

async function synced(): Promise<bigint> {
  const head = await anvil.blockNumber()
  for (const address of [erc721, erc1155]) await server.untilSynced(address, head)
  return head
}

async function hashOf(block: bigint): Promise<Hex> {
  const params = [`0x${block.toString(16)}`, false]
  const [found] = await postJsonRpc(anvil.url, [{ method: 'eth_getBlockByNumber', params }])
  return (found as { hash: Hex }).hash
}

/** Compares every record at the end of a block with the chain's own state. */
async function expectTruthAt(address: Address, block: bigint, options?: TruthOptions): Promise<NftRecord[]> {
  const records = await server.walk(address, { as_of_block: String(block), limit: 1 + random.int(100) })
  expect(records.map(ownedPart), `block ${block}`).toEqual(await readTruth(anvil.url, address, block, options))
  return records
}

async function rejected(address: Address, asOf: string, more = ''): Promise<{ status: number; message: string }> {
  const answer = await server.get(`/api/v2/nft/${address}?chain=local&as_of_block=${encodeURIComponent(asOf)}${more}`)
  const body = (await answer.json()) as { message: string }
  return { status: answer.status, message: body.message }
}

test('behavior: tokens at any block match the contract at that block, and the current list at the head', async () => {
  for (let round = 0; round < 2; round++) {
    const head = await synced()
    for (const address of [erc721, erc1155]) {
      const blocks = [0n, 20n, head, head - 1n, ...Array.from({ length: 5 }, () => BigInt(random.int(Number(head))))]
      for (const block of blocks) await expectTruthAt(address, block)
      const now = await server.walk(address)
      expect((await expectTruthAt(address, head)).map(ownedPart)).toEqual(now.map(ownedPart))
    }
    await randomActivity(anvil, { erc721: [erc721], erc1155: [erc1155] }, random, 8)
  }
})

test('behavior: the response contains the hash of the requested block, whether it is final or at the head', async () => {
  const head = await synced()
  for (const block of [0n, 3n, 21n, head - 3n, head]) {
    const { headers } = await server.page(erc721, { as_of_block: `0x${block.toString(16)}` })
    expect(headers.get('x-as-of-block-hash'), `block ${block}`).toBe(await hashOf(block))
  }
  expect((await server.page(erc721)).headers.get('x-as-of-block-hash')).toBe(null)
})

test('behavior: returns one token as of a block, and 404 if it was not listed then', async () => {
  const head = await synced()
  const block = head - BigInt(random.int(15))
  for (const address of [erc721, erc1155]) {
    const [record] = await server.walk(address, { as_of_block: String(block) })
    const path = `/api/v2/nft/${address}/${record!.token_id}?chain=local&as_of_block=`
    const one = await server.get(path + block)
    expect(ownedPart((await one.json()) as NftRecord)).toEqual(ownedPart(record!))
    expect(one.headers.get('x-as-of-block-hash')).toBe(await hashOf(block))
    // Metadata that is fetched meanwhile may change the record once.
    const again = async () => {
      const etag = (await server.get(path + block)).headers.get('etag')!
      const headers = { 'x-api-key': 'key-of-this-test-0815', 'if-none-match': etag }
      const repeated = await fetch(server.url + path + block, { headers })
      return [repeated.status, repeated.headers.get('x-as-of-block-hash')]
    }
    await expect.poll(again).toEqual([304, await hashOf(block)])
    const before = await server.get(`${path}20`)
    expect(before.status).toBe(404)
    expect(((await before.json()) as { message: string }).message).toContain('was not listed')
  }
})

async function walkOwners(path: string, query: string): Promise<NftRecord[]> {
  const records: NftRecord[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await server.get(`/api/v2/nft/${path}/owners?chain=local&${query}${cursor && `&cursor=${cursor}`}`)
    const body = (await answer.json()) as NftPage
    expect(answer.status, JSON.stringify(body)).toBe(200)
    expect(answer.headers.get('x-as-of-block-hash')).toMatch(/^0x[0-9a-f]{64}$/)
    records.push(...body.result)
    cursor = body.cursor
    if (cursor === null && query.includes('disable_total=false')) expect(body.total).toBe(records.length)
    else if (query.includes('disable_total=false')) expect(body.total).toBeGreaterThan(records.length)
  }
  return records
}

const holding = ({ token_id, owner_of, amount }: NftRecord) => `${token_id} ${owner_of} ${amount}`

test('behavior: owners of a contract and of a token at a block match the contract', async () => {
  const head = await synced()
  for (const block of [20n, head, ...Array.from({ length: 3 }, () => BigInt(random.int(Number(head))))]) {
    const balances = await readBalances(anvil.url, erc1155, block)
    const expected = balances.map(({ tokenId, holder, amount }) => `${tokenId} ${holder} ${amount}`)
    const owners = await walkOwners(erc1155, `as_of_block=${block}&limit=${1 + random.int(20)}&disable_total=false`)
    expect(owners.map(holding).sort()).toEqual(expected.sort())
    const order = owners.map(({ token_hash, owner_of }) => `${token_hash.replace(/./g, complement)} ${owner_of}`)
    expect(order).toEqual(order.toSorted())
    const tokens = await server.walk(erc721, { as_of_block: String(block) })
    expect((await walkOwners(erc721, `as_of_block=${block}&limit=30`)).map(holding)).toEqual(tokens.map(holding))
    for (const [address, all] of [
      [erc1155, owners],
      [erc721, tokens],
    ] as const) {
      if (all.length === 0) continue
      const { token_id } = random.pick(all)
      const own = await walkOwners(`${address}/${token_id}`, `as_of_block=${block}&limit=2&disable_total=false`)
      expect(own.map(holding)).toEqual(all.filter((record) => record.token_id === token_id).map(holding))
    }
  }
})

/** A hex digit that sorts in reverse order. */
const complement = (digit: string) => (15 - Number.parseInt(digit, 16)).toString(16)

test('behavior: ranges, totals, hex ids and cursors of an earlier state match its full list', async () => {
  const head = await synced()
  const block = String(head - BigInt(random.int(10)))
  for (const address of [erc721, erc1155]) {
    const all = await server.walk(address, { as_of_block: block })
    const parts: NftRecord[][] = []
    for (let range = 0; range < 3; range++) {
      const query = { as_of_block: block, totalRanges: 3, range }
      const part = await server.walk(address, { ...query, limit: 7 })
      const first = (await server.page(address, { ...query, limit: 1, disable_total: false })).body
      expect(first.total).toBe(part.length)
      parts.push(part)
    }
    expect(parts.reverse().flat().map(ownedPart)).toEqual(all.map(ownedPart))
    const first = (await server.page(address, { as_of_block: block, limit: 2, format: 'hex', disable_total: false }))
      .body
    const second = (await server.page(address, { cursor: first.cursor!, as_of_block: block })).body
    expect(second).toMatchObject({ page: 1, page_size: 2, total: all.length })
    const ids = [...first.result, ...second.result].map(({ token_id }) => token_id)
    expect(ids).toEqual(all.slice(0, 4).map(({ token_id }) => `0x${BigInt(token_id).toString(16)}`))
    const other = await rejected(address, String(BigInt(block) - 1n), `&cursor=${first.cursor}`)
    expect(other).toMatchObject({ status: 400, message: expect.stringContaining('as_of_block') })
  }
})

test('behavior: pages of an earlier state stay the same while the chain moves on', async () => {
  const head = await synced()
  const before = new Map<Address, TrueRecord[]>()
  for (const address of [erc721, erc1155])
    before.set(address, (await server.walk(address, { as_of_block: String(head) })).map(ownedPart))
  let moving = true
  const activity = (async () => {
    while (moving) await randomActivity(anvil, { erc721: [erc721], erc1155: [erc1155] }, random, 2)
  })()
  try {
    for (const address of [erc721, erc1155])
      for (const limit of [1 + random.int(5), 30]) {
        const records = await server.walk(address, { as_of_block: String(head), limit })
        expect(records.map(ownedPart)).toEqual(before.get(address))
      }
  } finally {
    moving = false
    await activity
  }
})

test(
  'behavior: earlier states are correct for contracts that re-mint, move unowned tokens or burn missing ones',
  system,
  async () => {
    const [alice, bob] = anvil.accounts as [Address, Address]
    const to = await anvil.deploy(emitter, [])
    const steps = [
      [transferLogs.erc721(zeroAddress, alice, 1n), transferLogs.erc721(zeroAddress, alice, 2n)],
      [transferLogs.erc721(bob, alice, 3n), transferLogs.erc721(zeroAddress, bob, 1n)],
      [transferLogs.erc721(alice, zeroAddress, 1n), transferLogs.erc721(bob, zeroAddress, 9n)],
      [transferLogs.erc721(zeroAddress, bob, 1n), transferLogs.erc721(alice, zeroAddress, 2n)],
      [transferLogs.erc721(bob, zeroAddress, 1n), transferLogs.erc721(bob, alice, 1n)],
    ]
    const blocks: bigint[] = []
    for (const logs of steps) {
      await anvil.send({ to, abi: emitter.abi, functionName: 'emitLogs', args: [logs] } as never)
      blocks.push(await anvil.blockNumber())
    }
    await server.untilSynced(to, blocks.at(-1))
    for (const block of blocks) await expectTruthAt(to, block, { ownership: 'logs' })
    const last = await server.walk(to, { as_of_block: String(blocks.at(-1)) })
    expect(last.map(ownedPart)).toEqual((await server.walk(to)).map(ownedPart))
  },
)

test('behavior: a reorganisation below the block changes the returned hash, and an old cursor gets 409', async () => {
  const [holder] = anvil.accounts as [Address]
  const mint = (id: bigint) => ({ to: erc721, abi: plain721.abi, functionName: 'mint', args: [holder, id] }) as const
  for (let i = 0n; i < 3n; i++) await anvil.send(mint(random.uint256()))
  const head = await synced()
  const query = { as_of_block: String(head), limit: 1 }
  const first = await server.page(erc721, query)
  const token = random.uint256()
  // The same height, so only the hash reveals the change.
  await anvil.reorg(2, [[toTransaction(mint(token)), 0]])
  await anvil.mine(1)
  await expect
    .poll(async () => (await server.page(erc721, query)).headers.get('x-as-of-block-hash'))
    .toBe(await hashOf(head))
  expect(first.headers.get('x-as-of-block-hash')).not.toBe(await hashOf(head))
  const records = await expectTruthAt(erc721, head)
  expect(records.some(({ token_id }) => BigInt(token_id) === token)).toBe(true)
  const answer = await rejected(erc721, String(head), `&cursor=${first.body.cursor}`)
  expect(answer.status).toBe(409)
  expect(answer.message).toContain(await hashOf(head))
})

test('error: rejects an as_of_block that is not a block number or is not covered', async () => {
  const head = await synced()
  for (const text of ['', '-1', '1.5', 'latest', '0x', '1e3', '0xzz', '9'.repeat(30), '8796093022208', '1,2']) {
    const answer = await rejected(erc721, text)
    expect(answer, text).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^as_of_block is .*allowed: the number of a block/),
    })
  }
  const above = await rejected(erc721, String(head + 100_000n))
  expect(above).toMatchObject({
    status: 400,
    message: expect.stringMatching(/not known; allowed: a block from 0 to \d+$/),
  })
  const unasked = await server.get(`/api/v2/nft/0x${'77'.repeat(20)}?chain=local&as_of_block=1`)
  expect(unasked.status).toBe(400)
  expect(unasked.headers.get('x-index-status')).toBe('queued')
  expect(((await unasked.json()) as { message: string }).message).toContain('none yet')
})
