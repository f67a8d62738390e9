import { expect, test } from 'vitest'
import { formatMs, latencyOverTime, medianOf } from './latency.ts'

const at = (seconds: number, latencyMs: number) => ({
  createdAt: new Date(1_700_000_000_000 + seconds * 1_000).toISOString(),
  latencyMs,
})

test('default: medians by equal steps, with nothing where there was no attempt', () => {
  expect(latencyOverTime([at(3, 40), at(0, 10), at(0, 30), at(0, 20)])).toEqual({
    from: 1_700_000_000_000,
    stepMs: 1_000,
    values: [20, null, null, 40],
  })
  const day = latencyOverTime([at(0, 1), at(86_400, 2)])
  expect(day.values).toHaveLength(60)
  expect([day.values[0], day.values.at(-1)]).toEqual([1, 2])
  expect(latencyOverTime([at(5, 7)]).values).toEqual([7, null])
})

test('default: a median, and milliseconds as people read them', () => {
  expect([medianOf([]), medianOf([5]), medianOf([4, 1, 3, 2])]).toEqual([0, 5, 2])
  expect([0.42, 12.3, 999, 1_234].map(formatMs)).toEqual(['0.4 ms', '12 ms', '999 ms', '1.2 s'])
})
