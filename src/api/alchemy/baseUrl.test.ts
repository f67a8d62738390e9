import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../test/api.ts'

const address = `0x${'5a'.repeat(20)}`
const key = encodeURIComponent(adminKey)
const base = '/alchemy/eth-mainnet/nft/v3'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.drop())

test.each([
  [
    `${base}/${key}/`,
    `getContractMetadata?contractAddress=${address}`,
    404,
    /two slashes before getContractMetadata; allowed: a base URL without/,
  ],
  [`${base}/${key}`, '', 404, /^the path has no operation after the key; allowed: getNFTMetadata/],
  [base, key, 404, /^the path has no operation after the key; allowed: getNFTMetadata/],
  [base, `getContractMetadata?contractAddress=${address}`, 401, /allowed: a valid key in the path/],
])('error: a wrong base URL is reported: %#', async (at, target, status, message) => {
  const response = await api.api.request(new Request(`http://localhost${at}/${target}`))
  expect({ status: response.status, body: await response.json() }).toEqual({
    status,
    body: { error: { message: expect.stringMatching(message) } },
  })
})
