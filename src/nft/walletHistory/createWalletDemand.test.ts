import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import type { Address } from '../../util/hex.ts'
import { createWalletDemand } from './createWalletDemand.ts'

test('error: rejects the zero address and other burn addresses', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const demand = createWalletDemand({ db, maxQueuedPerKey: 10, maxQueued: 10 })
  for (const end of ['', 'dead']) {
    const wallet: Address = `0x${end.padStart(40, '0')}`
    await expect(demand.request(1n, wallet, 0n)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: `wallet is ${wallet}, to which tokens are burned; allowed: the address of a wallet`,
    })
  }
  expect(await db.rows('SELECT 1 FROM wallet')).toEqual([])
})
