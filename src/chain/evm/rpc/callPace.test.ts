import { expect, test } from 'vitest'
import { createCallPace } from './callPace.ts'

/** Sends calls for `seconds` to a node that accepts `limit` calls a second. Returns the counts of the last ten seconds. */
function send(limit: number, seconds: number, together: number): { passed: number; rejected: number } {
  let now = 0
  const pace = createCallPace({ now: () => now })
  let tokens = limit
  let filledAt = 0
  const lately = { passed: 0, rejected: 0 }
  while (now < seconds * 1_000) {
    const calls = Math.min(together, pace.most())
    now += pace.reserve(calls)
    tokens = Math.min(limit, tokens + ((now - filledAt) / 1_000) * limit)
    filledAt = now
    const number = pace.begin()
    const isLate = now > (seconds - 10) * 1_000
    now += 80
    if (tokens >= calls) {
      tokens -= calls
      pace.admitted(calls)
      if (isLate) lately.passed += calls
    } else {
      pace.rejected(calls, number)
      if (isLate) lately.rejected++
      now += 250
    }
  }
  return lately
}

test('default: calls are not limited before a rejection', () => {
  const pace = createCallPace()
  expect([pace.reserve(1_000), pace.reserve(1_000), pace.most()]).toEqual([0, 0, Number.POSITIVE_INFINITY])
})

test.each([
  [25, 12],
  [25, 100],
  [12, 100],
  [200, 20],
])(
  'behavior: uses nearly all of the %i calls per second of a node, with few rejections, in batches of %i',
  (limit, together) => {
    const { passed, rejected } = send(limit, 60, together)
    expect(passed).toBeGreaterThan(limit * 10 * 0.9)
    expect(rejected).toBeLessThanOrEqual(8)
  },
)

test('behavior: random rejections at any rate do not stop the calls', () => {
  let now = 0
  const pace = createCallPace({ now: () => now })
  let passed = 0
  for (let i = 0; now < 120_000; i++) {
    now += pace.reserve(1)
    const number = pace.begin()
    now += 10
    if (i % 7 === 0) pace.rejected(1, number)
    else {
      pace.admitted(1)
      passed++
    }
  }
  expect(passed / 120).toBeGreaterThan(40)
})

test('behavior: simultaneous rejections count once', () => {
  const now = 0
  const pace = createCallPace({ now: () => now })
  const numbers = [pace.begin(), pace.begin(), pace.begin()]
  pace.admitted(40)
  for (const number of numbers) pace.rejected(40, number)
  expect(pace.most()).toBe(Number.POSITIVE_INFINITY)
  pace.rejected(40, pace.begin())
  for (const number of numbers) pace.rejected(10, number)
  expect(pace.most()).toBe(20)
})

test('behavior: a batch larger than any admitted request is halved at its first rejection', () => {
  const pace = createCallPace()
  for (let i = 0; i < 20; i++) pace.admitted(2)
  pace.rejected(33, pace.begin())
  expect(pace.most()).toBe(16)
  pace.admitted(16)
  pace.rejected(10, pace.begin())
  expect(pace.most()).toBeGreaterThanOrEqual(16)
})
