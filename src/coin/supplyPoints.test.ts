import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxU128 } from '../chain/aptos/u128.ts'
import { createSupplyPoints, supplyAt } from './supplyPoints.ts'

const supplies = fc.oneof(
  fc.bigInt({ min: 0n, max: maxU128 }),
  fc.bigInt({ min: 0n, max: 1_000n }),
  fc.constantFrom(0n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 64n, maxU128, null),
)
const points = fc.array(fc.tuple(fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, 2n ** 60n)), supplies), { maxLength: 30 })

test('behavior: the supply at each version is that of the last point at or before it', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 62n), points, (first, steps) => {
      const packed = createSupplyPoints(first)
      const all: { version: bigint; supply: bigint | null }[] = []
      let version = first
      for (const [step, supply] of steps) {
        version += step
        packed.add(version, supply)
        all.push({ version, supply })
      }
      const bytes = packed.bytes()
      for (const requested of [
        first - 1n,
        ...all.flatMap((point) => [point.version - 1n, point.version]),
        version + 9n,
      ])
        expect(supplyAt(bytes, first, requested)).toBe(all.findLast((point) => point.version <= requested)?.supply)
    }),
    { numRuns: 500 },
  )
})

test('behavior: a supply that loses a fee at each version takes less than five bytes per version', () => {
  const packed = createSupplyPoints(1_000_000_000n)
  for (let i = 0n; i < 1_000n; i++) packed.add(1_000_000_000n + i, 10n ** 17n - i * 54_321n)
  expect(packed.bytes().length).toBeLessThan(5_000)
})
