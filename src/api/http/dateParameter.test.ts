import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDate } from './dateParameter.ts'

const moment = Date.parse('2021-05-01T10:20:30.400Z')

test('default: parses unambiguous dates in every supported format', () => {
  for (const [text, parsed] of [
    ['2021-05-01T10:20:30.400Z', moment],
    ['2021-05-01T12:20:30.4+02:00', moment],
    ['2021-05-01 04:50:30.4-0530', moment],
    ['2021-05-01T10:20:30.400', moment],
    ['2021-05-01T10:20Z', moment - 30_400],
    ['2021-05-01', Date.parse('2021-05-01T00:00:00Z')],
    ['Sat, 01 May 2021 10:20:30 GMT', moment - 400],
    ['1 May 2021 12:20:30 +0200', moment - 400],
    ['1619864430', moment - 400],
    ['0', 0],
    ['1619864430400', moment],
  ] as const)
    expect(parseDate(text), text).toBe(parsed)
})

test('behavior: parses every ISO 8601 date that JavaScript writes', () => {
  const years = { min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }
  fc.assert(
    fc.property(fc.date(years), (date) => {
      expect(parseDate(date.toISOString())).toBe(date.getTime())
    }),
  )
})

test('error: rejects ambiguous and invalid dates', () => {
  for (const text of ['', '2021', '2021-05', '01/02/2021', '2021-02-30', '2021-13-01', '2021-05-01T24:61Z', 'tomorrow'])
    expect(parseDate(text), text).toBeUndefined()
  for (const text of ['2021-05-01T10:20:30+99:00', '2021-05-01T10:20 PM', '20210501', '9'.repeat(16), 'May 1 2021'])
    expect(parseDate(text), text).toBeUndefined()
})
