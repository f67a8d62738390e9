import { expect, test } from 'vitest'
import type { z } from 'zod'
import { address, choice, flag, tokenId, wholeNumber } from './parameters.ts'

const limit = wholeNumber({ description: '', min: 1, max: 100 })
const boolean = flag({ description: '', default: false })
const format = choice({ description: '', values: ['decimal', 'hex'], default: 'decimal' })
const contract = address({ description: '' })
const token = tokenId({ description: '' })

const mixed = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D'

test.each<[z.ZodType, string, unknown]>([
  [limit, '1', 1],
  [limit, '100', 100],
  [limit, '007', 7],
  [boolean, 'TRUE', true],
  [boolean, '1', true],
  [boolean, 'False', false],
  [boolean, '0', false],
  [format, 'hex', 'hex'],
  [contract, mixed, mixed.toLowerCase()],
  [contract, mixed.toUpperCase(), mixed.toLowerCase()],
  [token, '0', 0n],
  [token, '0x0F', 15n],
  [token, String(2n ** 256n - 1n), 2n ** 256n - 1n],
  [token, `0x${'f'.repeat(64)}`, 2n ** 256n - 1n],
])('default: %$ accepts %s', (schema, text, value) => {
  expect(schema.parse(text)).toBe(value)
})

test.each<[z.ZodType, string, string]>([
  [limit, '0', 'is "0"; allowed: a whole number from 1 to 100'],
  [limit, '101', 'is "101"; allowed: a whole number from 1 to 100'],
  [limit, '', 'is empty; allowed: a whole number from 1 to 100'],
  [limit, '1e1', 'is "1e1"; allowed: a whole number from 1 to 100'],
  [limit, '-1', 'is "-1"; allowed: a whole number from 1 to 100'],
  [limit, '١', 'is "١"; allowed: a whole number from 1 to 100'],
  [boolean, 'yes', 'is "yes"; allowed: true, false, 1 or 0'],
  [format, 'octal', 'is "octal"; allowed: decimal or hex'],
  [contract, '0x1', 'is "0x1"; allowed: an address: 0x and 40 hex digits'],
  [contract, mixed.slice(2), `is "${mixed.slice(2)}"; allowed: an address: 0x and 40 hex digits`],
])('error: %$ rejects %s', (schema, text, message) => {
  expect(schema.safeParse(text).error?.issues.map((issue) => issue.message)).toEqual([message])
})

test.each([String(2n ** 256n), `0x1${'0'.repeat(64)}`, '-1', '0x', '1.0', '٣'])(
  'error: rejects %s as a token id',
  (text) => {
    expect(token.safeParse(text).success).toBe(false)
  },
)

test('error: an error message shortens a long value', () => {
  expect(limit.safeParse('9'.repeat(10_000)).error?.issues[0]?.message.length).toBeLessThan(200)
})
