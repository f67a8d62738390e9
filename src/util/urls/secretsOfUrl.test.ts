import { expect, test } from 'vitest'
import { basicAuthorization } from './secretsOfUrl.ts'

test.each([
  ['http://host/', undefined],
  ['http://user:p%40ss@host/', 'user:p@ss'],
  ['http://user@host/', 'user:'],
  ['http://:key@host/', ':key'],
  ['http://user:50%@host/', 'user:50%'],
])('default: reads the basic authorization of %s', (address, credentials) => {
  const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`
  expect(basicAuthorization(new URL(address))).toBe(expected)
})
