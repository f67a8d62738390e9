import { expect, test } from 'vitest'
import { createLogWidth, createRangeCaps, type LogWidth } from './logWidth.ts'

/** A width that responses without logs have raised to its maximum. */
function grown(options: Parameters<typeof createLogWidth>[0]): LogWidth {
  const width = createLogWidth(options)
  for (let i = 0; i < 3; i++) width.answered(width.next().width, 'a')
  return width
}

/** Returns the requested widths until a node with this cap accepts one, and the rejected ones. `statesCap`: whether the node reports the cap. */
function found(cap: number, statesCap: boolean): { requested: number[]; rejected: number[] } {
  const width = createLogWidth({ max: Number.MAX_SAFE_INTEGER, endpoints: 1 })
  const [requested, rejected]: [number[], number[]] = [[], []]
  for (let i = 0; i < 30; i++) {
    const blocks = width.next().width
    requested.push(blocks)
    if (blocks <= cap) width.answered(blocks, 'a')
    else {
      rejected.push(blocks)
      width.rejected(blocks, 'a', { class: 'range_cap', ...(statesCap && { cap: BigInt(cap) }) })
    }
  }
  return { requested, rejected }
}

test('default: the width grows to the maximum within a few answers, and stays there', () => {
  const width = createLogWidth({ max: 20_000_000, endpoints: 1 })
  const requested = Array.from({ length: 6 }, () => {
    const blocks = width.next().width
    width.answered(blocks, 'a')
    return blocks
  })
  expect(requested).toEqual([1_000, 32_000, 1_024_000, 20_000_000, 20_000_000, 20_000_000])
})

test('behavior: a cap with its number costs one rejection, a common one without it a few, and none repeats', () => {
  expect(found(10_000, true)).toMatchObject({ rejected: [32_000] })
  expect(found(10_000, false)).toMatchObject({ rejected: [32_000] })
  const unstated = found(2_000, false)
  expect(unstated.rejected).toEqual([32_000, 10_000, 5_000, 3_000])
  expect(unstated.requested.at(-1)).toBe(2_000)
  expect(found(137, false).requested.at(-1)).toBe(100)
})

test('behavior: answers with many logs narrow the range in proportion, and those with few widen it', () => {
  const width = createLogWidth({ max: 20_000_000, endpoints: 1 })
  width.answered(1_000, 'a', 1_000)
  expect(width.next().width).toBe(6_000)
  width.answered(6_000, 'a', 80_000)
  expect(width.next().width).toBe(600)
})

test('behavior: a slow answer limits how much the range widens', () => {
  const width = createLogWidth({ max: 20_000_000, endpoints: 1 })
  width.answered(1_000, 'a', 0, 2_000)
  expect(width.next().width).toBe(2_000)
  width.answered(2_000, 'a', 0, 9_000)
  expect(width.next().width).toBe(2_000)
})

test('behavior: an answer too large for the client narrows the range to an eighth', () => {
  const width = grown({ max: 8_000, endpoints: 1 })
  width.rejected(8_000, 'a', { class: 'response_size' })
  expect(width.next().width).toBe(1_000)
})

test('behavior: one reader tries an untested width, and the others wait for it', async () => {
  const width = createLogWidth({ max: 20_000, endpoints: 1 })
  const trial = width.begin(1_000)
  expect(trial.wait).toBeUndefined()
  const { wait } = width.begin(1_000)
  width.answered(1_000, 'a')
  trial.end()
  await wait
  expect(width.begin(1_000).wait).toBeUndefined()
  expect(width.begin(16_000).wait).toBeUndefined()
  expect(width.begin(16_000).wait).toBeInstanceOf(Promise)
  expect(width.begin(1_000).wait).toBeUndefined()
})

test('behavior: simultaneous rejections narrow the range once', () => {
  const width = grown({ max: 10_000, endpoints: 1 })
  for (let i = 0; i < 4; i++) width.rejected(10_000, 'a', { class: 'result_cap' })
  expect(width.next().width).toBe(5_000)
})

test('behavior: the range grows again after success, but never beyond the cap of the provider', () => {
  const width = createLogWidth({ max: 10_000, endpoints: 1 })
  width.rejected(10_000, 'a', { class: 'range_cap', cap: 2_000n })
  width.rejected(2_000, 'a', { class: 'result_cap', suggestedWidth: 100n })
  expect(width.next().width).toBe(100)
  for (let i = 0; i < 4; i++) width.answered(100, 'a')
  expect(width.next().width).toBe(150)
  for (let i = 0; i < 100; i++) width.answered(width.next().width, 'a')
  expect(width.next().width).toBe(2_000)
})

test('behavior: a cap is tested again after some time', () => {
  let now = 0
  const width = grown({ max: 10_000, endpoints: 1, now: () => now })
  width.rejected(10_000, 'a', { class: 'range_cap', cap: 2_000n })
  expect(width.next().width).toBe(2_000)
  now = 700_000
  for (let i = 0; i < 40; i++) width.answered(width.next().width, 'a')
  expect(width.next().width).toBe(10_000)
})

test('behavior: success with a short range does not widen it', () => {
  const width = grown({ max: 10_000, endpoints: 1 })
  width.rejected(10_000, 'a', undefined)
  for (let i = 0; i < 100; i++) width.answered(10, 'a')
  expect(width.next().width).toBe(5_000)
})

test('behavior: of two endpoints the wider one sets the width, and when both are capped the higher cap', () => {
  const width = grown({ max: 10_000, endpoints: 2 })
  width.rejected(10_000, 'narrow', { class: 'range_cap', cap: 10n })
  expect(width.next()).toMatchObject({ width: 10_000, avoid: new Set(['narrow']), isCapped: true })
  width.rejected(10_000, 'wide', { class: 'range_cap', cap: 800n })
  expect(width.next()).toMatchObject({ width: 800, avoid: new Set(['narrow']), isCapped: true })
})

test('behavior: a suggestion or cap that is not narrower is ignored', () => {
  const width = createLogWidth({ max: 10_000, endpoints: 1 })
  width.rejected(1_000, 'a', { class: 'range_cap', cap: 10_000n })
  expect(width.next().width).toBe(500)
  width.rejected(500, 'a', { class: 'result_cap', suggestedWidth: 1_000_000n })
  expect(width.next().width).toBe(250)
})

test('behavior: the width never falls below one block', () => {
  const width = createLogWidth({ max: 10, endpoints: 1 })
  for (let i = 0; i < 10; i++) width.rejected(width.next().width, 'a', { class: 'unknown' })
  expect(width.next().width).toBe(1)
})

test('behavior: a quick endpoint gets a wide first range, and a narrow one again after a timeout', () => {
  const caps = createRangeCaps({ max: Number.MAX_SAFE_INTEGER, endpoints: 1 })
  expect(caps.first()).toBe(1_000)
  caps.answered('a', 3_000, 100)
  caps.answered('a', 9_000, 3_000)
  expect(caps.first()).toBe(3_000)
  caps.answered('a', 20_000_000, 100)
  expect(caps.first()).toBe(20_000)
  const width = createLogWidth({ max: 20_000_000, endpoints: 1, caps, first: caps.first() })
  expect(width.next()).toMatchObject({ width: 20_000, isProven: true })
  width.rejected(20_000, 'a', { class: 'timeout' })
  expect(caps.first()).toBe(1_000)
})
