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
