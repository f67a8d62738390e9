import { expect, test } from 'vitest'
import { createLagClock } from './createLagClock.ts'

test('default: replica lag counts from when the first missing position was seen', () => {
  const lag = createLagClock()
  lag.see(10n, 1_000)
  lag.see(20n, 2_000)
  lag.see(30n, 3_000)
  expect(lag.behindMs(9n, 3_500)).toBe(2_500)
  expect(lag.behindMs(10n, 4_000)).toBe(2_000)
  expect(lag.behindMs(25n, 4_000)).toBe(1_000)
  expect(lag.behindMs(30n, 5_000)).toBe(0)
})

test('behavior: a replica of an idle primary has no lag', () => {
  const lag = createLagClock()
  for (let at = 0; at < 100_000; at += 1_000) {
    lag.see(10n, at)
    expect(lag.behindMs(10n, at)).toBe(0)
  }
})

test('behavior: the lag of a position from before the first look counts from when it was written', () => {
  const lag = createLagClock()
  lag.see(10n, 50_000, 20_000)
  expect(lag.behindMs(5n, 51_000)).toBe(31_000)
  lag.see(12n, 52_000)
  expect(lag.behindMs(10n, 53_000)).toBe(1_000)
})

test('behavior: reports a replica lag of a day, while only few positions are kept', () => {
  const lag = createLagClock()
  for (let second = 0; second < 86_400; second++) lag.see(BigInt(second), second * 1_000)
  expect(lag.behindMs(-1n, 86_400_000)).toBe(86_400_000)
  // The clock keeps fewer old positions, so the lag may be too low by the distance between two of them.
  const half = lag.behindMs(43_200n, 86_400_000)
  expect(half).toBeGreaterThan(42_000_000)
  expect(half).toBeLessThanOrEqual(43_200_000)
})
