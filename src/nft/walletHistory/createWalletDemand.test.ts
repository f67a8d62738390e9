import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import type { Address } from '../../util/hex.ts'
import { createDemand } from '../store/createDemand.ts'
import { createWalletDemand } from './createWalletDemand.ts'

test('error: rejects the zero address and other burn addresses', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const demand = createWalletDemand({ db, chainIds: [], maxQueuedPerKey: 10, maxQueued: 10 })
  for (const end of ['', 'dead']) {
    const wallet: Address = `0x${end.padStart(40, '0')}`
    await expect(demand.request(1n, wallet, 0n)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: `wallet is ${wallet}, to which tokens are burned; allowed: the address of a wallet`,
    })
  }
  expect(await db.rows('SELECT 1 FROM wallet')).toEqual([])
})

test('behavior: collections and wallets that wait on chains without a node do not count towards the limits', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const address = (n: number): Address => `0x${String(n).padStart(40, '7')}`
  const limits = { db, maxQueuedPerKey: 2, maxQueued: 2 }
  const all = { ...limits, chainIds: [1n, 2n] }
  const without1 = { ...limits, chainIds: [2n, 3n] }
  const request = {
    collections: (options: typeof all, chain: bigint, n: number) =>
      createDemand(options).request(chain, [address(n)], 0n),
    wallets: (options: typeof all, chain: bigint, n: number) =>
      createWalletDemand(options).request(chain, address(n), 0n),
  }
  for (const [what, ask] of Object.entries(request)) {
    for (const n of [1, 2]) await ask(all, 1n, n)
    const rejection = { code: 'TOO_MANY_REQUESTS', message: expect.stringContaining(`already has 2 ${what}`) }
    await expect(ask(all, 2n, 3)).rejects.toMatchObject(rejection)
    await ask(without1, 2n, 3)
    await ask(without1, 3n, 4)
    await expect(ask(without1, 3n, 5)).rejects.toMatchObject(rejection)
  }
})
