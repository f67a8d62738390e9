import { expect, test } from 'vitest'
import { retryAfterOf } from '../../util/http/retryAfter.ts'
import { pauseMs } from './hostRateLimiter.ts'

const now = Date.UTC(2026, 0, 1, 0, 0, 0)

test.each<[string | string[] | undefined, number | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['0', 0],
  ['120', 120_000],
  [' 120 ', 120_000],
  [['5', '9'], 5_000],
  ['99999999999999999999', 86_400_000],
  ['-5', undefined],
  ['1.5', 1_500],
  ['1e3', undefined],
  ['0x10', undefined],
  ['soon', undefined],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Thursday, 01-Jan-26 00:01:00 GMT', 60_000],
  ['Thu Jan  1 00:01:00 2026', 60_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['Fri, 01 Jan 2027 00:00:00 GMT', 86_400_000],
  ['Thu, 99 Foo 2026 00:00:00 GMT', undefined],
  ['2026-01-01T00:01:00Z', undefined],
  ['x'.repeat(10_000), undefined],
])('default: parses Retry-After %j as %j ms', (header, ms) => {
  expect(retryAfterOf(header, now)).toBe(ms)
})

test('default: pauses double from a second to five minutes', () => {
  expect([1, 2, 3, 8, 9, 10, 1_000].map((n) => pauseMs('limited', n, 0))).toEqual([
    1_000, 2_000, 4_000, 128_000, 256_000, 300_000, 300_000,
  ])
  expect([1, 2, 3, 4].map((n) => pauseMs('failed', n, 0))).toEqual([0, 0, 1_000, 2_000])
  expect(pauseMs('limited', 1, 1)).toBe(800)
})
