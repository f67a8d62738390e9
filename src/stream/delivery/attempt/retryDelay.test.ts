import { expect, test } from 'vitest'
import { webhookSettings } from '../webhookSettings.ts'
import { type RetryDelayOptions, retryDelay } from './retryDelay.ts'

const { retryDelaysMs: delaysMs, postponeForMs } = webhookSettings.parse({})
const minute = 60_000
const day = 1_440 * minute
const delay = (used: number, options: Partial<RetryDelayOptions> = {}) =>
  retryDelay(used, { delaysMs, postponeForMs, retryAfterMs: undefined, sinceFirstMs: 0, random: 0.5, ...options })

test('default: retry delays are 1 min, 10 min, 1 h, 2 h, 6 h, 12 h, 24 h, then no retry', () => {
  const middle = Array.from({ length: 8 }, (_, i) => delay(i).ms)
  expect(middle.map((ms) => ms && ms / minute)).toEqual([1, 10, 60, 120, 360, 720, 1_440, undefined])
})

test('behavior: a retry delay varies randomly by up to a tenth', () => {
  expect(delay(0, { random: 0 }).ms).toBe(54_000)
  expect(delay(0, { random: 0.999_999 }).ms).toBe(66_000)
})

test('behavior: the retry delay is the longer of Retry-After and the schedule, and never shorter than Retry-After', () => {
  expect(delay(0, { retryAfterMs: 2_000, random: 0 }).ms).toBe(54_000)
  expect(delay(0, { retryAfterMs: 7_200_000, random: 0 }).ms).toBe(7_200_000)
  expect(delay(0, { retryAfterMs: 7_200_000, random: 0.999_999 }).ms).toBe(7_919_999)
  expect(delay(0, { retryAfterMs: 0, delaysMs: [1] }).ms).toBe(1_050)
})

test('behavior: within two days a Retry-After uses up no delay of the schedule, even after the last one', () => {
  expect(delay(0, { retryAfterMs: 1_000 })).toEqual({ ms: minute, postponed: true })
  expect(delay(7, { retryAfterMs: 1_000, sinceFirstMs: 2 * day - 1 })).toEqual({ ms: day, postponed: true })
  expect(delay(0)).toEqual({ ms: minute, postponed: false })
})

test('behavior: after two days a Retry-After adds no attempts beyond the last one', () => {
  expect(delay(6, { retryAfterMs: 1_000, sinceFirstMs: 2 * day })).toEqual({ ms: day, postponed: false })
  expect(delay(7, { retryAfterMs: 1_000, sinceFirstMs: 2 * day })).toEqual({ ms: undefined, postponed: false })
})
