import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { type OpenSource, openSource } from '../../../../test/evmSource.ts'
import { createRpcServer, RpcFailure, type RpcHandler, type RpcServer } from '../../../../test/rpcServer.ts'
import { createScriptedNode } from '../../../../test/scriptedNode.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { raiseVersions } from '../../../nft/store/collectionStore.ts'
import { storeTransfers } from '../../../nft/store/storeTransfers.ts'
import { positionOf } from '../../../nft/transfers/position.ts'
import { zeroAddress } from '../../../nft/transfers/transfer.ts'
import { transferGroup } from '../../../nft/transfers/transferGroup.ts'
import type { OpenChain, OpenChains } from '../../../sync/openChains.ts'
import type { Address } from '../../../util/hex.ts'

const headBlock = 500
const node = createScriptedNode({ blocks: headBlock + 1 })
const truth = node.handler()
let answer: RpcHandler = truth
let server: RpcServer
let opened: OpenSource
let api: TestApi
let addresses = 0

beforeAll(async () => {
  server = await createRpcServer((call, exchange) => answer(call, exchange))
  opened = openSource([server], { finalityDepth: 10 } as object)
  const openChains: OpenChains = {
    ids: [1n],
    open: async () => ({ source: opened.source }) as OpenChain,
    distrust: () => undefined,
    endpoints: () => undefined,
    close: async () => undefined,
  }
  api = await createTestApi({ openChains, config: { pageCache: { freshMs: 0 } } })
})
afterAll(async () => {
  await api?.drop()
  await opened?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})
beforeEach(() => {
  answer = truth
})

const timeOf = (block: number) => 1_700_000_000 + block * 12
const iso = (seconds: number) => new Date(seconds * 1_000).toISOString()

type Record = { [name: string]: unknown; block_number: string; block_timestamp: string; token_id: string }
type Page = { total: number | null; page: number; cursor: string | null; result: Record[]; message?: string }

/** Makes a contract that minted a token in each of these blocks. Times are stored if `timed`. */
async function seedTransfers(blocks: readonly number[], timed: boolean): Promise<Address> {
  const address: Address = `0x${(++addresses).toString(16).padStart(40, 'a')}`
  const key = await seedCollection(api.db, { address, columns: { from_block: 0n } })
  const collection = { ...key, chainId: 1n, address, standard: 'ERC721', idInData: false } as const
  const transfers = blocks.map((block, i) => ({
    ...{ position: positionOf(block, 3), item: 0, tokenId: String(i + 1), from: zeroAddress, to: '11'.repeat(20) },
    ...{ amount: '1', operator: null, transactionHash: 'ab'.repeat(32), transactionIndex: 2 },
    ...{ blockHash: node.blocks[block]!.hash.slice(2), blockTime: timed ? timeOf(block) : null },
  }))
  await api.db.transaction(async (tx) =>
    raiseVersions(tx, await storeTransfers(tx, [transferGroup(collection, transfers)])),
  )
  return address
}

async function get(path: string, query: { [name: string]: string } = {}): Promise<Page & { status: number }> {
  const response = await api.get(`/api/v2/nft/${path}?${new URLSearchParams(query)}`)
  return { ...((await response.json()) as Page), status: response.status }
}

const numbers = ({ result }: Page) => result.map(({ block_number }) => Number(block_number))

test('default: lists the transfers of a contract, latest first, with every field of the client’s type', async () => {
  const address = await seedTransfers([7, 9, 30], true)
  const page = await get(`${address}/transfers`, { limit: '2', disable_total: 'false' })
  expect(page).toMatchObject({ total: 3, page: 0, page_size: 2, status: 200 })
  expect(page.result[0]).toEqual({
    ...{ token_id: '3', token_address: address, contract_type: 'ERC721', verified: false, possible_spam: false },
    ...{
      from_address: `0x${zeroAddress}`,
      to_address: `0x${'11'.repeat(20)}`,
      amount: '1',
      operator: null,
      value: null,
    },
    ...{ block_number: '30', block_hash: node.blocks[30]!.hash, block_timestamp: iso(timeOf(30)) },
    ...{ transaction_hash: `0x${'ab'.repeat(32)}`, transaction_index: 2, log_index: 3 },
  })
  const rest = await get(`${address}/transfers`, { cursor: page.cursor!, limit: '2' })
  expect(rest).toMatchObject({ total: 3, page: 1, cursor: null })
  expect([...numbers(page), ...numbers(rest)]).toEqual([30, 9, 7])
  expect(numbers(await get(`${address}/transfers`, { order: 'ASC' }))).toEqual([7, 9, 30])
  expect(numbers(await get(`${address}/0x2/transfers`))).toEqual([9])
  expect(numbers(await get(`${address}/99/transfers`))).toEqual([])
})

test('behavior: a cursor belongs to its contract, token and filters', async () => {
  const address = await seedTransfers([7, 9, 30], true)
  const { cursor } = await get(`${address}/transfers`, { limit: '1', from_block: '8' })
  const next = { cursor: cursor! }
  expect(numbers(await get(`${address}/transfers`, { ...next, from_block: '8' }))).toEqual([9])
  for (const [path, query] of [
    [`${await seedTransfers([7], true)}/transfers`, next],
    [`${address}/2/transfers`, next],
    [`${address}/transfers`, { ...next, from_block: '7' }],
    [`${address}/transfers`, { ...next, order: 'ASC' }],
    [address, next],
  ] as const)
    expect((await get(path, query)).status, path).toBe(400)
})

test('behavior: dates select blocks inclusively, and from_block takes precedence over from_date', async () => {
  const address = await seedTransfers([1, 7, 9, 30], true)
  const from = (seconds: number) => ({ from_date: iso(seconds) })
  const blocks = async (query: { [name: string]: string }) =>
    numbers(await get(`${address}/transfers`, { order: 'ASC', ...query }))
  expect(await blocks(from(timeOf(7)))).toEqual([7, 9, 30])
  expect(await blocks(from(timeOf(7) + 1))).toEqual([9, 30])
  expect(await blocks({ to_date: iso(timeOf(9)) })).toEqual([1, 7, 9])
  expect(await blocks({ to_date: iso(timeOf(9) - 1) })).toEqual([1, 7])
  expect(await blocks({ ...from(timeOf(2)), to_date: iso(timeOf(9)) })).toEqual([7, 9])
  expect(await blocks({ ...from(timeOf(20)), from_block: '9' })).toEqual([9, 30])
  expect(await blocks({ to_date: '1999-01-01' })).toEqual([])
  expect(await blocks({ to_date: '2999-01-01' })).toEqual([1, 7, 9, 30])
  expect(await blocks(from(timeOf(headBlock) + 1))).toEqual([])
  const { cursor } = await get(`${address}/transfers`, { limit: '1', ...from(timeOf(8)) })
  answer = () => new RpcFailure(-32000, 'the cursor carries the blocks')
  expect(numbers(await get(`${address}/transfers`, { cursor: cursor!, ...from(timeOf(8)) }))).toEqual([9])
})

test('behavior: missing block times are read from the node once, and then come from the database', async () => {
  const blocks = Array.from({ length: 150 }, (_, i) => 2 * i + 1)
  const address = await seedTransfers(blocks, false)
  const requested = () => server.calls('eth_getBlockByNumber').length
  const before = requested()
  const pages = await Promise.all([0, 1, 2].map(() => get(`${address}/transfers`)))
  for (const page of pages)
    expect(page.result.map(({ block_timestamp }) => block_timestamp)).toEqual(
      blocks
        .toReversed()
        .slice(0, 100)
        .map((block) => iso(timeOf(block))),
    )
  expect(requested() - before).toBe(100)
  answer = () => new RpcFailure(-32000, 'no more')
  expect((await get(`${address}/transfers`, { order: 'DESC', limit: '99' })).status).toBe(200)
})

test('error: without a node that returns the right block times, the response is 503 with Retry-After', async () => {
  const address = await seedTransfers([11, 12], false)
  const other = createScriptedNode({ blocks: 1 })
  for (let i = 1; i < 20; i++) other.add([], 'another chain')
  for (const wrong of [() => new RpcFailure(-32000, 'header not found'), () => null, other.handler()] as RpcHandler[]) {
    answer = wrong
    const response = await api.get(`/api/v2/nft/${address}/transfers`)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(((await response.json()) as Page).message).toMatch(/^the time of blocks cannot be read/)
  }
  answer = truth
  expect((await get(`${address}/transfers`)).result.map((record) => record.block_timestamp)).toEqual(
    [12, 11].map((block) => iso(timeOf(block))),
  )
})

test('behavior: a final block whose logs have another block hash gets the time of its number', async () => {
  const address = await seedTransfers([40, 41], false)
  const rename = (number: number) =>
    api.db.run(
      `UPDATE transfer t SET block_hash = '\\x${'ee'.repeat(32)}' FROM collection c
       WHERE c.address = $1 AND t.partition = c.partition AND t.collection_id = c.id AND t.position / 1048576 = $2`,
      [Buffer.from(address.slice(2), 'hex'), number],
    )
  await rename(41)
  const page = await get(`${address}/transfers`)
  expect(page.result.map(({ block_hash, block_timestamp }) => [block_hash, block_timestamp])).toEqual([
    [`0x${'ee'.repeat(32)}`, iso(timeOf(41))],
    [node.blocks[40]!.hash, iso(timeOf(40))],
  ])
  const young = await seedTransfers([headBlock - 2], false)
  await api.db.run(
    `UPDATE transfer t SET block_hash = '\\x${'ee'.repeat(32)}' FROM collection c
     WHERE c.address = $1 AND t.partition = c.partition AND t.collection_id = c.id`,
    [Buffer.from(young.slice(2), 'hex')],
  )
  expect((await get(`${young}/transfers`)).status).toBe(503)
})

test.each([
  ['from_block=8&to_block=7', 'from_block is 8, above to_block; allowed: a whole number from 0 to 7'],
  [
    'from_date=2026-05-02&to_date=2026-05-01T10:00:00%2B02:00',
    'from_date is 2026-05-02T00:00:00.000Z, after to_date; allowed: a date up to 2026-05-01T08:00:00.000Z',
  ],
  [
    'from_date=01/02/2021',
    'from_date is "01/02/2021"; allowed: a date such as 2021-05-01 or 2021-05-01T10:00:00Z, or seconds since 1970 such as 1619863200',
  ],
])('error: %s is rejected with its value and what is allowed', async (query, message) => {
  const address = await seedTransfers([7], true)
  expect(await get(`${address}/transfers`, Object.fromEntries(new URLSearchParams(query)))).toMatchObject({ message })
})

test('error: random transfer parameters get 200 or 400, and never a server error', async () => {
  const address = await seedTransfers([7, 9], true)
  const { cursor } = await get(`${address}/transfers`, { limit: '1' })
  const names = [
    'from_block',
    'to_block',
    'from_date',
    'to_date',
    'order',
    'limit',
    'cursor',
    'format',
    'disable_total',
  ]
  const values = fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '7',
      '9',
      'DESC',
      'ASC',
      'asc',
      'hex',
      'true',
      '2023-11-14',
      '2023-02-30',
      '1700000000',
      '-1',
    ),
    fc.constantFrom('8589934591', '8589934592', '01/02/2023', '2023', 'Tue, 14 Nov 2023 22:15:00 GMT', cursor!),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.string(),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom(...names), values),
      fc.constantFrom(`${address}/transfers`, `${address}/1/transfers`, `${address}/x/transfers`),
      async (query, path) => {
        const { status, message, result } = await get(path, query)
        expect([200, 400]).toContain(status)
        if (status === 400) expect(message).toMatch(/allowed: /)
        else expect(result.length).toBeLessThanOrEqual(2)
      },
    ),
    { numRuns: 150 },
  )
})

test('behavior: finds the transfers of a block by its number, decimal or hex, and by its hash', async () => {
  const address = await seedTransfers([100, 171, 300], true)
  const ofBlock = async (block: string) => {
    const response = await api.get(`/api/v2/block/${block}/nft/transfers`)
    const { result, message } = (await response.json()) as Page
    return { status: response.status, message, blocks: result?.filter((one) => one.token_address === address) }
  }
  for (const block of ['171', '0xab', '0xAB', '0XaB', '0x00ab', node.blocks[171]!.hash]) {
    const { status, blocks } = await ofBlock(block)
    expect({ status, block, found: blocks?.map((one) => one.block_number) }).toEqual({
      status: 200,
      block,
      found: ['171'],
    })
  }
  for (const block of [
    'ab',
    '0x',
    '0xg1',
    '-1',
    '1.5',
    '8589934592',
    '0x200000000',
    `0x${'a'.repeat(17)}`,
    `0x${'a'.repeat(65)}`,
  ]) {
    const { status, message } = await ofBlock(block)
    expect({ status, block }).toEqual({ status: 400, block })
    expect(message).toMatch(/^block is ".*"; allowed: .* 8589934591, or its hash/)
  }
})
