import { expect, test } from 'vitest'
import { retryDelay } from './retryDelay.ts'
import { webhookSettings } from './webhookSettings.ts'

const delaysMs = webhookSettings.parse({}).retryDelaysMs
const minute = 60_000

test('default: 1 min, 10 min, 1 h, 2 h, 6 h, 12 h, 24 h, then never', () => {
  const middle = Array.from({ length: 8 }, (_, i) =>
    retryDelay(i + 1, { delaysMs, retryAfterMs: undefined, random: 0.5 }),
  )
  expect(middle.map((ms) => ms && ms / minute)).toEqual([1, 10, 60, 120, 360, 720, 1_440, undefined])
})

test('behavior: a tenth more or less by chance', () => {
  const at = (random: number) => retryDelay(1, { delaysMs, retryAfterMs: undefined, random })
  expect(at(0)).toBe(54_000)
  expect(at(0.999_999)).toBe(66_000)
})

test('behavior: Retry-After is kept to whether it is shorter or longer, and never undercut', () => {
  const at = (retryAfterMs: number, random: number) => retryDelay(1, { delaysMs, retryAfterMs, random })
  expect(at(2_000, 0)).toBe(2_000)
  expect(at(7_200_000, 0)).toBe(7_200_000)
  expect(at(7_200_000, 0.999_999)).toBe(7_919_999)
  expect(at(0, 0)).toBe(1_000)
})

test('behavior: Retry-After gives no attempts beyond the last one', () => {
  expect(retryDelay(8, { delaysMs, retryAfterMs: 1_000, random: 0 })).toBeUndefined()
})
