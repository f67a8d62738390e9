import { expect, test } from 'vitest'
import { maxTimestampMicros } from '../../chain/aptos/source.ts'
import { isoMicros } from './record.ts'

test.each([
  [0n, '1970-01-01T00:00:00.000000Z'],
  [1_666_147_418_000_023n, '2022-10-19T02:43:38.000023Z'],
  [9_007_199_254_740_993n, '2255-06-05T23:47:34.740993Z'],
  [maxTimestampMicros, '9999-12-31T23:59:59.999999Z'],
])('default: formats %d microseconds as an ISO timestamp', (micros, text) => {
  expect(isoMicros(micros)).toBe(text)
})
