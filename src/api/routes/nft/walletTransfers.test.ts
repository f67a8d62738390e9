import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../../test/api.ts'
import { fillWallets } from '../../../../test/fillWallets.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { storeTransfers } from '../../../nft/store/storeTransfers.ts'
import { positionOf } from '../../../nft/transfers/position.ts'
import { zeroAddress } from '../../../nft/transfers/transfer.ts'
import { transferGroup } from '../../../nft/transfers/transferGroup.ts'
import type { Address } from '../../../util/hex.ts'

const wallet: Address = `0x${'77'.repeat(20)}`
const [tiles, items]: Address[] = [`0x${'a1'.repeat(20)}`, `0x${'c3'.repeat(20)}`]
const base = `/api/v2/${wallet}/nft/transfers`

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ config: { demand: { maxQueuedPerKey: 3, maxQueued: 10 }, pageCache: { freshMs: 0 } } })
  for (const [address, blocks] of [
    [tiles!, [5, 7, 9, 11]],
    [items!, [6, 8]],
  ] as const) {
    const key = await seedCollection(api.db, { address, columns: { from_block: 0n } })
    const collection = { ...key, chainId: 1n, address, standard: 'ERC721', idInData: false } as const
    const transfers = blocks.map((block) => ({
      ...{ position: positionOf(block, 0), item: 0, tokenId: String(block), from: zeroAddress, to: wallet.slice(2) },
      ...{ amount: '1', operator: null, transactionHash: 'ab'.repeat(32), transactionIndex: 2 },
      ...{ blockHash: 'cd'.repeat(32), blockTime: 1_700_000_000 + block },
    }))
    await api.db.transaction((tx) => storeTransfers(tx, [transferGroup(collection, transfers)]))
  }
  await fillWallets(api.db)
})
afterAll(() => api.drop())

type Body = {
  total: number | null
  cursor: string | null
  result: { block_number: string }[]
  status: string
  message: string
}

async function request(query: string) {
  const response = await api.get(`${base}?${query}`)
  const body = (await response.json()) as Body
  const header = (name: string) => response.headers.get(`x-index-${name}`)
  return { status: response.status, body, header, retryAfter: response.headers.get('retry-after') }
}

const blocksOf = ({ result }: Body) => result.map(({ block_number }) => Number(block_number))

test('default: lists the transfers of a wallet over all or selected contracts, in either order', async () => {
  expect(blocksOf((await request('')).body)).toEqual([11, 9, 8, 7, 6, 5])
  expect(blocksOf((await request('order=asc')).body)).toEqual([5, 6, 7, 8, 9, 11])
  const { body, header } = await request(`contract_addresses[]=${items}&order=Asc&disable_total=false`)
  expect([blocksOf(body), body.total, body.status, header('status'), header('collections')]).toEqual([
    ...[[6, 8], 2, 'SYNCED', 'synced', '1'],
  ])
  const both = await request(`contract_addresses=${items},${tiles}&from_block=7&format=HEX`)
  expect([blocksOf(both.body), both.header('collections')]).toEqual([[11, 9, 8, 7], '2'])
  expect(both.body.result[0]).toMatchObject({ token_id: '0xb' })
})

test('behavior: a cursor continues with the contracts of its first page, and rejects others', async () => {
  const first = (await request(`contract_addresses=${tiles}&limit=3&disable_total=false`)).body
  expect([blocksOf(first), first.total]).toEqual([[11, 9, 7], 4])
  for (const named of ['', `&contract_addresses=${tiles}`]) {
    const next = (await request(`cursor=${first.cursor}${named}`)).body
    expect([blocksOf(next), next.total, next.cursor]).toEqual([[5], 4, null])
  }
  expect((await request(`cursor=${first.cursor}&contract_addresses=${items}`)).body.message).toContain(
    'contract_addresses differs',
  )
  const { cursor } = (await request('limit=1')).body
  expect((await request(`cursor=${cursor}&contract_addresses=${tiles}`)).status).toBe(400)
})

test('behavior: requested contracts that are not indexed are queued, within the limits of the key', async () => {
  const fresh = ['d1', 'd2', 'd3', 'd4'].map((digits): Address => `0x${digits.repeat(20)}`)
  const { status, body, header } = await request(`contract_addresses=${tiles},${fresh[0]}`)
  expect([status, blocksOf(body), body.status, header('status'), header('collections')]).toEqual([
    ...[200, [11, 9, 7, 5], 'SYNCING', 'queued', '1'],
  ])
  const rejected = await request(`contract_addresses=${fresh.join()}`)
  expect(rejected).toMatchObject({
    status: 429,
    body: { message: expect.stringContaining('already has 3 collections') },
  })
  expect(Number(rejected.retryAfter)).toBeGreaterThan(0)
})

test.each([
  ['contract_addresses is "0x12"; allowed: an address: 0x and 40 hex digits', 'contract_addresses=0x12'],
  [
    'contract_addresses has too many; allowed: at most 100 addresses',
    `contract_addresses=${Array(101).fill(tiles).join()}`,
  ],
  ['order is "up"; allowed: DESC or ASC', 'order=up'],
])('error: %s', async (message, query) => {
  const { status, body } = await request(query)
  expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
})

test('behavior: a list has no blocks after x-index-to-block, although they are stored by the time it is read', async () => {
  const [chain] = await api.db.rows<[bigint]>('SELECT block_number FROM chain WHERE id = 1')
  onTestFinished(async () => void (await api.db.run('UPDATE chain SET block_number = $1 WHERE id = 1', chain!)))
  await api.db.run('UPDATE chain SET block_number = 8 WHERE id = 1')
  const { body, header } = await request('disable_total=false')
  expect([blocksOf(body), body.total, header('to-block')]).toEqual([[8, 7, 6, 5], 4, '8'])
  expect(blocksOf((await request('from_block=9')).body)).toEqual([])
  const ofChain = await api.get('/api/v2/nft/transfers?order=ASC&limit=3')
  expect(ofChain.headers.get('x-index-to-block')).toBe('8')
  const first = (await ofChain.json()) as Body
  const rest = (await (await api.get(`/api/v2/nft/transfers?cursor=${first.cursor}`)).json()) as Body
  expect([blocksOf(first), blocksOf(rest), rest.cursor]).toEqual([[5, 6, 7], [8], null])
  for (const filter of [{}, { toAddress: wallet }]) {
    const params = [{ category: ['erc721'], ...filter }]
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'alchemy_getAssetTransfers', params })
    const url = `http://localhost/alchemy/eth-mainnet/v2/${encodeURIComponent(adminKey)}`
    const response = await api.api.request(new Request(url, { method: 'POST', body }))
    const { result } = (await response.json()) as { result: { transfers: { blockNum: string }[] } }
    expect(result.transfers.map(({ blockNum }) => Number(blockNum))).toEqual([5, 6, 7, 8])
  }
})
