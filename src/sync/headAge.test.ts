import { expect, test } from 'vitest'
import { headAgeMsOf, headAgeOf, isOld } from './headAge.ts'

const at = (ms: number) => new Date(1_700_000_000_000 + ms)

test('default: the age is the time since the confirmation, also if that came while the statement ran', () => {
  expect(headAgeMsOf({ confirmedAt: null, queriedAt: at(0) })).toBe(null)
  expect(headAgeMsOf({ confirmedAt: at(0), queriedAt: at(1_500) })).toBe(1_500)
  expect(headAgeMsOf({ confirmedAt: at(1_500), queriedAt: at(0) })).toBe(0)
})

test('behavior: after the clock was set back, a head is old until it is confirmed again', () => {
  const confirmed = { confirmedAt: at(3_600_000), maxHeadAgeMs: 60_000 }
  expect(isOld(headAgeOf({ ...confirmed, queriedAt: at(0) }))).toBe(true)
  expect(isOld(headAgeOf({ ...confirmed, queriedAt: at(0), confirmedAt: at(0) }))).toBe(false)
})
