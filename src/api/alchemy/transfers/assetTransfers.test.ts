import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../../test/api.ts'
import { fillWallets } from '../../../../test/fillWallets.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { storeTransfers } from '../../../nft/store/storeTransfers.ts'
import { positionOf } from '../../../nft/transfers/position.ts'
import { zeroAddress } from '../../../nft/transfers/transfer.ts'
import { transferGroup } from '../../../nft/transfers/transferGroup.ts'
import type { Address } from '../../../util/hex.ts'

const [tiles, items, more]: Address[] = ['a1', 'c3', 'e5'].map((digits): Address => `0x${digits.repeat(20)}`)
const [ann, bob]: Address[] = ['77', '88'].map((digits): Address => `0x${digits.repeat(20)}`)
const nobody = `0x${zeroAddress}` as Address
const standards = new Map([
  [tiles, 'ERC721'],
  [more, 'ERC721'],
  [items, 'ERC1155'],
] as const)

/** A log and its tokens. */
type Log = {
  of: Address
  block: number
  index: number
  from: Address
  to: Address
  moves: [id: bigint, amount: bigint][]
}

const logs: Log[] = [
  ...[1, 2, 3, 4].map(
    (n) => ({ of: tiles!, block: n, index: 0, from: nobody, to: ann!, moves: [[BigInt(n), 1n]] }) as Log,
  ),
  { of: more!, block: 3, index: 4, from: nobody, to: ann!, moves: [[7n, 1n]] },
  // One log of several tokens, as in ConsecutiveTransfer.
  {
    of: more!,
    block: 5,
    index: 0,
    from: nobody,
    to: bob!,
    moves: Array.from({ length: 5 }, (_, i) => [100n + BigInt(i), 1n]),
  },
  {
    of: items!,
    block: 4,
    index: 1,
    from: nobody,
    to: ann!,
    moves: [
      [1n, 5n],
      [2n, 6n],
      [3n, 0n],
    ],
  },
  { of: items!, block: 6, index: 2, from: ann!, to: bob!, moves: [[1n, 2n]] },
  { of: items!, block: 6, index: 3, from: ann!, to: bob!, moves: [[2n, 0n]] },
  { of: tiles!, block: 7, index: 0, from: ann!, to: bob!, moves: [[2n, 1n]] },
  { of: tiles!, block: 8, index: 0, from: bob!, to: ann!, moves: [[2n, 1n]] },
  { of: tiles!, block: 9, index: 0, from: ann!, to: nobody, moves: [[1n, 1n]] },
]

const hashOf = (block: number) => `0x${block.toString(16).padStart(64, '0')}`

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ config: { pageCache: { freshMs: 0 } } })
  for (const [address, standard] of standards) {
    const key = await seedCollection(api.db, { address: address!, columns: { from_block: 0n, standard } })
    const collection = { ...key, chainId: 1n, address: address!, standard, idInData: false }
    const transfers = logs
      .filter(({ of }) => of === address)
      .flatMap(({ block, index, from, to, moves }) =>
        moves.map(([id, amount], item) => ({
          ...{ position: positionOf(block, index), item, tokenId: String(id), from: from.slice(2), to: to.slice(2) },
          ...{ amount: String(amount), operator: standard === 'ERC1155' ? 'ee'.repeat(20) : null },
          ...{ transactionHash: hashOf(block).slice(2), transactionIndex: 2 },
          ...{ blockHash: 'cd'.repeat(32), blockTime: 1_700_000_000 + block },
        })),
      )
    await api.db.transaction((tx) => storeTransfers(tx, [transferGroup(collection, transfers)]))
  }
  await fillWallets(api.db)
})
afterAll(() => api.drop())

const key = encodeURIComponent(adminKey)

// biome-ignore lint/suspicious/noExplicitAny: results and errors of several shapes, each compared whole
type Body = any

async function post(body: unknown, path = `/alchemy/eth-mainnet/nft/v3/${key}`) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await api.api.request(new Request(`http://localhost${path}`, { method: 'POST', body: text }))
  return { status: response.status, body: (await response.json()) as Body }
}

async function transfers(params: object) {
  const { body } = await post({ jsonrpc: '2.0', id: 7, method: 'alchemy_getAssetTransfers', params: [params] })
  expect(body, JSON.stringify(body.error)).toMatchObject({ jsonrpc: '2.0', id: 7, result: {} })
  return body.result
}

/** Returns all transfers of a walk. */
async function walk(params: object, first?: string | null) {
  const all: Body[] = []
  for (let pageKey = first; pageKey !== null; ) {
    const page = await transfers({ ...params, ...(pageKey && { pageKey }) })
    for (const one of page.transfers) all.push(one)
    pageKey = page.pageKey
  }
  return all
}

type Requested = {
  category: string[]
  fromAddress?: Address
  toAddress?: Address
  contractAddresses?: Address[]
  order?: 'asc' | 'desc'
  fromBlock?: string
  toBlock?: string
  excludeZeroValue?: boolean
}

const hex = (value: bigint | number) => `0x${value.toString(16)}`

/** Returns the expected result of a request, from the list of logs alone: contract, block and tokens of each transfer. */
function meant({ category, fromAddress, toAddress, contractAddresses, order = 'asc', ...rest }: Requested): string[] {
  const { fromBlock = '0x0', toBlock = '0xffff', excludeZeroValue = true } = rest
  const wanted = logs.flatMap((log) => {
    const standard = standards.get(log.of)!
    if (!category.includes(standard.toLowerCase())) return []
    if (fromAddress && log.from !== fromAddress) return []
    if (toAddress && log.to !== toAddress) return []
    if (contractAddresses && !contractAddresses.includes(log.of)) return []
    if (log.block < Number(fromBlock) || log.block > Number(toBlock)) return []
    const moves = log.moves.filter(([, amount]) => !excludeZeroValue || amount > 0n)
    const sorted = order === 'asc' ? moves : moves.toReversed()
    const shown = standard === 'ERC721' ? sorted.map((move) => [move]) : moves.length > 0 ? [moves] : []
    return shown.map((tokens) => ({
      log,
      text: `${log.of} ${hex(log.block)} ${tokens.map(([id, n]) => `${hex(id)}:${hex(n)}`).join()}`,
    }))
  })
  const sign = order === 'asc' ? 1 : -1
  return wanted.sort((a, b) => sign * (a.log.block - b.log.block || a.log.index - b.log.index)).map(({ text }) => text)
}

function shown(all: Body[]): string[] {
  return all.map(({ rawContract, blockNum, erc721TokenId, erc1155Metadata }) => {
    const tokens: { tokenId: string; value: string }[] = erc1155Metadata ?? [
      { tokenId: hex(BigInt(erc721TokenId)), value: '0x1' },
    ]
    return `${rawContract.address} ${blockNum} ${tokens.map(({ tokenId, value }) => `${tokenId}:${value}`).join()}`
  })
}

const both = ['erc721', 'erc1155']
const sources: Omit<Requested, 'category'>[] = [
  {},
  { fromAddress: ann! },
  { toAddress: ann! },
  { fromAddress: ann!, toAddress: bob! },
  { fromAddress: nobody },
  { fromAddress: nobody, toAddress: ann! },
  { fromAddress: ann!, toAddress: nobody },
  { contractAddresses: [tiles!] },
  { contractAddresses: [items!, more!] },
  { contractAddresses: [tiles!, items!], toAddress: bob! },
  { fromBlock: '0x4', toBlock: '0x6' },
  { fromBlock: '0x6', contractAddresses: [items!], excludeZeroValue: false },
]

test.each(sources)(
  'default: %j returns the transfers of the logs, in both orders, for every category and page size',
  async (source) => {
    for (const category of [both, ['erc721'], ['erc1155'], ['specialnft']])
      for (const order of ['asc', 'desc'] as const)
        for (const maxCount of [undefined, '0x1', '0x2', '0x3']) {
          const requested: Requested = { ...source, category, order }
          expect(shown(await walk({ ...requested, maxCount })), JSON.stringify({ requested, maxCount })).toEqual(
            meant(requested),
          )
        }
  },
)

test('default: a transfer has every field, also at the v2 node URL', async () => {
  const params = { category: both, contractAddresses: [items], maxCount: '0x1', withMetadata: true }
  const [first] = (await transfers(params)).transfers
  expect(first).toEqual({
    ...{ blockNum: '0x4', uniqueId: `${hashOf(4)}:log:1`, hash: hashOf(4) },
    ...{ from: nobody, to: ann, value: null, erc721TokenId: null, tokenId: null, asset: 'SEED', category: 'erc1155' },
    erc1155Metadata: [
      { tokenId: '0x1', value: '0x5' },
      { tokenId: '0x2', value: '0x6' },
    ],
    rawContract: { value: null, address: items, decimal: null },
    metadata: { blockTimestamp: '2023-11-14T22:13:24.000Z' },
  })
  const request = { jsonrpc: '2.0', id: 1, method: 'alchemy_getAssetTransfers', params: [params] }
  const { body } = await post(request, `/alchemy/eth-mainnet/v2/${key}`)
  expect(body.result.transfers).toEqual([first])
  const unique = (await walk({ category: both })).map(({ uniqueId }) => uniqueId)
  expect(new Set(unique).size).toBe(meant({ category: both }).length)
})

test('behavior: accepts block tags as range bounds, which mean the same blocks on later pages', async () => {
  await api.db.run('UPDATE chain SET head_number = 8, finalized_number = 6')
  const blocks = async (range: object) =>
    shown(await walk({ category: both, ...range })).map((text) => Number(text.split(' ')[1]))
  expect(Math.max(...(await blocks({ toBlock: 'finalized' })))).toBe(6)
  expect(Math.min(...(await blocks({ fromBlock: 'latest' })))).toBe(8)
  expect(Math.max(...(await blocks({ fromBlock: 'earliest', toBlock: 'latest' })))).toBe(9)
  const params = { category: both, fromBlock: 'finalized', order: 'desc', maxCount: '0x2' } as const
  const first = await transfers(params)
  await api.db.run('UPDATE chain SET finalized_number = 8')
  const all = [...first.transfers, ...(await walk(params, first.pageKey))]
  expect(shown(all)).toEqual(meant({ ...params, fromBlock: '0x6' }))
})

test.each([
  [{ category: ['erc20'] }, /category is erc20, and this server serves NFTs alone/],
  [{}, /category is missing; allowed: a list of erc721, erc1155 or specialnft/],
  [{ category: both, order: 'up' }, /order is "up"; allowed: asc or desc/],
  [{ category: both, fromBlock: 'tomorrow', toBlock: { toString: 1 } }, /fromBlock.*allowed/],
  [{ category: both, fromBlock: '0x5', toBlock: '0x4' }, /fromBlock is 0x5, above toBlock; allowed: a block up to 0x4/],
  [{ category: both, maxCount: '0x3e9' }, /maxCount/],
  [{ category: both, maxCount: '0x0' }, /maxCount/],
  [{ category: both, fromAddress: 'vitalik.eth' }, /fromAddress.*does not resolve ENS names/],
  [{ category: both, contractAddresses: Array(46).fill(`0x${'a1'.repeat(20)}`) }, /at most 45/],
  [{ category: both, pageKey: 'x' }, /pageKey is invalid/],
])('error: %j', async (params, message) => {
  const { status, body } = await post({
    jsonrpc: '2.0',
    id: 'a',
    method: 'alchemy_getAssetTransfers',
    params: [params],
  })
  expect({ status, body }).toEqual({
    status: 200,
    body: { jsonrpc: '2.0', id: 'a', error: { code: -32_602, message: expect.stringMatching(message) } },
  })
})

test('error: rejects a pageKey of other parameters', async () => {
  const { pageKey } = await transfers({ category: both, maxCount: '0x1' })
  const { body } = await post({
    ...{ id: 1, method: 'alchemy_getAssetTransfers' },
    params: [{ category: both, maxCount: '0x1', order: 'desc', pageKey }],
  })
  expect(body.error.message).toContain('pageKey belongs')
})

test('behavior: a JSON-RPC batch is answered in order up to a size limit, with an error for each invalid request', async () => {
  const good = {
    jsonrpc: '2.0',
    id: 1,
    method: 'alchemy_getAssetTransfers',
    params: [{ category: both, maxCount: '0x1' }],
  }
  const { body } = await post([good, { ...good, id: 2, method: 'eth_blockNumber' }, { jsonrpc: '2.0', method: 5 }, 7])
  expect(body).toMatchObject([
    { id: 1, result: { transfers: [{}] } },
    { id: 2, error: { code: -32_601 } },
    { id: null, error: { code: -32_600 } },
    { id: null, error: { code: -32_600 } },
  ])
  for (const [bad, status] of [
    [[], 400],
    [Array(101).fill(good), 400],
    ['{', 400],
    ['"x"', 400],
    ['x'.repeat(10_000_000), 413],
  ] as const) {
    const answer = await post(bad)
    expect({ status: answer.status, fields: Object.keys(answer.body) }).toEqual({ status, fields: ['error'] })
  }
  const wrongKey = await post(good, '/alchemy/eth-mainnet/v2/wrong')
  expect(wrongKey).toMatchObject({ status: 401, body: { error: { message: expect.stringContaining('unknown') } } })
})

test('behavior: index headers report the coverage of the contracts and wallets in a request or batch', async () => {
  const request = (params: object) => ({ id: 1, method: 'alchemy_getAssetTransfers', params: [params] })
  const statusOf = async (body: unknown) => {
    const url = `http://localhost/alchemy/eth-mainnet/nft/v3/${key}`
    const response = await api.api.request(new Request(url, { method: 'POST', body: JSON.stringify(body) }))
    const { headers } = response
    return [headers.get('x-index-status'), headers.get('x-index-scope')]
  }
  const indexed = request({ category: both, contractAddresses: [tiles] })
  const unknown = request({ category: both, contractAddresses: [`0x${'0f'.repeat(20)}`] })
  const ofWallet = request({ category: both, toAddress: ann })
  expect(await statusOf(indexed)).toEqual(['synced', null])
  expect(await statusOf(unknown)).toEqual(['queued', null])
  expect(await statusOf([indexed, unknown])).toEqual(['queued', null])
  expect(await statusOf(ofWallet)).toEqual(['syncing', 'indexed'])
  expect(await statusOf(request({ category: both }))).toEqual(['syncing', null])
})
