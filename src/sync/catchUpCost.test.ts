import { expect, test } from 'vitest'
import { isHistoryCheaper } from './catchUpCost.ts'

test.each([
  [{ collections: 1, streams: 0 }, 5_000n, true],
  [{ collections: 10_000, streams: 0 }, 5_000n, false],
  // A month of Polygon: even then ten thousand collections are faster to read together.
  [{ collections: 10_000, streams: 0 }, 1_300_000n, false],
  [{ collections: 100, streams: 0 }, 1_300_000n, true],
  [{ collections: 1, streams: 1 }, 5_000n, true],
  // Each stream would read every block separately.
  [{ collections: 1, streams: 2 }, 5_000n, false],
  [{ collections: 0, streams: 0 }, 5_000n, true],
  [{ collections: 1, streams: 0 }, 100n, false],
])('default: with %o followed and %d blocks missed, history is cheaper: %s', (followed, missed, expected) => {
  expect(isHistoryCheaper(followed, missed)).toBe(expected)
})
