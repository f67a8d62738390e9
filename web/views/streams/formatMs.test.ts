import { expect, test } from 'vitest'
import { formatMs } from './formatMs.ts'

test('default: formats milliseconds', () => {
  expect([0.42, 12.3, 999, 1_234].map(formatMs)).toEqual(['0.4 ms', '12 ms', '999 ms', '1.2 s'])
})
