import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../test/api.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { type Address, hexToBuffer } from '../../util/hex.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.drop())

async function read(route: string): Promise<Record<string, unknown>> {
  const target = `/alchemy/eth-mainnet/nft/v3/${encodeURIComponent(adminKey)}/${route}`
  const response = await api.api.request(new Request(`http://localhost${target}`))
  return (await response.json()) as Record<string, unknown>
}

const checked = { checked_at: new Date(), standard: null }

test.each([
  ['no standard up to the head', checked, 'NO_SUPPORTED_NFT_STANDARD'],
  ['a history that is being read', { ...checked, status: 'syncing' }, null],
  ['no code', { ...checked, status: 'nocode', from_block: null, to_block: null }, 'NOT_A_CONTRACT'],
  [
    'no code, queued for another look',
    { ...checked, status: 'queued', from_block: null, to_block: null },
    'NOT_A_CONTRACT',
  ],
  ['an address that was never looked at', { standard: null, status: 'queued', from_block: null, to_block: null }, null],
])('default: returns the tokenType of a contract with %s', async (name, columns, type) => {
  const address: Address = `0x${Buffer.from(name).toString('hex').padEnd(40, '0').slice(-40)}`
  await seedCollection(api.db, { address, columns })
  expect((await read(`getContractMetadata?contractAddress=${address}`)).tokenType).toBe(type)
})

test.each(['', '&block=5', '&block=latest'])(
  'default: an address without code has no token owners%s',
  async (block) => {
    const address: Address = `0x${'c0'.repeat(20)}`
    await api.db.run('DELETE FROM collection WHERE address = $1', [hexToBuffer(address)])
    await seedCollection(api.db, {
      address,
      columns: { ...checked, status: 'nocode', from_block: null, to_block: null },
    })
    const found = await read(`getOwnersForContract?contractAddress=${address}${block}`)
    expect(found).toEqual({ owners: [], totalCount: 0, pageKey: null })
  },
)

test('behavior: a contract that failed to index has its reason in a header', async () => {
  const address: Address = `0x${'5f'.repeat(20)}`
  await seedCollection(api.db, { address, columns: { status: 'failed', reason: 'the node is away' } })
  const target = `/alchemy/eth-mainnet/nft/v3/${encodeURIComponent(adminKey)}/getNFTsForContract?contractAddress=${address}`
  const { status, headers } = await api.api.request(new Request(`http://localhost${target}`))
  const [state, reason] = [headers.get('x-index-status'), headers.get('x-index-failure')]
  expect({ status, state, reason }).toEqual({ status: 200, state: 'failed', reason: 'the node is away' })
})
