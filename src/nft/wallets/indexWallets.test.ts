import { expect, test } from 'vitest'
import { pauseAfter } from './indexWallets.ts'

test('behavior: wallets pause longer the faster history is stored than they process it, at most 16 times their time slice', () => {
  const fast = { transfers: 25_000, ms: 1_000 }
  const onCluster = { transfers: 25_000, ms: 2_500 }
  expect([0, 3_125, 6_250, 12_500, 500_000].map((rate) => pauseAfter(fast, rate))).toEqual([
    0, 250, 1_000, 4_000, 16_000,
  ])
  // If time slices take longer and history is slower by the same factor, wallets keep their share of the time.
  expect(pauseAfter(onCluster, 20_000) / onCluster.ms).toBe(pauseAfter(fast, 50_000) / fast.ms)
})
