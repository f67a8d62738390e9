import { expect, test } from 'vitest'
import { addressOf, dataOf, hash32Of, quantityOf } from './normalForm.ts'

test.each([
  ['0x0', '0x0'],
  ['0x00', '0x0'],
  ['0x1f', '0x1f'],
  ['0x01F', '0x1f'],
  ['0X1F', '0x1f'],
  [`0x${'0'.repeat(60)}abcd`, '0xabcd'],
  ['0x7fffffffffffffff', '0x7fffffffffffffff'],
  [12, '0xc'],
  [0, '0x0'],
] as const)('behavior: normalizes the quantity %s to %s', (given, quantity) => {
  expect(quantityOf(given)).toBe(quantity)
})

test.each(['0x', '', '12', 'x', '0x8000000000000000', '0xg', -1, 1.5, 2 ** 60, null, undefined, {}, []])(
  'error: rejects %s as a quantity',
  (given) => {
    expect(quantityOf(given)).toBe(undefined)
  },
)

test('behavior: hashes, addresses and data are normalized to lower case, and empty data to 0x', () => {
  expect(hash32Of(`0X${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
  expect(addressOf(`0x${'Ab'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`)
  expect(['', null, '0x0', '0x', '0xAB'].map(dataOf)).toEqual(['0x', '0x', '0x', '0x', '0xab'])
  for (const value of [undefined, 0, '0xabc', 'ab', {}]) expect(dataOf(value)).toBe(undefined)
  for (const value of [null, '0x', `0x${'ab'.repeat(31)}`]) expect(hash32Of(value)).toBe(undefined)
})
