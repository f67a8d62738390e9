import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../test/api.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Address } from '../../util/hex.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.drop())

async function typeOf(address: Address): Promise<unknown> {
  const target = `/alchemy/eth-mainnet/nft/v3/${encodeURIComponent(adminKey)}/getContractMetadata?contractAddress=${address}`
  const response = await api.api.request(new Request(`http://localhost${target}`))
  const { tokenType } = (await response.json()) as { tokenType: unknown }
  return tokenType
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
])('default: the type of a contract with %s', async (name, columns, type) => {
  const address: Address = `0x${Buffer.from(name).toString('hex').padEnd(40, '0').slice(-40)}`
  await seedCollection(api.db, { address, columns })
  expect(await typeOf(address)).toBe(type)
})
