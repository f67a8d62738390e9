import { expect, test } from 'vitest'
import { nextWidth } from './nextWidth.ts'

/** Returns the widths of the responses in a scan of `blocks` blocks without logs. The node answers at most `cap` blocks. */
function scan(blocks: bigint, cap: bigint): bigint[] {
  const answered: bigint[] = []
  let width = 1_000n
  for (let from = 0n; from < blocks; ) {
    const end = from + width < blocks ? from + width : blocks
    // The scan reads a partly answered range to its end before the next one starts.
    while (from < end) {
      const taken = end - from < cap ? end - from : cap
      const requested = { from, to: end - 1n }
      width = nextWidth(width, requested, from + taken - 1n, { brought: 0, wanted: 8_000 })
      answered.push(taken)
      from += taken
    }
  }
  return answered
}

test('default: doubles the range width up to millions of blocks while reads return few logs', () => {
  expect(scan(20_000_000n, 100_000_000n).length).toBeLessThanOrEqual(21)
})

test.each([10_000n, 3_000n, 37n])(
  'behavior: read ranges are multiples of the %s blocks that the node accepts',
  (cap) => {
    const answers = scan(cap * 300n, cap)
    // Shorter reads are those before the first partial response, and the remainder of that read.
    const firstPartial = answers.indexOf(cap)
    const short = answers.slice(firstPartial, -1).filter((width) => width < cap)
    expect(short.length).toBeLessThanOrEqual(1)
  },
)

test('behavior: a partial response with few logs widens the range, also beyond the width of the request', () => {
  const partial = (brought: number) => nextWidth(640n, { from: 0n, to: 639n }, 359n, { brought, wanted: 8_000 })
  expect([partial(500), partial(3_000), partial(5_000)]).toEqual([12n * 360n, 2n * 360n, 360n])
})

test('behavior: a partial response to an older, wider read does not widen the range', () => {
  const width = nextWidth(10n, { from: 0n, to: 99n }, 49n, { brought: 0, wanted: 8_000 })
  expect(width).toBe(10n)
})

test('behavior: a read with too many logs narrows the range immediately in proportion', () => {
  expect(nextWidth(1_000n, { from: 0n, to: 999n }, 999n, { brought: 80_000, wanted: 8_000 })).toBe(100n)
})
