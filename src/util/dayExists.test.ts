import { expect, test } from 'vitest'
import { dayExists } from './dayExists.ts'

test('default: days of the calendar exist', () => {
  const days = ['2022-02-28', '2024-02-29', '2022-12-31', '1969-07-20', '0000-01-01']
  expect(days.filter((day) => !dayExists(day))).toEqual([])
})

test('error: days that the calendar does not have do not exist', () => {
  const days = ['2022-02-30', '2022-02-29', '2022-04-31', '2022-13-01', '2022-00-10', '2022-01-00', 'now']
  expect(days.filter(dayExists)).toEqual([])
})
