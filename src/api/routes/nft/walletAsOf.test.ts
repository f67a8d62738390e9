import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ config: { chains: { sepolia: { wallets: 'chain' } } } })
})
afterAll(() => api.drop())

test.each(['nft', 'nft/collections'])(
  'error: a block of %s that is not covered; how far the wallet is read',
  async (list) => {
    const response = await api.get(`/api/v2/0x${'77'.repeat(20)}/${list}?chain=sepolia&as_of_block=5`)
    const names = ['x-index-status', 'x-index-progress']
    expect([response.status, ...names.map((name) => response.headers.get(name))]).toEqual([400, 'queued', '0'])
    expect(await response.json()).toMatchObject({
      message:
        'as_of_block is 5, a block whose state is not known; allowed: none yet, as the history of the wallet is being read',
    })
  },
)

test.each([
  ['as_of_block=5', 'as_of_block is "5"; allowed: omitting it, as the number of a block is of one chain'],
  ['order=acquired', 'order is acquired; allowed: only where x-index-scope is chain, which it is not on eth'],
  ['include=spam,acquired', 'include is acquired; allowed: only where x-index-scope is chain, which it is not on eth'],
  ['order=newest', 'order is "newest"; allowed: acquired'],
])('error: %s over several chains', async (query, message) => {
  const response = await api.get(`/api/v2/wallets/0x${'77'.repeat(20)}/nft?chains=sepolia,eth&${query}`)
  expect(response.status).toBe(400)
  expect(((await response.json()) as { message: string }).message).toContain(message)
})
