import { expect, onTestFinished, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../../test/api.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { createKey } from '../../../db/keys.ts'
import { storeTransfers } from '../../../nft/store/storeTransfers.ts'
import { positionOf } from '../../../nft/transfers/position.ts'
import { zeroAddress } from '../../../nft/transfers/transfer.ts'
import { transferGroup } from '../../../nft/transfers/transferGroup.ts'
import type { Address } from '../../../util/hex.ts'

const address: Address = `0x${'c3'.repeat(20)}`
const tokens = 100_000

const request = (id: number) => ({
  ...{ jsonrpc: '2.0', id, method: 'alchemy_getAssetTransfers' },
  params: [{ category: ['erc1155'], contractAddresses: [address] }],
})

function send({ api }: TestApi, key: string, body: unknown): Promise<Response> {
  const url = `http://localhost/alchemy/eth-mainnet/nft/v3/${encodeURIComponent(key)}`
  return api.request(new Request(url, { method: 'POST', body: JSON.stringify(body) }))
}

test('behavior: each request of a batch counts for the rate limit of the key, and those above it return an error', async () => {
  const api = await createTestApi()
  onTestFinished(() => api.drop())
  await seedCollection(api.db, { address, columns: { from_block: 0n, standard: 'ERC1155' } })
  // Less than a request in a day comes back.
  const limited = { name: 'limited', access: 'read', requestsPerSecond: 1e-6, burst: 3 } as const
  const { key } = await createKey(api.db, limited)
  const response = await send(api, key, [1, 2, 3, 4, 5].map(request))
  expect(response.headers.get('x-rate-limit-remaining')).toBe('0')
  const error = { code: -32_005, message: expect.stringMatching(/rate limit.*retry in \d+ s/) }
  expect(await response.json()).toMatchObject([
    ...[1, 2, 3].map((id) => ({ id, result: { transfers: [] } })),
    ...[4, 5].map((id) => ({ id, error })),
  ])
  expect((await send(api, key, request(6))).status).toBe(429)
})

test('behavior: a batch whose results have 100,000 tokens returns an error for each further request', async () => {
  const api = await createTestApi()
  onTestFinished(() => api.drop())
  const key = await seedCollection(api.db, { address, columns: { from_block: 0n, standard: 'ERC1155' } })
  const collection = { ...key, chainId: 1n, address, standard: 'ERC1155', idInData: false } as const
  const transfer = {
    ...{ position: positionOf(5, 0), item: 0, tokenId: '1', from: zeroAddress, to: '77'.repeat(20), amount: '1' },
    ...{ operator: 'ee'.repeat(20), transactionHash: 'ab'.repeat(32), transactionIndex: 2 },
    ...{ blockHash: 'cd'.repeat(32), blockTime: 1_700_000_000 },
  }
  await api.db.transaction((tx) => storeTransfers(tx, [transferGroup(collection, [transfer])]))
  // The other tokens of the same log.
  await api.db.run(
    `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, operator, transaction_hash, block_hash, block_time)
     SELECT partition, collection_id, position, n, n + 1, from_address, to_address, amount, operator, transaction_hash, block_hash, block_time
     FROM transfer, generate_series(1, ${tokens - 1}) n`,
  )
  const response = await send(api, adminKey, [request(1), request(2), { ...request(3), method: 'eth_blockNumber' }])
  const [whole, ...others] = (await response.json()) as [{ result: { transfers: { erc1155Metadata: object[] }[] } }]
  expect(whole.result.transfers.map(({ erc1155Metadata }) => erc1155Metadata.length)).toEqual([tokens])
  expect(others).toMatchObject([
    { id: 2, error: { code: -32_000, message: expect.stringContaining('send a smaller batch') } },
    { id: 3, error: { code: -32_601 } },
  ])
})

test.each([
  [{ id: 'a', method: 5 }, 'a', 'method is not text; allowed: alchemy_getAssetTransfers'],
  [{ id: 7 }, 7, 'method is missing; allowed: alchemy_getAssetTransfers'],
])('error: the invalid request %j fails in the same way alone and in a batch', async (invalid, id, message) => {
  const api = await createTestApi()
  onTestFinished(() => api.drop())
  const failed = { jsonrpc: '2.0', id, error: { code: -32_600, message } }
  const alone = await send(api, adminKey, invalid)
  expect([alone.status, await alone.json()]).toEqual([200, failed])
  expect(await (await send(api, adminKey, [invalid])).json()).toEqual([failed])
})

test.each([
  [undefined, 'missing'],
  [5, '5'],
  ['x', 'text'],
])('error: the message for the body %j names requests and batches', async (body, fault) => {
  const api = await createTestApi()
  onTestFinished(() => api.drop())
  const response = await send(api, adminKey, body)
  const message = `the body is ${fault}; allowed: a JSON-RPC request or a list of 1 to 100 requests`
  expect([response.status, await response.json()]).toEqual([400, { error: { message } }])
})
